package io.jellybridge.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void aByteThatIsNoUtf8IsFoundAtEveryPlaceOfEveryLength() {
        for (int each = 1; each <= 70; each++) {
            int length = each;
            for (int bad = 0; bad < length; bad++) {
                byte[] bytes = new byte[length + 20];
                Arrays.fill(bytes, (byte) 'x');
                bytes[9] = (byte) 0xFF; // before the string
                bytes[10 + length] = (byte) 0xFF; // behind it
                assertEquals(-1, Utf8.firstInvalid(bytes, 10, length));
                bytes[10 + bad] = (byte) 0xFF;
                assertEquals(10 + bad, Utf8.firstInvalid(bytes, 10, length));
                WireException error = assertThrows(WireException.class, () -> Utf8.check(bytes, 10, length));
                assertEquals(10 + bad, error.position());
            }
        }
        Utf8.check("é".getBytes(UTF_8), 0, 2);
    }

    /** The last and the first sequences on the two sides of what Unicode has. */
    @ParameterizedTest
    @CsvSource({"C1BF, C280", "E09FBF, E0A080", "EDA080, ED9FBF", "EDBFBF, EE8080", "F08FBFBF, F0908080", "F4908080, F48FBFBF",
        "F5808080, F3BFBFBF"})
    void surrogatesOverlongFormsAndWhatIsBeyondUnicodeAreFoundAtTheirFirstByte(String invalid, String valid) {
        byte[] bytes = HexFormat.of().parseHex(invalid);
        assertEquals(0, Utf8.firstInvalid(bytes, 0, bytes.length));
        assertEquals(0, assertThrows(WireException.class, () -> Utf8.check(bytes, 0, bytes.length)).position());
        Utf8.check(HexFormat.of().parseHex(valid), 0, valid.length() / 2);
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
