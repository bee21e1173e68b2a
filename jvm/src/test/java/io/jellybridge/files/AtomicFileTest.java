package io.jellybridge.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file replaces, and what stays of that. */
class AtomicFileTest {
    @TempDir
    Path folder;

    private static void write(Path target, String text) throws IOException {
        try (AtomicFile file = new AtomicFile(target, target.toString())) {
            file.out().write(text.getBytes(UTF_8));
            file.commit();
        }
    }

    @Test
    void aLinkStaysAndItsTargetIsWrittenIfItIsNotThereYet() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real")).resolve("file");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createSymbolicLink(folder.resolve("other"), Path.of("real/file")));
        for (String text : new String[] {"first", "second"}) {
            write(link, text);
            assertTrue(Files.isSymbolicLink(link));
            assertEquals(text, Files.readString(real));
        }
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThrows(FileSystemLoopException.class, () -> write(loop, "text"));
    }

    @Test
    void theFileHasThePermissionsOfTheOneThatItReplaces() throws IOException {
        Path file = folder.resolve("file");
        write(file, "first");
        for (String permissions : new String[] {"rw-------", "rw-rw-rw-", "-w-------"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
            write(file, "second");
            assertEquals(permissions, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
    }

    @Test
    void aFileThatNobodyMayReadIsReplaced() throws IOException {
        Path file = folder.resolve("file");
        write(file, "first");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        write(file, "second");
        assertEquals("-w-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void aNameMayBeAsLongAsTheFileSystemTakesIt() throws IOException {
        Path file = folder.resolve("x".repeat(255));
        write(file, "text");
        assertEquals("text", Files.readString(file));
    }
}
