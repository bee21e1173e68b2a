package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.checkpoint.LogHistory.PatchDetails;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.StoreLog;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a version changed, what undoes it, and the history of quads. */
class LogDifferenceTest {
    private static final String[] ABORTED = {"TX .", "A <urn:a> <urn:p> \"no\" .", "TA ."};

    @TempDir
    Path folder;

    private StoreLog log() throws IOException {
        return StoreLog.create(folder.resolve("log"));
    }

    private static void append(StoreLog log, String... lines) throws IOException {
        LogPatches.append(log, String.join("\n", lines) + "\n");
    }

    /** A collector of rows as lines. */
    private static final class Lines extends PatchAdapter<byte[]> {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            lines.add(op + " " + new String(new CanonicalQuad(subject, predicate, object, graph).line(), UTF_8));
        }
    }

    private static List<String> lines(Difference difference) throws IOException {
        try (difference) {
            Lines lines = new Lines();
            difference.read(lines);
            return lines.lines;
        }
    }

    @Test
    void aVersionIsWhatHadAnEffect() throws IOException {
        try (StoreLog log = log()) {
            append(log, "A <urn:a> <urn:p> \"1\" .", "A <urn:b> <urn:p> \"1\" .");
            append(log, "A <urn:a> <urn:p> \"1\" .", "D <urn:b> <urn:p> \"1\" .", "A <urn:b> <urn:p> \"1\" .", "A <urn:c> <urn:p> \"1\" <urn:g> .");
            append(log, ABORTED);
            assertEquals(List.of("A <urn:c> <urn:p> \"1\" <urn:g> ."), lines(LogDifference.of(log, 2, ProgressListener.NONE)));
            assertEquals(List.of(), lines(LogDifference.of(log, 3, ProgressListener.NONE)));
            assertEquals(3, lines(LogDifference.compareVersions(log, 0, 3, ProgressListener.NONE)).size());
            assertEquals(List.of("D <urn:c> <urn:p> \"1\" <urn:g> ."), lines(LogDifference.compareVersions(log, 2, 1, ProgressListener.NONE)));
            assertEquals(List.of(), lines(LogDifference.compareVersions(log, 0, 0, ProgressListener.NONE)));
            assertThrows(IllegalArgumentException.class, () -> LogDifference.of(log, 4, ProgressListener.NONE));
        }
    }

    @Test
    void ofAPrunedLogTheFirstPatchShowsItsNetEffect() throws IOException {
        try (StoreLog log = log()) {
            append(log, "A <urn:a> <urn:p> \"1\" .");
            append(log, "TX .", "A <urn:a> <urn:p> \"1\" .", "A <urn:a> <urn:p> \"2\" .", "D <urn:a> <urn:p> \"2\" .", "TC .", ABORTED[0], ABORTED[1],
                    ABORTED[2]);
            append(log, "A <urn:a> <urn:p> \"3\" .");
            CheckpointFiles.make(log, 2, ProgressListener.NONE);
            Pruning.before(log, 2);
            assertEquals(List.of("D <urn:a> <urn:p> \"2\" .", "A <urn:a> <urn:p> \"1\" ."),
                    lines(LogDifference.of(log, 2, ProgressListener.NONE)));
            assertEquals(List.of("A <urn:a> <urn:p> \"3\" ."), lines(LogDifference.of(log, 3, ProgressListener.NONE)));
            assertThrows(IOException.class, () -> LogDifference.of(log, 1, ProgressListener.NONE));
        }
    }

    @Test
    void aRevertUndoesWhatLaterVersionsHaveLeft() throws IOException {
        Random random = new Random(5);
        try (StoreLog log = log()) {
            List<Set<String>> states = new ArrayList<>(List.of(new TreeSet<>()));
            for (int version = 1; version <= 12; version++) {
                List<String> lines = new ArrayList<>();
                for (int row = 0; row < 6; row++) {
                    lines.add((random.nextBoolean() ? "A" : "D") + " <urn:a> <urn:p> \"" + random.nextInt(8) + "\" .");
                }
                append(log, lines.toArray(String[]::new));
                states.add(new TreeSet<>(StateLog.lines(log, version)));
            }
            Set<String> head = states.get(12);
            for (int version = 1; version <= 12; version++) {
                Set<String> before = states.get(version - 1);
                Set<String> after = states.get(version);
                Set<String> expected = new TreeSet<>();
                head.stream().filter(quad -> after.contains(quad) && !before.contains(quad)).map("D "::concat).forEach(expected::add);
                before.stream().filter(quad -> !after.contains(quad) && !head.contains(quad)).map("A "::concat).forEach(expected::add);
                Lines undone = new Lines();
                long[] counts = LogDifference.revert(log, version, undone, ProgressListener.NONE);
                assertEquals(expected, new TreeSet<>(undone.lines));
                assertEquals(lines(LogDifference.compareVersions(log, version - 1, version, ProgressListener.NONE)).size(), counts[0]);
                assertEquals(expected.size(), counts[1]);
            }
        }
    }

    private static List<String> history(StoreLog log, LogHistory.Quads wanted, Instant since) throws IOException {
        List<String> rows = new ArrayList<>();
        try (LogHistory history = new LogHistory(log, wanted, since)) {
            boolean more = true;
            while (more) {
                more = history.next((patch, tx, row, op, subject, predicate, object, graph, name, value) ->
                        rows.add(patch + " " + op + " " + new String(object, UTF_8)));
            }
        }
        return rows;
    }

    @Test
    void aHistoryHasEachOperationButThoseOfAbortedBlocks() throws IOException {
        try (StoreLog log = log()) {
            append(log, "A <urn:a> <urn:p> \"1\" .", "A <urn:b> <urn:p> \"2\" .");
            append(log, "TX .", "A <urn:a> <urn:p> \"1\" .", "TC .", ABORTED[0], ABORTED[1], ABORTED[2], "TX .",
                    "D <urn:a> <urn:p> \"1\" <urn:g> .", "TC .");
            byte[] subject = "<urn:a>".getBytes(UTF_8);
            assertEquals(List.of("1 A \"1\"", "2 A \"1\"", "2 D \"1\""),
                    history(log, new LogHistory.Quads(subject, null, null, null), null));
            assertEquals(List.of("1 A \"1\"", "2 A \"1\""), history(log, new LogHistory.Quads(subject, null, null, new byte[0]), null));
            assertEquals(List.of("2 D \"1\""), history(log, new LogHistory.Quads(null, null, null, "<urn:g>".getBytes(UTF_8)), null));
            assertEquals(List.of(), history(log, new LogHistory.Quads(null, null, null, null), Instant.now().plusSeconds(100)));
            assertEquals(4, history(log, new LogHistory.Quads(null, "<urn:p>".getBytes(UTF_8), null, null), Instant.EPOCH).size());
        }
    }

    @Test
    void aTimeBefore1970IsInAHistory() throws IOException {
        try (StoreLog log = log()) {
            List<Long> times = new ArrayList<>();
            for (String time : List.of("1969-12-31T23:59:59.000Z", "1969-12-31T23:59:59.999Z", "none")) {
                append(log, "H time \"" + time + "\"^^<http://www.w3.org/2001/XMLSchema#dateTime> .",
                        "A <urn:a> <urn:p> \"" + time + "\" .");
            }
            try (LogHistory history = new LogHistory(log, new LogHistory.Quads(null, null, null, null), null)) {
                boolean more = true;
                while (more) {
                    more = history.next((patch, tx, row, op, subject, predicate, object, graph, name, value) -> times.add(tx));
                }
            }
            assertEquals(List.of(-1000L, -2L, -1L), times, "-1 is for none");
        }
    }

    @Test
    void theRowsOfAPatchAreCountedWithoutAbortedBlocks() throws IOException {
        try (StoreLog log = log()) {
            append(log, "H author \"Ada\" .", "TX .", "A <urn:a> <urn:p> \"1\" .", "D <urn:a> <urn:p> \"0\" .", "TC .", ABORTED[0], ABORTED[1], ABORTED[2]);
            PatchDetails details = PatchDetails.of(log.fetch(1, 1).next());
            assertArrayEquals(new long[] {1, 1}, new long[] {details.added(), details.deleted()});
            assertEquals("\"Ada\"", details.headers().get("author"));
            assertThrows(FileNotFoundException.class, () -> LogDifference.ofPatch(log, 2, ProgressListener.NONE));
        }
    }
}
