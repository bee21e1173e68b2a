package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.files.Compression;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;

/** Content that is compressed by bzip2 is read whole, or not at all. */
class Bzip2Test {
    private static final String TEXT = "<urn:s> <urn:p> \"some text\" .\n".repeat(30);

    private static byte[] compressed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (BZip2CompressorOutputStream out = new BZip2CompressorOutputStream(bytes, 1)) {
            out.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static String read(byte[] data) throws IOException {
        try (var in = CompressedStreams.decompress(Compression.BZIP2, new ByteArrayInputStream(data), "a.nt.bz2")) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void streamsInARowAreOneContent() throws IOException {
        assertEquals(TEXT, read(compressed(TEXT)));
        assertEquals("", read(compressed("")));
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(compressed(TEXT));
        joined.writeBytes(compressed("more"));
        assertEquals(TEXT + "more", read(joined.toByteArray()));
    }

    @Test
    void aCutIsNeverTakenForTheEnd() throws IOException {
        byte[] data = compressed(TEXT);
        for (int length = 0; length < data.length; length++) {
            byte[] cut = Arrays.copyOf(data, length);
            String message = assertThrows(IOException.class, () -> read(cut)).getMessage();
            assertEquals("a.nt.bz2: the compressed data ends too early; the file was cut off", message, "cut to " + length);
        }
    }

    @Test
    void damageIsAnErrorThatNamesTheFile() throws IOException {
        byte[] data = compressed(TEXT);
        for (int at = 0; at < data.length; at++) {
            byte[] damaged = data.clone();
            damaged[at] ^= 0x10;
            try {
                assertEquals(TEXT, read(damaged));
            } catch (IOException e) {
                assertTrue(e.getMessage().startsWith("a.nt.bz2: the compressed data "), e.getMessage());
            }
        }
        byte[] garbage = Arrays.copyOf(data, data.length + 5);
        assertTrue(assertThrows(IOException.class, () -> read(garbage)).getMessage().contains("is damaged"));
        assertTrue(assertThrows(IOException.class, () -> read("<?xml version='1.0'?>".getBytes(UTF_8))).getMessage()
                .contains("is not bzip2, it looks like XML; take .bz2 off its name"));
    }

    @Test
    void whatCanNotBeReadIsNoDamage() {
        FilterInputStream stopped = new FilterInputStream(new ByteArrayInputStream(new byte[0])) {
            private int reads;

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (reads++ == 0) {
                    System.arraycopy("BZh9".getBytes(UTF_8), 0, bytes, offset, 4);
                    return 4;
                }
                throw new InterruptedIOException("cancelled");
            }
        };
        assertThrows(InterruptedIOException.class, () -> {
            try (var in = CompressedStreams.decompress(Compression.BZIP2, stopped, "a")) {
                in.readAllBytes();
            }
        });
    }
}
