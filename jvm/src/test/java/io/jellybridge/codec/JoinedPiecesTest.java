package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.codec.JoinedPatches.Piece;
import io.jellybridge.text.EventLines;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams that were cut into pieces anywhere, and are read as one. */
class JoinedPiecesTest {
    private static final String TEXT = """
            H id <urn:uuid:00000000-0000-4000-8000-000000000001> .
            TX .
            A <urn:s> <urn:p> "a" .
            PA "p" <urn:p:> .
            D <urn:s> <urn:p> "b" .
            TC .
            Z .
            Z .
            A <urn:s> <urn:p> "c" <urn:g> .
            TX .
            TA .
            Z .
            TX .
            A _:x <urn:p> "d" .
            A _:x <urn:p> "e" .
            TC .
            Z .
            """;

    private static PatchSource<byte[]> text(String text) {
        return new RdfPatchReader<>(new ByteArrayInputStream(text.getBytes(UTF_8)), "test", new Utf8Terms(),
                RdfPatchReadOptions.DEFAULT);
    }

    private static String lines(PatchSource<byte[]> source) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PatchHandler<byte[]> lines = EventLines.ofPatches(out, new Utf8Terms(), () -> true);
        try (source) {
            while (source.next(lines)) {
                ChangeCounter numbers = source.numbers();
                out.writeBytes((" " + numbers.patch() + " " + numbers.tx() + " " + numbers.row() + " ").getBytes(UTF_8));
            }
        }
        return out.toString(UTF_8);
    }

    /** The pieces between the cuts, each an event of the text. */
    private static Patches pieces(int... cuts) throws IOException {
        List<Piece> pieces = new ArrayList<>();
        try (PatchSource<byte[]> source = text(TEXT)) {
            boolean more = true;
            int event = 0;
            for (int cut = 0; more && cut <= cuts.length; cut++) {
                int end = cut < cuts.length ? cuts[cut] : Integer.MAX_VALUE;
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                PatchWriter<byte[]> writer = new PatchWriter<>(bytes, null, new Utf8Terms(), PatchOptions.DEFAULT,
                        WriteOptions.DEFAULT.ofPiece());
                while (event < end && (more = source.next(writer))) {
                    event++;
                }
                long ends = writer.patches();
                writer.close();
                pieces.add(new Piece(file(bytes.toByteArray()), ends));
            }
        }
        return JoinedPatches.ofPieces(pieces);
    }

    private static Patches file(byte[] bytes) {
        return new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) {
                return new PatchReader<>(new ByteArrayInputStream(bytes), "piece", terms, ReadOptions.DEFAULT.ofPiece());
            }
        };
    }

    @Test
    void whereverTheyAreCutTheEventsAndTheirNumbersAreThoseOfTheWhole() throws IOException {
        String whole = lines(text(TEXT));
        int events = TEXT.split("\n").length;
        for (int first = 0; first <= events; first++) {
            for (int second = first; second <= events; second++) {
                PatchSource<byte[]> joined = pieces(first, second).open(new Utf8Terms());
                joined.requireBalance();
                assertEquals(whole, lines(joined), first + " " + second);
            }
        }
    }

    @Test
    void whatIsUnbalancedInAllIsRefused() throws IOException {
        PatchSource<byte[]> cut = pieces(3).open(new Utf8Terms());
        assertEquals(lines(text(TEXT)), lines(cut));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> writer = new PatchWriter<>(bytes, null, new Utf8Terms(), PatchOptions.DEFAULT,
                WriteOptions.DEFAULT.ofPiece())) {
            writer.transaction(Op.TX);
        }
        for (long ends : new long[] {0, 1}) {
            PatchSource<byte[]> open = JoinedPatches.ofPieces(List.of(new Piece(file(bytes.toByteArray()), ends)))
                    .open(new Utf8Terms());
            open.requireBalance();
            assertThrows(FormatException.class, () -> open.readAll(new PatchAdapter<>()), "ends " + ends);
        }
    }

    @Test
    void aWholeStreamThatEndsWithinATransactionIsRefusedStill() throws IOException {
        PatchWriter<byte[]> writer = new PatchWriter<>(new ByteArrayOutputStream(), null, new Utf8Terms(), PatchOptions.DEFAULT,
                WriteOptions.DEFAULT);
        writer.transaction(Op.TX);
        assertThrows(FormatException.class, writer::close);
    }
}
