package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownIrisTest {
    private static final int NAMES = 4_000;
    private static final byte[] PREFIX = ascii("http://data.example.org/a/namespace/of/some/length/");

    private final WriteLookup prefixes = new WriteLookup(8);
    private final WriteLookup names = new WriteLookup(NAMES);
    private final KnownIris known = new KnownIris(prefixes, names);
    private final KnownIris byObject = new KnownIris(prefixes, names);

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    private static byte[] iri(int number) {
        return ascii(new String(PREFIX, US_ASCII) + "item" + number);
    }

    private static int add(WriteLookup lookup, byte[] bytes, int offset) {
        int length = bytes.length - offset;
        return lookup.addString(bytes, offset, length, WriteLookup.hashOf(bytes, offset, length));
    }

    private int find(byte[] iri) {
        return known.findIri(iri, KnownIris.hashOf(iri));
    }

    @Test
    void nearlyAllIrisOfAStreamAreFoundAgainHoweverManyCame() {
        int prefix = add(prefixes, PREFIX, 0);
        for (int number = 0; number < NAMES; number++) {
            byte[] iri = iri(number);
            int name = add(names, iri, PREFIX.length);
            known.putIri(iri, KnownIris.hashOf(iri), prefix, name);
            byObject.putIri("key" + number, prefix, name);
            assertIs(name, find(iri), prefix);
            int found = byObject.findIri("key" + number);
            assertEquals(prefix, byObject.prefixId(found));
            assertEquals(name, byObject.nameId(found));
        }
        int again = 0;
        int keysAgain = 0;
        for (int number = 0; number < NAMES; number++) {
            byte[] iri = iri(number);
            int found = find(iri);
            if (found >= 0) {
                again++;
                assertIs(number + 1, found, prefix);
            }
            int key = byObject.findIri("key" + number);
            if (key >= 0) {
                keysAgain++;
                assertEquals(number + 1, byObject.nameId(key));
            }
        }
        // As many as stay of so many balls in 8,192 bins, but for some that were lost while there were fewer.
        assertTrue(again > NAMES / 2, again + " of " + NAMES);
        assertTrue(keysAgain > NAMES / 2, keysAgain + " of " + NAMES);
    }

    private void assertIs(int name, int found, int prefix) {
        assertEquals(prefix, known.prefixId(found));
        assertEquals(name, known.nameId(found));
    }

    @Test
    void whatTheLookupsHoldNoMoreIsNotFound() {
        int prefix = add(prefixes, PREFIX, 0);
        byte[] iri = iri(1);
        int name = add(names, iri, PREFIX.length);
        known.putIri(iri, KnownIris.hashOf(iri), prefix, name);
        byObject.putIri("key", prefix, name);
        byte[] other = ascii(new String(PREFIX, US_ASCII).replace('a', 'b') + "item1");
        assertEquals(-1, known.findIri(other, KnownIris.hashOf(iri)), "another IRI, where this one would be");
        names.forget();
        prefixes.forget();
        assertEquals(-1, find(iri));
        assertEquals(-1, byObject.findIri("key"));
        add(prefixes, PREFIX, 0);
        add(names, iri(2), PREFIX.length);
        assertEquals(-1, find(iri));
        assertEquals(-1, byObject.findIri("key"), "the ids have other strings now");
    }

    @Test
    void whoKeepsATextMayChangeItsBytes() {
        int prefix = add(prefixes, PREFIX, 0);
        byte[] iri = iri(1);
        int name = add(names, iri, PREFIX.length);
        known.putIri(iri, KnownIris.hashOf(iri), prefix, name);
        iri[0] = 'x';
        assertEquals(-1, known.findIri(iri, KnownIris.hashOf(iri(1))));
        assertIs(name, find(iri(1)), prefix);
    }

    @Test
    void aNameThatMadeRoomForAnotherIsNotFoundThoughTheOtherHasItsId() {
        WriteLookup two = new WriteLookup(2);
        KnownIris few = new KnownIris(prefixes, two);
        byte[] iri = ascii("urn:a");
        few.putIri(iri, KnownIris.hashOf(iri), 0, add(two, iri, 0));
        for (String other : new String[] {"urn:b", "urn:c", "urn:d"}) {
            two.beginRow();
            add(two, ascii(other), 0);
        }
        assertEquals(-1, few.findIri(iri, KnownIris.hashOf(iri)));
    }

    @Test
    void irisThatDifferAtTheirEndsOrInTheMiddleHaveDifferentHashes() {
        Set<Integer> hashes = new HashSet<>();
        int count = 0;
        for (int length = 1; length < 60; length++) {
            for (int at : new int[] {0, length / 2, length - 1}) {
                byte[] iri = ascii("x".repeat(length));
                if (length <= 3 * Long.BYTES || at > 0) {
                    iri[at] = 'y';
                    hashes.add(KnownIris.hashOf(iri));
                    count++;
                }
            }
        }
        assertTrue(hashes.size() > count * 9 / 10, hashes.size() + " of " + count);
        assertNotEquals(KnownIris.hashOf(iri(7)), KnownIris.hashOf(iri(8)));
    }
}
