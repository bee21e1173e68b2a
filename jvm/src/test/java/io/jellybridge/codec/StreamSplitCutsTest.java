package io.jellybridge.codec;

import static io.jellybridge.codec.StreamSplitTest.SMALL_PARTS;
import static io.jellybridge.codec.StreamSplitTest.frameEnd;
import static io.jellybridge.codec.StreamSplitTest.join;
import static io.jellybridge.codec.StreamSplitTest.randomFile;
import static io.jellybridge.codec.StreamSplitTest.read;
import static io.jellybridge.codec.StreamSplitTest.readInParts;
import static io.jellybridge.codec.StreamSplitTest.readWhole;
import static io.jellybridge.codec.StreamSplitTest.restarts;
import static io.jellybridge.codec.StreamSplitTest.setOffset;
import static io.jellybridge.codec.StreamSplitTest.withField;
import static io.jellybridge.codec.StreamSplitTest.withoutChecksums;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.wire.WireWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** As {@link StreamSplitTest}, with cuts all over a file. */
class StreamSplitCutsTest {

    /** Returns the number of bytes between two cuts: in {@code make test} a prime, so that cuts fall on all kinds of places. */
    int stride() {
        return 29;
    }

    @Test
    void cutsIntoTwoPartsAreRight() throws IOException {
        byte[] file = randomFile(3, StreamType.PUNCTUATED, SMALL_PARTS);
        List<String> whole = readWhole(file);
        int twoParts = 0;
        for (int cut = 0; cut <= file.length; cut += stride()) {
            List<String> second = read(file, cut, file.length);
            List<String> both = new ArrayList<>(read(file, 0, cut));
            both.addAll(second);
            assertEquals(whole, both, "cut at " + cut);
            twoParts += second.isEmpty() ? 0 : 1;
        }
        assertTrue(twoParts > file.length / stride() / 2, "most cuts leave something to the second part");
    }

    @Test
    void cutsOfAFileThatIsJoinedWithItselfAreRight() throws IOException {
        byte[] file = randomFile(1, StreamType.PUNCTUATED, SMALL_PARTS);
        byte[] twice = join(file, file);
        List<String> whole = readWhole(twice);
        assertEquals(2 * readWhole(file).size(), whole.size());
        for (int cut = 0; cut <= twice.length; cut += stride()) {
            assertEquals(whole, readInParts(twice, cut), "cut at " + cut);
        }
    }

    @Test
    void aFileThatWasCutOffFailsInItsLastPart() throws IOException {
        byte[] file = randomFile(5, StreamType.PUNCTUATED, SMALL_PARTS);
        List<String> whole = readWhole(file);
        for (int length = 1; length < file.length; length += stride()) {
            byte[] cut = Arrays.copyOf(file, length);
            try {
                List<String> lines = readInParts(cut, length / 2);
                assertEquals(whole.subList(0, lines.size()), lines, "cut at " + length);
                assertEquals(readWhole(cut), lines, "and so does the whole file: it ends with a patch");
            } catch (FormatException e) {
                assertThrows(FormatException.class, () -> readWhole(cut), "cut at " + length);
            }
        }
    }

    @Test
    void bytesThatLookLikeARestartPointGiveRightRowsOrAnError() throws IOException {
        byte[] file = withoutChecksums(randomFile(5, StreamType.PUNCTUATED, SMALL_PARTS));
        List<Integer> restarts = restarts(file);
        byte[] fake = Arrays.copyOfRange(file, restarts.get(1), restarts.get(2));
        // In a field that readers do not know, behind the last frame of a part.
        WireWriter field = new WireWriter(1024);
        field.bytesField(2000, fake, 0, fake.length);
        int at = restarts.get(4);
        byte[] spoofed = join(Arrays.copyOf(file, at), Streams.delimited(field), Arrays.copyOfRange(file, at, file.length));
        int errors = 0;
        int readings = 0;
        for (int cut = 0; cut <= spoofed.length; cut += stride()) {
            readings++;
            try {
                readInParts(spoofed, cut);
            } catch (FormatException e) {
                assertEquals("restart", e.rule());
                errors++;
            }
        }
        // The frame that was put in is one more than the restart points after it count: every reading ends there.
        assertEquals(readings, errors);

        // Within a frame; the fake and the restart points behind it say where they now are.
        int frame = frameEnd(file, restarts.get(4));
        while (restarts.contains(frame)) {
            frame = frameEnd(file, frame);
        }
        byte[] inFrame = withField(file, frame, field, false);
        int grown = inFrame.length - file.length;
        setOffset(inFrame, frameEnd(inFrame, frame) - fake.length);
        for (int restart : restarts) {
            if (restart > frame) {
                setOffset(inFrame, restart + grown);
            }
        }
        List<String> whole = readWhole(inFrame);
        int refused = 0;
        for (int cut = 0; cut <= inFrame.length; cut += stride()) {
            try {
                assertEquals(whole, readInParts(inFrame, cut), "cut at " + cut);
            } catch (FormatException e) {
                assertEquals("restart", e.rule());
                refused++;
            }
        }
        assertTrue(refused > 0 && refused < inFrame.length / stride() / 2, "only cuts just before the fake: " + refused);
    }
}
