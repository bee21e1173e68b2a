package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TermAssemblerTest {
    private final Utf8Terms terms = new Utf8Terms();

    @ParameterizedTest
    @ValueSource(strings = {"<http://e/a>", "_:b", "\"lit\"", "\"lit\"@en", "\"\"@en--rtl", "\"1\"^^<urn:int>", "\"q\\\"\"@de",
        "<<( <urn:s> <urn:p> \"o\" )>>", "<<( <<( _:s <urn:p> <urn:o> )>> <urn:p> <<( _:s <urn:q> \"x\"@en )>> )>>"})
    void whatIsShownOfATermIsMadeToTheSameTerm(String text) {
        TermAssembler<byte[]> assembler = new TermAssembler<>(terms);
        for (int time = 0; time < 2; time++) {
            terms.visit(utf8(text), assembler);
            assertArrayEquals(utf8(text), assembler.term());
        }
        assembler.startTriple(); // what is forgotten was never shown
        assembler.clear();
        assertNull(assembler.term());
        terms.visit(utf8(text), assembler);
        assertArrayEquals(utf8(text), assembler.term());
    }

    @Test
    void partsOfATermStandAnywhereInTheirArrays() {
        TermAssembler<byte[]> assembler = new TermAssembler<>(terms);
        byte[] bytes = utf8("xxhttp://e/aenyy");
        assembler.iri(bytes, 2, 10);
        assertArrayEquals(utf8("<http://e/a>"), assembler.term());
        assembler.langLiteral(bytes, 2, 4, bytes, 12, 2);
        assertArrayEquals(utf8("\"http\"@en"), assembler.term());
        assembler.langLiteral(bytes, 2, 4, utf8("zende"), 3, 2);
        assertArrayEquals(utf8("\"http\"@de"), assembler.term());
        assembler.langLiteral(bytes, 0, 0, utf8("zende"), 1, 2);
        assertArrayEquals(utf8("\"\"@en"), assembler.term());
        assembler.typedLiteral(bytes, 0, 2, utf8("-urn:d-"), 1, 5);
        assertArrayEquals(utf8("\"xx\"^^<urn:d>"), assembler.term());
    }

    @Test
    void anIriThatCameBeforeIsHandedOutAgainUnlessItIsLong() {
        TermAssembler<byte[]> cache = new TermAssembler<>(terms);
        byte[] iri = utf8("-http://e/a-");
        byte[] first = cache.toIri(iri, 1, 10);
        assertArrayEquals(utf8("<http://e/a>"), first);
        assertSame(first, cache.toIri(utf8("http://e/a"), 0, 10));
        assertArrayEquals(utf8("<http://e/>"), cache.toIri(iri, 1, 9));
        byte[] longest = utf8("x".repeat(512));
        assertSame(cache.toIri(longest, 0, 512), cache.toIri(longest, 0, 512));
        byte[] tooLong = utf8("x".repeat(513));
        assertNotSame(cache.toIri(tooLong, 0, 513), cache.toIri(tooLong, 0, 513));
        for (int i = 0; i < 10_000; i++) { // more than it keeps
            byte[] other = utf8("http://e/" + i);
            assertArrayEquals(utf8("<http://e/" + i + ">"), cache.toIri(other, 0, other.length));
        }
        assertArrayEquals(first, cache.toIri(iri, 1, 10));
    }
}
