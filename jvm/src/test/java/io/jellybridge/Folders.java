package io.jellybridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Folders of tests. */
public final class Folders {
    private Folders() {
    }

    /** Copies a folder with all that is in it. */
    public static void copy(Path from, Path to) throws IOException {
        copy(from, to, file -> true);
    }

    /** Copies the files and folders of a folder that a test wants, and the folder itself. */
    public static void copy(Path from, Path to, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(wanted).toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }
}
