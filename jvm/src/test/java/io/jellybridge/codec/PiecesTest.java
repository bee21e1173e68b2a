package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.wire.WireWriter;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that come in pieces, many and broken ones; that few are put together right, the vectors of P-01 and R-01 say. */
class PiecesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int SUBJECT_IRI = 1;
    private static final int OBJECT_IRI = 9;
    private static final byte[] NAME_1 = {0x10, 1};

    /** A stream of one name and a statement of it, whose pieces come first. */
    private static byte[] stream(Consumer<WireWriter> pieces) {
        WireWriter frame = new WireWriter(64);
        row(frame, 1, options -> {
            for (int[] field : new int[][] {{1, 1}, {2, 2}, {9, 8}, {15, 1}}) {
                options.varintField(field[0], field[1]);
            }
        });
        row(frame, 11, name -> name.bytesField(2, Streams.utf8("urn:x"), 0, 5));
        row(frame, 2, statement -> {
            pieces.accept(statement);
            for (int position = SUBJECT_IRI; position <= OBJECT_IRI; position += 4) {
                statement.bytesField(position, NAME_1, 0, 2);
            }
        });
        return Streams.delimited(frame);
    }

    private static void row(WireWriter frame, int kind, Consumer<WireWriter> message) {
        int row = frame.beginMessage(1);
        int only = frame.beginMessage(kind);
        message.accept(frame);
        frame.endMessage(only);
        frame.endMessage(row);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 1_000_000})
    void aMessageInAnyNumberOfPiecesIsReadInTheTimeOfItsBytes(int pieces) {
        byte[] bytes = stream(statement -> {
            for (int i = 0; i < pieces; i++) {
                statement.bytesField(SUBJECT_IRI, NAME_1, 0, 2);
            }
        });
        for (ReadOptions options : List.of(ReadOptions.DEFAULT, ReadOptions.STRICT)) {
            assertTimeoutPreemptively(LIMIT, () ->
                    assertEquals(List.of("A <urn:x> <urn:x> <urn:x> null", "---"), Streams.read(bytes, options)));
        }
    }

    @Test
    void piecesThatTakeMoreThanAFrameWhenTheyArePutTogetherAreRefused() {
        byte[] bytes = stream(statement -> {
            for (int i = 0; i < 100_000; i++) {
                statement.bytesField(i % 2 == 0 ? SUBJECT_IRI : OBJECT_IRI, NAME_1, 0, 2);
            }
        });
        FormatException e = assertTimeoutPreemptively(LIMIT, () ->
                assertThrows(FormatException.class, () -> Streams.read(bytes, ReadOptions.DEFAULT)));
        assertEquals("P-126", e.rule());
        assertTrue(e.getMessage().contains("maxFrameBytes") && e.offset() <= bytes.length, e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1080", "0a05", "07"})
    void aPieceThatIsNoMessageIsAnErrorAtItsPlaceAlsoWhereBothTogetherAreOne(String broken) {
        byte[] piece = HexFormat.of().parseHex(broken);
        for (boolean first : new boolean[] {true, false}) {
            byte[] bytes = stream(statement -> {
                statement.bytesField(SUBJECT_IRI, first ? piece : NAME_1, 0, first ? piece.length : 2);
                statement.bytesField(SUBJECT_IRI, first ? new byte[] {0x01} : piece, 0, first ? 1 : piece.length);
            });
            FormatException e =
                    assertThrows(FormatException.class, () -> Streams.read(bytes, ReadOptions.DEFAULT));
            assertEquals("P-125", e.rule());
            assertTrue(e.offset() <= bytes.length && e.row() == 2, e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void twoStatementsInOneRowAreOneStatementOfTheTermsOfBoth(boolean strict) {
        byte[] bytes = HexFormat.of().parseHex("3e0a0a0a0808011002480878010a0e5a0c120a687474703a2f2f652f700a0e120c120273302a"
                + "02100152026f300a10120612044e455773120652044e45576f");
        assertEquals(List.of("A _:s0 <http://e/p> _:o0 null", "A _:NEWs <http://e/p> _:NEWo null", "---"),
                Streams.read(bytes, ReadOptions.DEFAULT.withStrict(strict)));
    }
}
