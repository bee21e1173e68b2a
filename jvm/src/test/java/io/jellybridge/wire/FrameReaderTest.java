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
        "00, 0",
        "0000, 0+0",
        "000000, 0+0+0",
        "020A00, 2",
        "0A020A00, 4"
    })
    void theFirstThreeBytesTellABareFrameFromDelimitedOnes(String hex, String sizes) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        List<String> found = new ArrayList<>();
        try (FrameReader frames = new FrameReader(new ByteArrayInputStream(bytes), 1000)) {
            while (frames.next()) {
                found.add(Integer.toString(frames.end() - frames.start()));
            }
        }
        assertEquals(sizes, String.join("+", found));
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
            head.varint(frame.length);
            head.writeTo(out);
            out.write(frame);
        }
        InputStream slow = new ByteArrayInputStream(out.toByteArray()) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, atATime));
            }
        };
        long offset = 0;
        try (FrameReader reader = new FrameReader(slow, 1 << 20)) {
            for (byte[] frame : frames) {
                assertTrue(reader.next());
                assertArrayEquals(frame, Arrays.copyOfRange(reader.bytes(), reader.start(), reader.end()));
                offset += frame.length < 128 ? 1 : frame.length < 1 << 14 ? 2 : 3;
                assertEquals(offset, reader.offset(reader.start()));
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
