package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.patch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.files.AtomicFolder;
import io.jellybridge.Full;
import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.checkpoint.State;
import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of what happens to the folder of a log: appends, captures that are killed, compactions that are cut off,
 * checkpoints, prunings, files that are deleted, replaced, duplicated, exchanged, restored or damaged, indexes that are lost or
 * old. Each answer is made of patches that were acknowledged, each as its version behind the one that it was appended to, or is
 * an error that names a file or a version; each state is that of these patches; and what an append acknowledges is there.
 */
class LogHistoriesTest {
    private static final int STEPS = 14;
    private static final String NAMED = ".*([0-9]{20}|version [0-9]+|patch-log.properties).*";

    @TempDir
    Path temporary;

    /** A patch that was acknowledged. */
    private record Appended(long version, String id, String text, String before) {
    }

    @Test
    void anAnswerIsTrueOrNamesWhatIsNot() throws IOException {
        run(60, 20261126);
    }

    @Full("2,000 histories")
    @Test
    void anAnswerIsTrueOrNamesWhatIsNotInManyHistories() throws IOException {
        run(2000, 7);
    }

    private void run(int count, long seed) throws IOException {
        int read = 0;
        int refused = 0;
        for (int number = 0; number < count; number++) {
            History history = new History(temporary.resolve("h" + number), new Random(seed + number), "history " + number);
            history.run();
            read += history.read;
            refused += history.refused;
            try (Stream<Path> files = Files.list(temporary)) {
                for (Path folder : files.toList()) {
                    AtomicFolder.delete(folder);
                }
            }
        }
        assertTrue(read > count && refused > count, read + " read, " + refused + " refused");
    }

    private static final class History {
        private final Path folder;
        private final Path kept;
        private final Random random;
        private final String name;
        private final List<String> steps = new ArrayList<>();
        private final Map<String, Appended> appended = new HashMap<>();
        private int copies;
        private int values;
        private int read;
        private int refused;

        History(Path place, Random random, String name) throws IOException {
            this.folder = place.resolve("log");
            this.kept = Files.createDirectories(place.resolve("kept"));
            this.random = random;
            this.name = name;
            StoreLog.create(folder);
        }

        void run() throws IOException {
            if (random.nextBoolean()) {
                append(1 + random.nextInt(4));
            } else {
                appendCall(1 + random.nextInt(4));
            }
            for (int step = 0; step < STEPS; step++) {
                try {
                    step();
                } catch (IOException | RuntimeException e) {
                    requireNamed(e);
                }
                look();
            }
        }

        private void step() throws IOException {
            switch (random.nextInt(20)) {
                case 0, 1, 2 -> append(1 + random.nextInt(3));
                case 3 -> capture(random.nextBoolean());
                case 4 -> compact();
                case 5 -> keep();
                case 6 -> restore();
                case 7 -> restoreFile();
                case 8 -> deleteFile();
                case 9 -> duplicate();
                case 10 -> exchange();
                case 11 -> damage();
                case 12 -> loseIndex();
                case 13, 14 -> checkpoint();
                case 15 -> prune();
                case 16, 17, 18 -> appendCall(2 + random.nextInt(4));
                default -> cutOffCompaction();
            }
        }

        private StoreLog open() throws IOException {
            return StoreLog.open(new FolderStore(folder, "log"));
        }

        // --- what is done by the log

        private void append(int count) throws IOException {
            steps.add("append " + count);
            StoreLog log = open();
            for (int i = 0; i < count; i++) {
                String text = patch(UUID.randomUUID().toString(), null, add(++values));
                LogHead made = LogPatches.append(log, text);
                note(LogVersions.headerOf(open(), made.version()), made.version(), add(values));
                StoreLog fresh = open();
                assertEquals(made, fresh.head(), this::toString);
                assertEquals(made.version(), fresh.versionWith(made.id()), this::toString);
            }
        }

        private void appendCall(int count) throws IOException {
            steps.add("append " + count + " in a call");
            List<String> texts = new ArrayList<>();
            int before = values;
            for (int i = 0; i < count; i++) {
                texts.add(patch(UUID.randomUUID().toString(), null, add(++values)));
            }
            List<LogHead> made = LogPatches.appendAll(open(), texts);
            assertEquals(made.get(count - 1), open().head(), this::toString);
            for (int i = 0; i < count; i++) {
                note(LogVersions.headerOf(open(), made.get(i).version()), made.get(i).version(), add(before + i + 1));
                assertEquals(made.get(i).version(), open().versionWith(made.get(i).id()), this::toString);
            }
        }

        private void note(PatchHeader header, long version, String text) {
            assertNotNull(header, this::toString);
            appended.put(header.hash(), new Appended(version, header.id(), text, header.chain().before()));
        }

        private void capture(boolean killed) throws IOException {
            steps.add(killed ? "capture, killed" : "capture");
            CaptureWriter writer = new CaptureWriter(open(), new CaptureWriter.Rotation(Long.MAX_VALUE, 100, 1_000_000), false);
            try {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    String id = UUID.randomUUID().toString();
                    ChainPlace place = writer.next();
                    LogPatches.Chained made = LogPatches.chained(patch(id, writer.head().id(), add(++values)), place);
                    writer.append(id, made.hash(), new ByteArrayInputStream(made.bytes()));
                    appended.put(made.hash(), new Appended(place.version(), id, add(values), place.before()));
                }
            } finally {
                if (killed) {
                    writer.releaseLock();
                } else {
                    writer.close();
                }
            }
        }

        private void compact() throws IOException {
            steps.add("compact");
            LogCompaction.run(open(), Long.MAX_VALUE);
        }

        private void checkpoint() throws IOException {
            StoreLog log = open();
            long version = log.head().version() - random.nextInt(2);
            steps.add("checkpoint " + version);
            if (version >= log.first()) {
                CheckpointFiles.make(log, version, ProgressListener.NONE);
            }
        }

        private void prune() throws IOException {
            long version = open().head().version() - random.nextInt(3);
            steps.add("prune before " + version);
            Pruning.before(open(), version);
        }

        // --- what is done to it

        private List<Path> files(Path of) throws IOException {
            try (Stream<Path> files = Files.list(of)) {
                return files.filter(file -> LogObject.parseName(file.getFileName().toString()) != null).sorted().toList();
            }
        }

        private Path any(Path of) throws IOException {
            List<Path> files = files(of);
            return files.isEmpty() ? null : files.get(random.nextInt(files.size()));
        }

        private void keep() throws IOException {
            steps.add("keep a copy");
            copy(folder, kept.resolve("copy" + copies++), random.nextBoolean());
        }

        private static void copy(Path from, Path to, boolean linked) throws IOException {
            Files.createDirectories(to);
            try (Stream<Path> files = Files.list(from)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path target = to.resolve(file.getFileName());
                    if (linked && !file.getFileName().toString().endsWith(".lock")) {
                        Files.createLink(target, file);
                    } else {
                        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                    }
                }
            }
        }

        private Path anyCopy() {
            return copies == 0 ? null : kept.resolve("copy" + random.nextInt(copies));
        }

        private void restore() throws IOException {
            Path copy = anyCopy();
            if (copy == null) {
                return;
            }
            steps.add("restore " + copy.getFileName());
            copy(folder, kept.resolve("copy" + copies++), false);
            AtomicFolder.delete(folder);
            copy(copy, folder, random.nextBoolean());
        }

        private void restoreFile() throws IOException {
            Path copy = anyCopy();
            Path file = copy == null ? null : any(copy);
            if (file != null) {
                steps.add("restore " + file.getFileName() + " of " + copy.getFileName());
                Files.deleteIfExists(folder.resolve(file.getFileName()));
                Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }

        private void deleteFile() throws IOException {
            Path file = any(folder);
            if (file != null) {
                steps.add("delete " + file.getFileName());
                Files.delete(file);
            }
        }

        private void duplicate() throws IOException {
            Path file = any(folder);
            if (file != null) {
                long version = 1 + random.nextInt(9);
                LogObject object = new LogObject(version, version + (random.nextBoolean() ? 0 : random.nextInt(4)));
                steps.add("copy " + file.getFileName() + " to " + object.name());
                Path target = folder.resolve(object.name());
                if (!target.equals(file)) {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }

        private void exchange() throws IOException {
            Path one = any(folder);
            Path other = any(folder);
            if (one != null && !one.equals(other)) {
                steps.add("exchange " + one.getFileName() + " and " + other.getFileName());
                Path aside = Files.move(one, folder.resolve(".aside"));
                Files.move(other, one);
                Files.move(aside, other);
            }
        }

        private void damage() throws IOException {
            Path file = any(folder);
            if (file != null) {
                byte[] bytes = Files.readAllBytes(file);
                int at = random.nextInt(bytes.length);
                steps.add("flip byte " + at + " of " + file.getFileName());
                bytes[at] ^= (byte) (1 << random.nextInt(8));
                Files.delete(file); // it may be a link to that of a copy
                Files.write(file, bytes);
            }
        }

        private void loseIndex() throws IOException {
            Path copy = anyCopy();
            Path index = folder.resolve(IndexCache.NAME);
            Files.deleteIfExists(index);
            if (copy != null && random.nextBoolean() && Files.exists(copy.resolve(IndexCache.NAME))) {
                steps.add("the index of " + copy.getFileName());
                Files.copy(copy.resolve(IndexCache.NAME), index);
            } else {
                steps.add("no index");
            }
        }

        /** As a compaction leaves it that dies before it has deleted all. */
        private void cutOffCompaction() throws IOException {
            Path file = any(folder);
            if (file != null) {
                steps.add("a compaction that leaves " + file.getFileName());
                byte[] bytes = Files.readAllBytes(file);
                LogCompaction.run(open(), Long.MAX_VALUE);
                if (!Files.exists(file)) {
                    Files.write(file, bytes);
                }
            }
        }

        // --- what is seen

        private void look() throws IOException {
            try {
                StoreLog log = open();
                long first = log.first();
                long head = log.head().version();
                long version = first;
                try (LogReader entries = first == 1 ? new LogReader(log.fetch(1, head), 0, null, null, null)
                        : new LogReader(log.fetch(first, head), null)) {
                    for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                        PatchHeader header = entry.header();
                        Appended was = appended.get(header.hash());
                        assertNotNull(was, this::toString);
                        assertEquals(new Appended(version, header.id(), was.text(), header.chain().before()), was, this::toString);
                        version++;
                        assertTrue(LogPatches.text(entry).contains(was.text()), this::toString);
                    }
                }
                assertEquals(head + 1, version, this::toString);
                read++;
                if (head >= first) {
                    requireState(log, head);
                }
            } catch (IOException | RuntimeException e) {
                requireNamed(e);
                refused++;
            }
        }

        /** The state is that of the patches which were acknowledged before the head, even those that were pruned. */
        private void requireState(StoreLog log, long head) throws IOException {
            List<String> expected = new ArrayList<>();
            for (Appended was = appended.get(log.headHash()); was != null; was = appended.get(was.before())) {
                expected.add(was.text().substring(2));
            }
            List<String> found = new ArrayList<>();
            try (State state = State.at(log, head, ProgressListener.NONE)) {
                Items<CanonicalQuad> quads = state.quads();
                for (CanonicalQuad quad = quads.next(); quad != null; quad = quads.next()) {
                    found.add(new String(quad.line(), StandardCharsets.UTF_8));
                }
            }
            assertEquals(expected.stream().sorted().toList(), found.stream().sorted().toList(), this::toString);
        }

        private void requireNamed(Exception error) {
            assertTrue(String.valueOf(error.getMessage()).matches("(?s)" + NAMED) && (error instanceof IOException
                            || error instanceof FormatException || error instanceof BrokenChainException
                            || error instanceof PoisonPatchException || error instanceof LogConflictException
                            || error instanceof IllegalStateException),
                    () -> this + ": " + error);
        }

        @Override
        public String toString() {
            return name + " " + steps;
        }
    }
}
