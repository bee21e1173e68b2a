package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import io.jellybridge.convert.CompressedStreams;
import io.jellybridge.files.Compression;
import io.jellybridge.files.ConcatenatedGzipInputStream;
import io.jellybridge.files.ZstdFrames;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed streams: whole ones are read to their end, and no damaged one is taken for a whole one. */
class CompressedDataTest {
    private static final byte[] CONTENT = content();
    private static final byte[] MEMBER = gzip(CONTENT);
    private static final byte[] FRAME = zstd(CONTENT, true);

    private static byte[] content() {
        byte[] bytes = new byte[200_000];
        new Random(1).nextBytes(bytes);
        Arrays.fill(bytes, 50_000, 150_000, (byte) 'x');
        return bytes;
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] zstd(byte[] content, boolean checksum) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new ZstdOutputStream(bytes).setChecksum(checksum)) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    private static byte[] inflate(byte[] bytes) throws IOException {
        try (InputStream in = ConcatenatedGzipInputStream.open(new Dribble(bytes), "in.gz")) {
            return in.readAllBytes();
        }
    }

    private static byte[] frames(byte[] bytes) throws IOException {
        try (InputStream in = new ZstdFrames(new Dribble(bytes), "in.zst", 8 << 20)) {
            return in.readAllBytes();
        }
    }

    /** Hands over a few bytes at once, and says that none are available, as a slow pipe does. */
    private static class Dribble extends ByteArrayInputStream {

        Dribble(byte[] bytes) {
            super(bytes);
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int length) {
            return super.read(bytes, offset, Math.min(length, 7));
        }

        @Override
        public synchronized int available() {
            return 0;
        }
    }

    @Test
    void membersAreReadToTheEndWithPaddingOrWithout() throws IOException {
        assertArrayEquals(CONTENT, inflate(MEMBER));
        assertArrayEquals(join(CONTENT, CONTENT), inflate(join(MEMBER, MEMBER)));
        assertArrayEquals(join(CONTENT, CONTENT), inflate(join(MEMBER, gzip(new byte[0]), MEMBER, new byte[512])));
        assertArrayEquals(join(CONTENT, CONTENT), inflate(join(MEMBER, new byte[3], MEMBER)));
    }

    @Test
    void everyFieldOfAHeaderIsRead() throws IOException {
        byte[] header = {0x1F, (byte) 0x8B, 8, 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 3, 2, 0, 'e', 'x', 'n', 0, 'c', 'o', 0};
        CRC32 checksum = new CRC32();
        checksum.update(header);
        byte[] twoBytes = {(byte) checksum.getValue(), (byte) (checksum.getValue() >>> 8)};
        byte[] body = Arrays.copyOfRange(MEMBER, 10, MEMBER.length);
        assertArrayEquals(CONTENT, inflate(join(header, twoBytes, body)));
        twoBytes[0]++;
        assertTrue(assertThrows(IOException.class, () -> inflate(join(header, twoBytes, body))).getMessage()
                .contains("the checksum of a header is wrong"));
    }

    /** Its length is of two bytes, and what it holds may be anything. */
    @Test
    void anExtraFieldOfAHeaderIsPassedOverWhateverItHolds() throws IOException {
        for (int length : new int[] {0, 1, 255, 256, 600}) {
            byte[] header = {0x1F, (byte) 0x8B, 8, 4 | 8, 0, 0, 0, 0, 0, 3, (byte) length, (byte) (length >>> 8)};
            byte[] name = {'n', 0};
            byte[] body = Arrays.copyOfRange(MEMBER, 10, MEMBER.length);
            assertArrayEquals(CONTENT, inflate(join(header, new byte[length], name, body)), length + " bytes");
        }
    }

    @Test
    void bothAreReadByteByByteTooAndCloseWhatTheyRead() throws IOException {
        byte[] content = {0, 1, -1, 127, -128, 0};
        boolean[] closed = new boolean[2];
        try (InputStream in = ConcatenatedGzipInputStream.open(closing(gzip(content), closed, 0), "in.gz")) {
            for (byte b : content) {
                assertEquals(b & 0xFF, in.read());
            }
            assertEquals(-1, in.read());
        }
        byte[] frame = zstd(content, true);
        try (InputStream in = new ZstdFrames(closing(frame, closed, 1), "in.zst", 8 << 20)) {
            for (byte b : frame) {
                assertEquals(b & 0xFF, in.read());
            }
            assertEquals(-1, in.read());
        }
        assertTrue(closed[0] && closed[1]);
    }

    private static InputStream closing(byte[] bytes, boolean[] closed, int which) {
        return new Dribble(bytes) {
            @Override
            public void close() {
                closed[which] = true;
            }
        };
    }

    @Test
    void aCutOrAnyWrongByteOfTheSecondMemberIsAnError() throws IOException {
        byte[] small = gzip("<urn:s> <urn:p> <urn:o> .\n".getBytes());
        byte[] two = join(small, small);
        for (int cut = 0; cut < two.length; cut++) {
            byte[] bytes = Arrays.copyOf(two, cut);
            if (cut != small.length) {
                assertEquals("in.gz: the compressed data ends too early; the file was cut off",
                        assertThrows(IOException.class, () -> inflate(bytes), "cut at " + cut).getMessage());
            }
        }
        int damaged = 0;
        for (int at = 0; at < two.length; at++) {
            int inMember = at % small.length;
            if (inMember >= 4 && inMember < 10) {
                continue; // a time and the like: any will do
            }
            byte[] bytes = two.clone();
            bytes[at] ^= 0x20;
            try {
                // The last bits before a trailer may be any.
                assertArrayEquals(inflate(two), inflate(bytes), "byte " + at);
            } catch (IOException e) {
                damaged++;
            }
        }
        assertTrue(damaged >= two.length - 2 * 6 - 2, damaged + " of " + two.length);
        for (String garbage : new String[] {"x", "hello", "\037", "\037\213", "\0\0x"}) {
            byte[] bytes = join(small, garbage.getBytes(ISO_8859_1));
            assertThrows(IOException.class, () -> inflate(bytes), garbage);
        }
        // What this class is for.
        assertEquals(26, new GZIPInputStream(new ByteArrayInputStream(join(small, "hello".getBytes()))).readAllBytes().length);
    }

    @Test
    void framesAreHandedOnAsTheyAreWithoutThoseToSkip() throws IOException {
        byte[] skipped = {0x5F, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3};
        byte[] zeros = Zstd.compress(new byte[1_000_000]);
        assertArrayEquals(FRAME, frames(FRAME));
        assertArrayEquals(join(FRAME, zeros, FRAME), frames(join(skipped, FRAME, skipped, zeros, FRAME, skipped)));
        for (int size : new int[] {0, 1, 255, 256, 257, 65_791, 65_792, 200_000}) {
            byte[] sized = Zstd.compress(Arrays.copyOf(CONTENT, size));
            assertArrayEquals(join(sized, sized), frames(join(sized, sized)));
        }
    }

    /** A window without the size, the size of the content in two to eight bytes with it, and the id of a dictionary. */
    @Test
    void everyFormOfAFramesHeaderIsHandedOnAsItIs() throws IOException {
        byte[] block = {0x09, 0, 0, 'x'}; // the last one, raw, of one byte
        int[] idBytes = {0, 1, 2, 4};
        for (int descriptor = 0; descriptor < 256; descriptor++) {
            if ((descriptor & 0x1C) != 0) {
                continue; // bits that are reserved, and a checksum
            }
            boolean oneSegment = (descriptor & 0x20) != 0;
            int sizeBytes = 1 << (descriptor >>> 6);
            int fields = (oneSegment ? 0 : 1) + idBytes[descriptor & 3] + (sizeBytes > 1 || oneSegment ? sizeBytes : 0);
            byte[] start = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, (byte) descriptor};
            byte[] frame = join(start, new byte[fields], block);
            assertArrayEquals(join(frame, frame, FRAME), frames(join(frame, frame, FRAME)), "descriptor " + descriptor);
        }
    }

    @Test
    void aWindowThatTheLibraryDoesNotTakeIsNoDamage() throws IOException {
        byte[] frame = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, 13 << 3, 0x09, 0, 0, 'x'};
        try (InputStream in = CompressedStreams.decompress(Compression.ZSTD, new Dribble(frame), "in.zst")) {
            assertArrayEquals(new byte[] {'x'}, in.readAllBytes(), "8 MiB");
        }
        frame[5]++;
        assertEquals("in.zst: the compressed data has a window of 9 MiB, above the limit of 8 MiB; compress it without --long "
                + "and --ultra", assertThrows(IOException.class, () -> CompressedStreams.decompress(
                        Compression.ZSTD, new Dribble(frame), "in.zst").readAllBytes()).getMessage());
        frame[5] = (byte) (21 << 3 | 7);
        assertTrue(assertThrows(IOException.class, () -> frames(frame)).getMessage().contains("of 3840 MiB"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCutFrameOrWhatIsNoneIsAnError(boolean checksum) {
        byte[] small = zstd("<urn:s> <urn:p> <urn:o> .\n".repeat(20).getBytes(), checksum);
        byte[] two = join(small, small);
        for (int cut = 0; cut < two.length; cut++) {
            byte[] bytes = Arrays.copyOf(two, cut);
            if (cut != small.length) {
                assertEquals("in.zst: the compressed data ends too early; the file was cut off",
                        assertThrows(IOException.class, () -> frames(bytes), "cut at " + cut).getMessage());
            }
        }
        for (byte[] after : new byte[][] {{'x'}, {0}, new byte[4], "hello".getBytes(), {0x28, (byte) 0xB5, 0x2F}}) {
            assertThrows(IOException.class, () -> frames(join(small, after)));
        }
        byte[] cutSkipped = join(small, new byte[] {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2});
        assertThrows(IOException.class, () -> frames(cutSkipped));
    }

    @Test
    void whatHasTheWrongNameIsSaidToBeWhatItLooksLike() {
        assertEquals("in.gz: the compressed data is not gzip, it looks like Zstandard data; take .gz off its name, or "
                + "compress it",
                assertThrows(IOException.class, () -> inflate(FRAME)).getMessage());
        byte[] text = "<urn:s> <urn:p> <urn:o> .\n".getBytes();
        assertEquals("in.zst: the compressed data is not Zstandard, it looks like N-Quads or N-Triples; take .zst off its "
                + "name, or compress it", assertThrows(IOException.class, () -> frames(text)).getMessage());
    }
}
