package io.jellybridge.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {

    @Test
    void everyCodePointIsUtf8() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                byte[] bytes = ("padding-" + Character.toString(codePoint)).getBytes(UTF_8);
                assertEquals(-1, Utf8.firstInvalid(bytes, 0, bytes.length));
                int cutOff = Utf8.firstInvalid(bytes, 0, bytes.length - 1);
                assertEquals(codePoint < 0x80 ? -1 : 8, cutOff, "a character whose last byte is missing");
            }
        }
    }

    @Test
    void randomBytesAreJudgedAsTheJdkJudgesThem() {
        Random random = new Random(42);
        for (int i = 0; i < 300_000; i++) {
            byte[] bytes = new byte[random.nextInt(12)];
            for (int at = 0; at < bytes.length; at++) {
                // mostly bytes that begin or continue characters
                bytes[at] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : 0x80 | random.nextInt(0x80));
            }
            assertEquals(jdkAccepts(bytes), Utf8.firstInvalid(bytes, 0, bytes.length) < 0);
        }
    }

    private static boolean jdkAccepts(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
