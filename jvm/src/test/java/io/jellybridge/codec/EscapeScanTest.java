package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
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
        compare(EscapeScan::isPlainString, (bytes, offset, length) ->
                escaped(new String(bytes, offset, length, US_ASCII).chars().toArray()).length());
    }

    @Test
    void anIriIsPlainExactlyWhenItIsAsciiAndNothingIsEscaped() {
        compare(EscapeScan::isPlainIri, CanonicalTerms::escapedIriLength);
    }

    @Test
    void aLexicalFormIsEscapedAsCharacterByCharacter() {
        int[] characters = {'a', 'z', ' ', '"', '\\', '\n', '\t', '\r', '\f', '\b', 0, 0x1F, 0x7E, 0x7F, 0x80, 0xE9,
            0x7FF, 0x800, 0x4E2D, 0xEFFF, 0xF000, 0xFFBF,
            0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1F600, 0x1FFFE, 0x10FFFF};
        Random random = new Random(7);
        CanonicalBuffer buffer = new CanonicalBuffer();
        for (int round = 0; round < 200_000; round++) {
            int[] text = new int[random.nextInt(round % 1_000 == 0 ? 5_000 : 40)]; // some in pieces
            int plain = random.nextInt(20);
            Arrays.setAll(text, i ->
                    random.nextInt(20) < plain ? 'a' + i % 26 : characters[random.nextInt(characters.length)]);
            byte[] bytes = ('"' + new String(text, 0, text.length) + '\n').getBytes(UTF_8);
            buffer.clear();
            buffer.append('-');
            buffer.appendString(bytes, 1, bytes.length - 2);
            assertEquals("-" + escaped(text), new String(buffer.array(), 0, buffer.size(), UTF_8));
        }
    }

    @Test
    void thereIsRoomForEscapesWhateverIsInTheBufferAlready() {
        for (String text : List.of("\u0001", "\uFFFE", "\n", "a", "é", "\u0001".repeat(1_100), "é\n".repeat(600),
                "\uFFFF".repeat(700), "a".repeat(1_022) + "\uFFFE", "a".repeat(1_023) + "\uFFFE")) {
            byte[] bytes = text.getBytes(UTF_8);
            String escaped = escaped(text.chars().toArray());
            CanonicalBuffer buffer = new CanonicalBuffer();
            StringBuilder expected = new StringBuilder();
            while (buffer.size() < 20_000) {
                buffer.appendString(bytes, 0, bytes.length);
                expected.append(escaped);
                assertEquals(expected.toString().getBytes(UTF_8).length, buffer.size());
            }
            assertEquals(expected.toString(), new String(buffer.array(), 0, buffer.size(), UTF_8));
        }
    }

    /** What {@link CanonicalTerms} does by words, in the plain form. */
    private static String escaped(int[] text) {
        StringBuilder escaped = new StringBuilder();
        for (int character : text) {
            int letter = "\b\t\n\f\r\"\\".indexOf(character);
            if (letter >= 0) {
                escaped.append('\\').append("btnfr\"\\".charAt(letter));
            } else if (character < ' ' || character == 0x7F || character == 0xFFFE || character == 0xFFFF) {
                escaped.append(String.format("\\u%04X", character));
            } else {
                escaped.appendCodePoint(character);
            }
        }
        return escaped.toString();
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
