package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AbortedBlocksTest {
    /** The options of a FLAT stream of triples, as a row of a frame. */
    private static final String OPTIONS = "0A0A0A080801100248087801";
    private static final String TX = "0A023200";
    private static final String TC = "0A023A00";
    private static final String TA = "0A024200";

    /** Which transactions of one frame, by their numbers, are aborted; -1 is asked for too. */
    private static List<Long> aborted(String... rows) throws IOException {
        byte[] frame = HexFormat.of().parseHex(OPTIONS + String.join("", rows));
        try (PatchSource<byte[]> source =
                new PatchReader<>(new ByteArrayInputStream(frame), "test", new Utf8Terms(), ReadOptions.DEFAULT)) {
            AbortedBlocks<byte[]> blocks = new AbortedBlocks<>();
            source.readAll(blocks);
            return LongStream.range(-1, 10).filter(blocks::contains).boxed().toList();
        }
    }

    @Test
    void theBlocksThatEndWithTaAreFoundByTheirNumbers() throws IOException {
        assertEquals(List.of(0L, 2L), aborted(TX, TA, TX, TC, TX, TA));
    }

    /** A tolerant reader hands such a row over. */
    @Test
    void aTaOutsideOfATransactionAbortsNothing() throws IOException {
        assertEquals(List.of(), aborted(TA, TX, TC, TA));
    }
}
