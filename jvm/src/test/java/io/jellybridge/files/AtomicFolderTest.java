package io.jellybridge.files;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFolderTest {
    @TempDir
    Path temporary;

    @Test
    void filesThatAppearWhileAFolderIsDeletedAreDeletedToo() throws Exception {
        for (int round = 0; round < 20; round++) {
            Path folder = Files.createDirectory(temporary.resolve("folder" + round));
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Void> writer = new FutureTask<>(() -> {
                try {
                    for (int i = 0; i < 1000; i++) {
                        Files.createFile(folder.resolve("file" + i));
                        begun.countDown();
                    }
                } catch (NoSuchFileException e) {
                    // the folder is gone
                }
                return null;
            });
            new Thread(writer).start();
            begun.await();
            AtomicFolder.delete(folder);
            writer.get();
            assertFalse(Files.exists(folder));
        }
    }

    @Test
    void aFolderIsRemovedOnce() throws IOException {
        Path hidden = temporary.resolve(".making");
        AtomicFolder folder = new AtomicFolder(temporary.resolve("made"), hidden);
        Files.writeString(folder.path().resolve("file"), "text");
        folder.close();
        folder.close();
        AtomicFolder.delete(hidden);
        try (var left = Files.list(temporary)) {
            assertFalse(left.findAny().isPresent());
        }
    }
}
