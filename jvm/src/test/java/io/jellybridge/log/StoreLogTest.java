package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a log in a store that is no folder of this machine: here one that is, by the calls of a store alone. */
class StoreLogTest extends PatchLogContract {
    @TempDir
    Path temporary;

    /** Whether the answer to who makes a file gets lost, after the file is there. */
    private boolean answersAreLost;
    private int listings;

    private final LogStore store = new LogStore() {
        @Override
        public String name() {
            return "the store";
        }

        @Override
        public Map<String, Long> list(String subfolder) throws IOException {
            listings++;
            Map<String, Long> files = new TreeMap<>();
            if (Files.isDirectory(file(subfolder))) {
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(file(subfolder))) {
                    for (Path file : entries) {
                        files.put(file.getFileName().toString(), Files.isDirectory(file) ? -1 : Files.size(file));
                    }
                }
            }
            return files;
        }

        @Override
        public long length(String file) throws IOException {
            return Files.exists(file(file)) ? Files.size(file(file)) : -1;
        }

        @Override
        public InputStream open(String file, long offset) throws IOException {
            try {
                SeekableByteChannel channel = Files.newByteChannel(file(file));
                channel.position(offset);
                return Channels.newInputStream(channel);
            } catch (NoSuchFileException e) {
                throw new FileNotFoundException(file);
            }
        }

        @Override
        public void create(String file, Path content) throws IOException {
            Files.createDirectories(file(file).getParent());
            Files.createLink(file(file), Files.copy(content, temporary.resolve(newId())));
            if (answersAreLost) {
                throw new IOException("the answer is lost");
            }
        }

        @Override
        public void delete(String file) throws IOException {
            Files.deleteIfExists(file(file));
        }
    };

    private Path folder() {
        return temporary.resolve("log");
    }

    private Path file(String name) {
        return folder().resolve(name);
    }

    @Override
    PatchLog create() throws IOException {
        return StoreLog.create(store);
    }

    @Override
    PatchLog open() throws IOException {
        return StoreLog.open(store);
    }

    @Override
    void createAgain() throws IOException {
        StoreLog.create(store);
    }

    @Test
    void aLogIsMadeInAnEmptyFolderOrAmongHiddenFilesOnly() throws IOException {
        Files.delete(file(LogProperties.NAME));
        Files.writeString(file(".hidden"), "");
        StoreLog made = StoreLog.create(store);
        assertEquals(made.id(), open().id());
        Files.delete(file(LogProperties.NAME));
        assertTrue(assertThrows(FileNotFoundException.class, this::open).getMessage().contains("the store"));
        Files.writeString(file("other.txt"), "");
        assertTrue(assertThrows(IOException.class, this::createAgain).getMessage().contains("other.txt"));
    }

    /** Its files, also those of several patches, and one that is large, are those of a folder. */
    @Test
    void aFolderThatIsCopiedHereIsTheSameLog() throws IOException {
        Files.delete(file(LogProperties.NAME));
        try (FolderLog here = FolderLog.create(temporary.resolve("here"))) {
            for (int number = 1; number <= 12; number++) {
                append(here, patch(null, null, add(number)));
                if (number == 5) {
                    String[] rows = new String[120_000];
                    Arrays.setAll(rows, row -> "A <urn:s> <urn:p> \"" + "x".repeat(40) + row + "\" .");
                    append(here, patch(null, null, rows));
                    LogCompaction.run(here, Long.MAX_VALUE);
                } else if (number == 9) {
                    LogCompaction.run(here, 5000);
                }
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(here.folder(), Files::isRegularFile)) {
                for (Path file : files) {
                    Files.copy(file, file(file.getFileName().toString()));
                }
            }
            PatchLog copy = open();
            assertEquals(here.id(), copy.id());
            assertEquals(here.head(), copy.head());
            assertEquals(1, copy.first());
            assertEquals(texts(here, 1, 20), texts(copy, 1, 20));
            for (long version = 1; version <= 13; version++) {
                String id = LogPatches.idOf(here, version);
                assertEquals(id, LogPatches.idOf(open(), version));
            }
            assertEquals(texts(here, 8, 8), texts(open(), 8, 8));
            LogHead more = append(copy, patch(null, null, add(13)));
            assertEquals(new LogHead(14, more.id()), open().head());
        }
    }

    @Test
    void aLogWhoseFirstPatchesAreGoneBeginsBehindThem() throws IOException {
        for (int number = 1; number <= 4; number++) {
            append(log, patch(null, null, add(number)));
        }
        Files.delete(file(LogFolder.fileName(1)));
        Files.delete(file(LogFolder.fileName(2)));
        assertEquals(4, open().head().version());
        PatchLog pruned = open();
        assertEquals(3, pruned.first());
        assertEquals(4, pruned.head().version());
        assertEquals(2, texts(pruned, 3, 9).size());
    }

    /** Its id is known by the patch that follows it, and what it said is not. */
    @Test
    void aPatchThatIsGoneIsNotAppendedAgain() throws IOException {
        String gone = append(log, patch(null, null, add(1))).id();
        append(log, patch(null, null, add(2)));
        Files.delete(file(LogFolder.fileName(1)));
        LogConflictException refused = assertThrows(LogConflictException.class,
                () -> append(open(), patch(gone, null, add(1))));
        assertTrue(refused.getMessage().contains(gone), refused.getMessage());
        assertEquals(2, open().head().version());
    }

    @Test
    void whereAVersionIsMissingNothingIsRead() throws IOException {
        for (int number = 1; number <= 4; number++) {
            append(log, patch(null, null, add(number)));
        }
        Files.delete(file(LogFolder.fileName(2)));
        String missing = assertThrows(IOException.class, () -> open().head()).getMessage();
        assertTrue(missing.contains("version 2 is missing, and version 4 is there"), missing);
    }

    @Test
    void aLogThatBeginsWithAStateNeedsItsFirstPatch() throws IOException {
        Path state = file(StoreLog.BEGINNING);
        Files.createDirectories(state.getParent());
        Files.writeString(state, "");
        String begun = assertThrows(IOException.class, () -> open().head()).getMessage();
        assertTrue(begun.contains("begins with a state and has no patch yet"), begun);
        Files.delete(state);
        assertEquals(LogHead.EMPTY, open().head());
    }

    @Test
    void anEntryIsCalledByItsFile() throws IOException {
        append(log, patch(null, null, add(1)));
        try (LogEntries entries = open().fetch(1, 1)) {
            assertEquals("the store/" + LogFolder.fileName(1), entries.next().name());
        }
    }

    @Test
    void anAppendWhoseAnswerWasLostIsThereOnceWhenItComesAgain() throws IOException {
        String id = newId();
        append(log, patch(null, null, add(1)));
        answersAreLost = true;
        assertThrows(IOException.class, () -> append(log, patch(id, null, add(2))));
        answersAreLost = false;
        assertEquals(new LogHead(2, id), append(open(), patch(id, null, add(2))));
        assertEquals(new LogHead(2, id), log.head());
        assertEquals(2, texts(log, 1, 9).size());
    }

    @Test
    void theHeadIsAskedForByNameAndNotBySearching() throws IOException {
        append(log, patch(null, null, add(1)));
        PatchLog reader = open();
        assertEquals(1, reader.head().version());
        int before = listings;
        for (int number = 2; number <= 5; number++) {
            append(log, patch(null, null, add(number)));
            assertEquals(number, reader.head().version());
        }
        assertEquals(before, listings);
        assertNull(open().fetch(6, 9).next());
    }
}
