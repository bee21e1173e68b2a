package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelCharactersTest {
    /** The grammar's own words. */
    private static final String BASE = "A-Za-z\\x{C0}-\\x{D6}\\x{D8}-\\x{F6}\\x{F8}-\\x{2FF}\\x{370}-\\x{37D}\\x{37F}-\\x{1FFF}"
            + "\\x{200C}-\\x{200D}\\x{2070}-\\x{218F}\\x{2C00}-\\x{2FEF}\\x{3001}-\\x{D7FF}\\x{F900}-\\x{FDCF}\\x{FDF0}-\\x{FFFD}"
            + "\\x{10000}-\\x{EFFFF}";
    private static final Pattern FIRST = Pattern.compile("[" + BASE + "_0-9]");
    private static final Pattern INNER = Pattern.compile("[" + BASE + "_0-9\\-\\x{B7}\\x{300}-\\x{36F}\\x{203F}-\\x{2040}]");

    @Test
    void aLabelHasTheCharactersThatTheGrammarHas() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                continue;
            }
            String character = Character.toString(codePoint);
            boolean first = FIRST.matcher(character).matches();
            boolean inner = INNER.matcher(character).matches();
            assertEquals(first, LabelCharacters.isLabel(utf8(character)), () -> "first: " + character.codePointAt(0));
            assertEquals(inner, LabelCharacters.isLabel(utf8("b" + character)), () -> "then: " + character.codePointAt(0));
            assertEquals(inner || codePoint == '.', LabelCharacters.isLabel(utf8("b" + character + "b")));
            assertTrue(LabelCharacters.mayBeOf(utf8(character)[0]) || !inner && codePoint != '.');
        }
    }

    @ParameterizedTest
    @CsvSource({"b, 1", "b., 1", "b.., 1", "b..c., 4", ".b, 0", "'', 0", "-b, 0", "b c, 1", "b:c, 1", "é., 2"})
    void aLabelEndsBeforeTheDotsThatEndAStatement(String text, int end) {
        byte[] bytes = utf8("_:" + text + "xx");
        assertEquals(2 + end, LabelCharacters.labelEnd(bytes, 2, bytes.length - 2));
    }

    @Test
    void whatIsNoLabelIsRefusedWithItsText() {
        LabelCharacters.check(utf8("b0.1"));
        for (String label : new String[] {"", "b.", "a b"}) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> LabelCharacters.check(utf8(label)))
                    .getMessage().startsWith("\"" + label + "\""));
        }
    }

    /** What is surely none, is not looked at as one: of ASCII, these. */
    @Test
    void aByteThatNoLabelHasEndsOne() {
        for (int b = 0; b < 0x80; b++) {
            assertEquals(Character.isLetterOrDigit(b) || "_-.".indexOf(b) >= 0, LabelCharacters.mayBeOf((byte) b), "byte " + b);
        }
    }
}
