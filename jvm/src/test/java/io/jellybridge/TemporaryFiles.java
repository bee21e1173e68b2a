package io.jellybridge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The temporary files of the product. Tests run beside others that write some, so a test looks for those with a text that only it has. */
public final class TemporaryFiles {
    private static final int BEGINNING = 1 << 16;

    private TemporaryFiles() {
    }

    /** Returns the files whose first 64 KiB hold a text. */
    public static List<Path> with(String text) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(Path.of(System.getProperty("java.io.tmpdir")), "jellybridge-*.*")) {
            for (Path file : files) {
                if (beginning(file).contains(text)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static String beginning(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(BEGINNING), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return ""; // another test's, which is gone by now
        }
    }
}
