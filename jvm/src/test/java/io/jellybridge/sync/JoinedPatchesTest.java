package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JoinedPatchesTest {
    private final List<String> happened = new ArrayList<>();

    /** A part that says when it is opened and closed. */
    private Patches part(String name, String... lines) {
        return new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) {
                happened.add("open " + name);
                PatchSource<T> source = TextBatch.of(lines).open(terms);
                return new ForwardingSource<T, T>() {
                    @Override
                    public PatchSource<T> source() {
                        return source;
                    }

                    @Override
                    public boolean next(PatchHandler<T> handler) throws IOException {
                        return source.next(handler);
                    }

                    @Override
                    public void close() throws IOException {
                        happened.add("close " + name);
                        source.close();
                    }
                };
            }
        };
    }

    private static PatchSource<byte[]> open(Patches... parts) throws IOException {
        return JoinedPatches.of(List.of(parts)).open(new Utf8Terms());
    }

    @Test
    void onePartIsOpenAtATimeAndTheNumbersGoOn() throws IOException {
        try (PatchSource<byte[]> joined = open(part("a", "A <urn:s> <urn:p> 1 .", "Z .", "A <urn:s> <urn:p> 2 ."),
                part("empty"), part("b", "TX .", "TC ."))) {
            joined.readAll(new PatchAdapter<>());
            assertEquals(List.of(3L, 3L, 0L),
                    List.of(joined.numbers().patches(), joined.numbers().row(), joined.numbers().tx() + 1));
        }
        assertEquals(Stream.of("a", "empty", "b").flatMap(name -> Stream.of("open " + name, "close " + name)).toList(),
                happened);
    }

    @Test
    void whatIsOpenWhenTheReadingEndsIsClosed() throws IOException {
        PatchSource<byte[]> joined = open(part("a", "A <urn:s> <urn:p> 1 ."), part("b"));
        assertTrue(joined.next(new PatchAdapter<>()));
        joined.close();
        joined.close();
        assertEquals(List.of("open a", "close a"), happened);
    }

    @Test
    void anErrorHasThePlaceInItsPart() throws IOException {
        try (PatchSource<byte[]> joined =
                open(part("a", "A <urn:s> <urn:p> 1 .", "Z ."), part("b", "Z .", "TX .", "TX ."))) {
            joined.requireBalance();
            FormatException refused = assertThrows(FormatException.class, () -> joined.readAll(new PatchAdapter<>()));
            assertEquals(3, refused.line());
            assertEquals(3, joined.newError("rule", "found", "advice").line());
        }
        assertEquals("close b", happened.get(happened.size() - 1));
    }
}
