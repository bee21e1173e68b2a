package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.ChangeRows.ChangeRowHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Change rows, to events and back. */
class ChangeRowSinkTest {

    private static void row(ChangeRowSink sink, long patch, long row, String op) {
        sink.row(patch, row, utf8(op), utf8("<urn:s>"), utf8("<urn:p>"), utf8("<urn:o>"), null, utf8("n"), utf8("<urn:v>"));
    }

    @Test
    void theRowsOfAnyPatchesAreTheirEventsButForTheEndOfTheLast() throws IOException {
        for (int seed = 0; seed < 10; seed++) {
            PatchOptions options = Streams.QUADS.withGeneralizedStatements(true);
            RandomPatches random = new RandomPatches(seed, options);
            byte[] stream = Streams.write(options, to -> random.patches(to, 5, () -> { }));
            Recorder expected = new Recorder();
            Recorder found = new Recorder();
            Streams.readInto(stream, ReadOptions.STRICT, expected);
            ChangeRowSink sink = new ChangeRowSink(found);
            int[] ends = {0};
            try (PatchReader<byte[]> reader = new PatchReader<>(
                    new ByteArrayInputStream(stream), "test", new Utf8Terms(), ReadOptions.STRICT)) {
                reader.readAll(new ChangeRows<>(reader, new ChangeRowHandler<byte[]>() {
                    @Override
                    public void row(long patch, long tx, long row, Op op, byte[] subject, byte[] predicate, byte[] object,
                            byte[] graph, byte[] name, byte[] value) {
                        assertEquals(reader.tx(), tx);
                        sink.row(patch, row, utf8(op.name()), subject, predicate, object, graph, name, value);
                    }

                    @Override
                    public void endPatch() {
                        ends[0]++;
                    }
                }));
            }
            assertEquals(5, ends[0]);
            // An empty patch has no row that would say its number, and the last one ends with who hands the rows over.
            List<String> rows = expected.lines.stream().filter(line -> !line.equals(Recorder.END_PATCH)).toList();
            assertEquals(rows, found.lines.stream().filter(line -> !line.equals(Recorder.END_PATCH)).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "D", "H", "TX", "TC", "TA", "PA", "PD"})
    void anOpIsTheCallThatItNames(String op) {
        Recorder found = new Recorder();
        row(new ChangeRowSink(found), 0, 0, op);
        assertEquals(1, found.lines.size());
        assertEquals(op, found.lines.get(0).split(" ")[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "X", "a", "T", "TB", "PX", "AX", "XA", "TXX"})
    void anOpThatIsNoneIsRefusedWithThoseThatAre(String op) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> row(new ChangeRowSink(new Recorder()), 0, 0, op));
        assertTrue(e.getMessage().contains("\"" + op + "\"") && e.getMessage().contains("PD"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> row(new ChangeRowSink(new Recorder()), 0, 0, null));
    }

    @ParameterizedTest
    @CsvSource({"H, header's key", "PA, prefix", "PD, prefix"})
    void aNameThatIsMissingIsSaidToBe(String op, String what) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> new ChangeRowSink(new Recorder()).row(0, 0, utf8(op), null, null, null, null, null, utf8("<urn:v>")));
        assertTrue(e.getMessage().contains(what), e.getMessage());
    }

    @Test
    void aPatchEndsWhereTheNumberOfTheNextOneComes() {
        Recorder found = new Recorder();
        ChangeRowSink sink = new ChangeRowSink(found);
        row(sink, -5, 7, "TX");
        row(sink, -5, 8, "TC");
        row(sink, 3, 0, "TX");
        row(sink, 3, ChangeRowSink.NO_ROW, "TC");
        row(sink, 4, ChangeRowSink.NO_ROW, "TX");
        row(sink, 4, ChangeRowSink.NO_ROW, "TC");
        assertEquals(List.of("TX", "TC", "---", "TX", "TC", "---", "TX", "TC"), found.lines);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 5, 1, 4, rows are out of order: patch 1; row 4 after patch 1; row 5",
        "1, 5, 0, 9, rows are out of order: patch 0; row 9 after patch 1; row 5",
        "1, 5, 1, 5, two rows have patch 1; row 5",
        "1, -1, 0, -1, rows are out of order: patch 0 after patch 1;"
    })
    void rowsComeInTheOrderOfTheirNumbersEachOnce(long patch, long row, long nextPatch, long nextRow, String message) {
        Recorder found = new Recorder();
        ChangeRowSink sink = new ChangeRowSink(found);
        row(sink, patch, row, "TX");
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> row(sink, nextPatch, nextRow, "TC"));
        assertTrue(e.getMessage().replace(",", ";").startsWith(message), e.getMessage());
        assertEquals(List.of("TX"), found.lines);
        assertEquals(patch == nextPatch && row == nextRow, e instanceof ChangeRowSink.SamePlaceException);
    }
}
