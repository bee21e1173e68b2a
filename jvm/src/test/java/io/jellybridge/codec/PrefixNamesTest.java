package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrefixNamesTest {

    @ParameterizedTest
    @CsvSource({"00, U+0000", "09, U+0009", "20, U+0020", "3a, :", "22, \"", "3c, <", "3e, >", "7f, U+007F"})
    void aCharacterThatEndsAPrefixIsNamed(String hex, String character) {
        byte[] name = HexFormat.of().parseHex("6578" + hex + "61");
        assertEquals(2, PrefixNames.firstFault(name));
        assertEquals("a prefix with the character " + (character.length() == 1 ? "'" + character + "'" : character), PrefixNames.describeFault(name, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ex", "a-b.c_d", "!", "~", "é", "日本"})
    void whatTurtleCouldWriteIsAPrefix(String name) {
        assertEquals(-1, PrefixNames.firstFault(Streams.utf8(name)));
    }
}
