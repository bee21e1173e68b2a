package io.jellybridge.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.wire.Utf8;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CheckedUtf8InputStreamTest {

    /** Reads as many bytes at a time as the random numbers say. */
    private static byte[] read(byte[] text, Random random) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (CheckedUtf8InputStream in = new CheckedUtf8InputStream(new ByteArrayInputStream(text), "save the text as UTF-8")) {
            byte[] some = new byte[9];
            while (true) {
                int count = in.read(some, 1, 1 + random.nextInt(8));
                if (count < 0) {
                    return all.toByteArray();
                }
                all.write(some, 1, count);
            }
        }
    }

    private static byte[] randomText(Random random) {
        int[] starts = {' ', 'z', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
        StringBuilder text = new StringBuilder();
        for (int count = random.nextInt(20); count > 0; count--) {
            text.appendCodePoint(starts[random.nextInt(starts.length)]);
        }
        return text.toString().getBytes(UTF_8);
    }

    @Test
    void whatIsUtf8ComesOutHoweverItIsRead() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] text = randomText(random);
            assertArrayEquals(text, read(text, random));
        }
    }

    @Test
    void theFirstByteThatIsNotUtf8IsNamed() throws IOException {
        Random random = new Random(2);
        for (int i = 0; i < 40_000; i++) {
            byte[] text = randomText(random);
            if (text.length > 0 && i % 2 == 0) {
                text[random.nextInt(text.length)] = (byte) random.nextInt();
            } else {
                text = Arrays.copyOf(text, text.length == 0 ? 0 : text.length - 1);
            }
            byte[] damaged = text;
            int invalid = Utf8.firstInvalid(damaged, 0, damaged.length);
            if (invalid < 0) {
                assertArrayEquals(damaged, read(damaged, random));
            } else {
                assertEquals("byte " + invalid + " is not UTF-8; save the text as UTF-8",
                        assertThrows(IOException.class, () -> read(damaged, random)).getMessage());
            }
        }
    }
}
