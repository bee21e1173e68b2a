package io.jellybridge.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {

    /** The lines of the table in {@link FrameReader}'s documentation: the first bytes, and the frames in the stream. */
    @ParameterizedTest
    @CsvSource({
        "0A0A0A0803120308041A0101, 12",
        "0A0A0808011002480878010001AA, 10+0+1",
        "0A0C0A0A080210025840480878010A, 15",
        "0A0A0A, 3",
        "0A00, 2",
        "00, 0",
        "0000, 0+0",
        "000000, 0+0+0",
        "020A00, 2",
        "0A020A00, 4"
    })
    void theFirstThreeBytesTellABareFrameFromDelimitedOnes(String hex, String sizes) throws IOException {
        for (int atATime = 1; atATime <= 3; atATime++) {
            List<String> found = new ArrayList<>();
            try (FrameReader frames = new FrameReader(slow(HexFormat.of().parseHex(hex), atATime), 1000)) {
                while (frames.next()) {
                    found.add(Integer.toString(frames.end() - frames.start()));
                }
            }
            assertEquals(sizes, String.join("+", found), atATime + " bytes at a time");
        }
    }

    private static InputStream slow(byte[] bytes, int atATime) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, atATime));
            }
        };
    }

    private static FrameReader over(int maxFrameBytes, byte[]... frames) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            WireWriter head = new WireWriter(10);
            head.writeVarint(frame.length);
            head.writeTo(out);
            out.write(frame);
        }
        return new FrameReader(new ByteArrayInputStream(out.toByteArray()), maxFrameBytes);
    }

    @Test
    void anEmptyStreamHasNoFrames() throws IOException {
        assertFalse(new FrameReader(InputStream.nullInputStream(), 10).next());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1000})
    void framesAreTheSameHoweverFewBytesAReadBrings(int atATime) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<byte[]> frames = List.of(new byte[0], filled(1), filled(127), filled(128), filled(100_000), filled(3));
        for (byte[] frame : frames) {
            WireWriter head = new WireWriter(10);
            head.writeVarint(frame.length);
            head.writeTo(out);
            out.write(frame);
        }
        long offset = 0;
        try (FrameReader reader = new FrameReader(slow(out.toByteArray(), atATime), 1 << 20)) {
            for (byte[] frame : frames) {
                assertTrue(reader.next());
                assertArrayEquals(frame, Arrays.copyOfRange(reader.bytes(), reader.start(), reader.end()));
                offset += frame.length < 128 ? 1 : frame.length < 1 << 14 ? 2 : 3;
                assertEquals(offset, reader.offsetOf(reader.start()));
                offset += frame.length;
            }
            assertFalse(reader.next());
            assertFalse(reader.next());
        }
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) length);
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        "05AABB, within a frame, ends 3 bytes before the end of a frame of 5 bytes",
        "80, within a length, ends within the length of a frame",
        "80808080808080808080, an endless length, takes more than ten bytes",
        "FFFFFFFFFFFFFFFFFF01, the largest number, a frame of 18446744073709551615 bytes above the limit of 1000",
        "E907, 1001 bytes where 1000 are allowed, a frame of 1001 bytes above the limit of 1000"
    })
    void aStreamThatIsNoSeriesOfFramesIsAnError(String hex, String what, String message) {
        FrameReader frames = new FrameReader(new ByteArrayInputStream(HexFormat.of().parseHex(hex)), 1000);
        WireException e = assertThrows(WireException.class, frames::next, what);
        assertTrue(e.getMessage().replace(",", "").contains(message), e.getMessage());
    }

    @Test
    void aBareFrameAboveTheLimitIsAnError() {
        byte[] bare = new byte[2000];
        bare[0] = 0x0A;
        bare[1] = 0x7F;
        WireException e = assertThrows(WireException.class, new FrameReader(new ByteArrayInputStream(bare), 1000)::next);
        assertTrue(e.getMessage().contains("1000"), e.getMessage());
    }

    /** Frames of the limit are taken, and of one byte more refused as too large, not as damaged. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLimitItselfIsAllowed(boolean bare) throws IOException {
        byte[] bytes = new byte[1002];
        bytes[0] = (byte) (bare ? 0x0A : 0xE8);
        bytes[1] = (byte) (bare ? 0x7F : 0x07);
        int size = bare ? 1000 : 1002;
        FrameReader frames = new FrameReader(new ByteArrayInputStream(bytes, 0, size), 1000);
        assertTrue(frames.next());
        assertEquals(1000, frames.end() - frames.start());
        assertFalse(frames.next());
        FrameReader small = new FrameReader(new ByteArrayInputStream(bytes, 0, size), 999);
        assertTrue(assertThrows(WireException.class, small::next).aboveLimit());
    }

    @ParameterizedTest
    @ValueSource(ints = {65_535, 65_536, 65_537, 131_072, 200_000})
    void aBareFrameOfAnySizeIsReadWhole(int size) throws IOException {
        byte[] bytes = filled(size);
        bytes[0] = 0x0A;
        bytes[1] = 0x7F;
        try (FrameReader frames = new FrameReader(new ByteArrayInputStream(bytes), size)) {
            assertTrue(frames.next());
            assertArrayEquals(bytes, Arrays.copyOfRange(frames.bytes(), frames.start(), frames.end()));
            assertFalse(frames.next());
            assertEquals(frames.start(), frames.end());
        }
    }

    /** Or reading would look for room for ever. */
    @Test
    void aFrameThatNoArrayHoldsIsAboveAnyLimit() {
        byte[] head = HexFormat.of().parseHex("FFFFFFFF07");
        WireException e = assertThrows(WireException.class,
                new FrameReader(new ByteArrayInputStream(head), Integer.MAX_VALUE)::next);
        assertTrue(e.aboveLimit() && e.getMessage().contains("2147483647"), e.getMessage());
    }

    @Test
    void piecesArePutTogetherBehindTheFrameAndTheNextFrameIsAsItWas() throws IOException {
        byte[] first = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        try (FrameReader reader = over(30, first, first)) {
            reader.next();
            int at = reader.start();
            int two = reader.join(at + 1, at + 3, at + 6, at + 8);
            check(reader, two, 1, 2, 6, 7);
            assertEquals(two, reader.join(two, two + 4, at + 8, at + 9), "made longer where it is");
            check(reader, two, 1, 2, 6, 7, 8);
            int others = reader.join(at, at + 1, at + 4, at + 7);
            check(reader, others, 0, 4, 5, 6);
            int again = reader.join(two, two + 5, at + 9, at + 11);
            check(reader, again, 1, 2, 6, 7, 8, 9, 10);
            check(reader, others, 0, 4, 5, 6);
            check(reader, two, 1, 2, 6, 7, 8);
            for (int i = 0; i < 2; i++) {
                assertArrayEquals(first, Arrays.copyOfRange(reader.bytes(), reader.start(), reader.end()));
                assertEquals(i == 0, reader.next());
            }
        }
    }

    private static void check(FrameReader reader, int start, int... expected) {
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], reader.bytes()[start + i], "byte " + i);
        }
    }

    @Test
    void piecesThatTakeMoreThanAFrameTogetherAreRefused() throws IOException {
        try (FrameReader reader = over(9, filled(9), filled(8))) {
            reader.next();
            int at = reader.start();
            int copy = reader.join(at, at + 4, at + 4, at + 8);
            WireException e = assertThrows(WireException.class, () -> reader.join(copy, copy + 8, at + 1, at + 3));
            assertTrue(e.aboveLimit() && e.getMessage().contains("more than 9 bytes"), e.getMessage());
            assertEquals(at + 1, e.position());
            assertEquals(copy, reader.join(copy, copy + 8, at + 1, at + 2), "the limit itself");
            assertThrows(WireException.class, () -> reader.join(at, at + 1, at + 1, at + 2));
            reader.next();
            int next = reader.start();
            reader.join(next, next + 8, next, next + 1); // each frame has room of its own
        }
    }

    /** Where the buffer is full. */
    @Test
    void piecesOfALargeFrameArePutTogetherInALargerBuffer() throws IOException {
        byte[] frame = new byte[60_000];
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (byte) (i * 31 >>> 3);
        }
        try (FrameReader reader = over(1 << 20, frame)) {
            reader.next();
            int at = reader.start();
            int copy = reader.join(at + 20_000, at + 40_000, at + 40_000, at + 60_000);
            assertArrayEquals(Arrays.copyOfRange(frame, 20_000, 60_000),
                    Arrays.copyOfRange(reader.bytes(), copy, copy + 40_000));
            assertArrayEquals(frame, Arrays.copyOfRange(reader.bytes(), reader.start(), reader.end()));
        }
    }

    @Test
    void theStreamsFirstBytesAreThereUntilTheBufferMovesOn() throws IOException {
        try (FrameReader reader = over(100_000, filled(9), filled(70_000))) {
            assertEquals(0, reader.headBytes());
            reader.next();
            assertTrue(reader.headBytes() >= 10, reader.headBytes() + " bytes");
            reader.next();
            assertEquals(0, reader.headBytes());
        }
        FrameReader inTheMiddle = new FrameReader(new ByteArrayInputStream(new byte[] {1, 2}), 10, 5);
        inTheMiddle.next();
        assertEquals(0, inTheMiddle.headBytes());
    }

    @Test
    void closingClosesTheStream() throws IOException {
        boolean[] closed = {false};
        new FrameReader(new ByteArrayInputStream(new byte[0]) {
            @Override
            public void close() {
                closed[0] = true;
            }
        }, 10).close();
        assertTrue(closed[0]);
    }
}
