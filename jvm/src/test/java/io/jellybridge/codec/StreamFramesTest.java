package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are joined, told apart without reading them. */
class StreamFramesTest {
    private static final byte[][] FILES = {file(1), file(2), file(3), file(4)};

    private static byte[] file(long seed) {
        return StreamSplitTest.randomFile(seed, StreamType.PUNCTUATED, StreamSplitTest.SMALL_PARTS);
    }

    /** @param atATime how many bytes a read brings at the most */
    private static InputStream in(byte[] bytes, int atATime) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] to, int from, int length) {
                return super.read(to, from, Math.min(length, atATime));
            }
        };
    }

    @Test
    void eachFileBeginsWhereTheOneBeforeEnds() throws IOException {
        byte[] joined = StreamSplitTest.join(FILES);
        List<Long> begins = new ArrayList<>();
        long before = 0;
        int frames = 0;
        try (StreamFrames found = new StreamFrames(in(joined, Integer.MAX_VALUE))) {
            assertEquals(0, found.end());
            for (; found.next(); before = found.end()) {
                frames++;
                assertEquals(StreamSplitTest.frameEnd(joined, (int) before), found.end());
                if (found.beginsStream()) {
                    begins.add(before);
                }
            }
        }
        assertEquals(joined.length, before);
        assertTrue(frames > 4 * FILES.length);
        List<Long> expected = new ArrayList<>(List.of(0L));
        for (byte[] file : Arrays.copyOf(FILES, FILES.length - 1)) {
            expected.add(expected.get(expected.size() - 1) + file.length);
        }
        assertEquals(expected, begins);
    }

    @Test
    void aFrameThatIsCutOffIsNone() throws IOException {
        byte[] file = FILES[0];
        int first = StreamSplitTest.frameEnd(file, 0);
        for (int length = first; length < StreamSplitTest.frameEnd(file, first); length++) {
            try (StreamFrames found = new StreamFrames(in(Arrays.copyOf(file, length), Integer.MAX_VALUE))) {
                assertTrue(found.next());
                assertFalse(found.next(), length + " bytes");
                assertEquals(first, found.end());
            }
        }
    }

    /** By these a crash, which cuts one patch off, is told from other damage. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 38, 39, 40, 1000, Integer.MAX_VALUE})
    void beginningsOfFilesAreCountedHoweverFewBytesAReadBringsAndWhateverStandsBetween(int atATime) throws IOException {
        for (int between : new int[] {0, 5, (1 << 16) - 40, 1 << 17}) {
            byte[] damage = new byte[between];
            Arrays.fill(damage, Restart.FIRST_BYTE);
            byte[] joined = StreamSplitTest.join(damage, FILES[0], damage, FILES[1], damage, FILES[2],
                    Arrays.copyOf(FILES[3], Restart.FIRST_BYTES + 4));
            assertEquals(4, StreamFrames.countBeginnings(in(joined, atATime)), between + " bytes between");
            assertEquals(0, StreamFrames.countBeginnings(in(damage, atATime)));
        }
        assertEquals(1, StreamFrames.countBeginnings(in(FILES[0], atATime)), "the restart points behind are no beginnings");
    }
}
