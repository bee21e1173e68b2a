package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** {@link EscapeScan} against the tables of {@link CanonicalTerms}: every byte, at every place of texts of every length. */
class EscapeScanTest {
    /** Beyond two rounds of the loop that takes four words. */
    private static final int LONGEST = 75;
    /** Text around what is looked at, which must not count: escaped everywhere, and not ASCII. */
    private static final byte[] AROUND = {'"', '<', '\\', 0, 0x7F, (byte) 0xEF, ' ', '}', (byte) 0xFF};

    private interface Scan {
        boolean isPlain(byte[] bytes, int offset, int length);
    }

    private interface Measure {
        int escapedLength(byte[] bytes, int offset, int length);
    }

    @Test
    void aLexicalFormIsPlainExactlyWhenItIsAsciiAndNothingIsEscaped() {
        compare(EscapeScan::isPlainString, CanonicalTerms::escapedStringLength);
    }

    @Test
    void anIriIsPlainExactlyWhenItIsAsciiAndNothingIsEscaped() {
        compare(EscapeScan::isPlainIri, CanonicalTerms::escapedIriLength);
    }

    private static void compare(Scan scan, Measure measure) {
        for (int length = 0; length <= LONGEST; length++) {
            for (int after : new int[] {0, 3, AROUND.length}) {
                byte[] bytes = surrounded(length, after);
                assertEquals(true, scan.isPlain(bytes, AROUND.length, length), "letters, length " + length);
                for (int at = AROUND.length; at < AROUND.length + length; at++) {
                    for (int b = 0; b < 256; b++) {
                        bytes[at] = (byte) b;
                        boolean plain = b < 0x80 && measure.escapedLength(bytes, AROUND.length, length) == length;
                        assertEquals(plain, scan.isPlain(bytes, AROUND.length, length),
                                () -> "a byte of " + Arrays.toString(bytes) + ", length " + bytes.length);
                    }
                    bytes[at] = 'a';
                }
            }
        }
    }

    private static byte[] surrounded(int length, int after) {
        byte[] bytes = new byte[AROUND.length + length + after];
        Arrays.fill(bytes, (byte) 'a');
        System.arraycopy(AROUND, 0, bytes, 0, AROUND.length);
        System.arraycopy(AROUND, 0, bytes, AROUND.length + length, after);
        return bytes;
    }
}
