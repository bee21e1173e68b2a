package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteLookupTest {

    private static int hash(byte[] bytes) {
        return WriteLookup.hashOf(bytes, 0, bytes.length);
    }

    private static int find(WriteLookup lookup, String text) {
        byte[] bytes = utf8(text);
        return lookup.findString(bytes, 0, bytes.length, hash(bytes));
    }

    private static int add(WriteLookup lookup, String text) {
        byte[] bytes = utf8(text);
        return lookup.addString(bytes, 0, bytes.length, hash(bytes));
    }

    /** A table that n1, n2, ... fill, each added in a row of its own. */
    private static WriteLookup filled(int size) {
        WriteLookup lookup = new WriteLookup(size);
        for (int id = 1; id <= size; id++) {
            lookup.beginRow();
            assertEquals(id, add(lookup, "n" + id));
        }
        return lookup;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 15, 16, 17, 18, 19, 32, 33, 34, 35, 66, 100, 4000})
    void aTableHoldsAsManyStringsAsItsSizeAndThenTheFirstThatIsNotInUseMakesRoom(int size) {
        WriteLookup lookup = filled(size);
        for (int id = 1; id <= size; id++) {
            assertEquals(id, find(lookup, "n" + id));
            assertArrayEquals(utf8("n" + id), lookup.valueOf(id));
        }
        for (int id = 1; id <= size; id++) {
            lookup.beginRow();
            assertEquals(id, add(lookup, "m" + id));
            assertArrayEquals(utf8("m" + id), lookup.valueOf(id));
        }
        for (int id = 1; id <= size; id++) {
            assertEquals(0, find(lookup, "n" + id));
            assertEquals(id, find(lookup, "m" + id));
        }
    }

    @Test
    void whatWasUsedSinceTheHandCameByIsSpared() {
        WriteLookup lookup = filled(8);
        lookup.beginRow();
        assertEquals(1, add(lookup, "m1"));
        lookup.beginRow();
        find(lookup, "n2");
        lookup.use(4);
        lookup.beginRow();
        assertEquals(3, add(lookup, "m3"));
        assertEquals(5, add(lookup, "m5"));
        assertEquals(2, find(lookup, "n2"));
        assertEquals(4, find(lookup, "n4"));
    }

    @Test
    void aRowThatUsesAllEntriesGetsNoMoreAndTheNextRowDoes() {
        WriteLookup lookup = new WriteLookup(8);
        for (int row = 0; row < 3; row++) {
            lookup.beginRow();
            for (int i = 1; i <= 8; i++) {
                assertNotEquals(0, add(lookup, row + "/" + i), "row " + row + ", entry " + i);
            }
            assertEquals(0, add(lookup, "one more"));
            assertEquals(0, find(lookup, "one more"));
        }
    }

    /** One new string, as many as there is room to remember, and more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 8})
    void whatARowReplacedIsThereAgainWhenTheRowIsTakenBack(int news) {
        WriteLookup lookup = filled(8);
        int[] serials = new int[9];
        Arrays.setAll(serials, lookup::serialOf);
        for (int time = 0; time < 2; time++) {
            lookup.beginRow();
            for (int i = 0; i < news; i++) {
                assertEquals(1 + i, add(lookup, "new" + i), "from where the hand was, both times");
            }
            lookup.rewind();
            for (int i = 0; i < news; i++) {
                assertEquals(0, find(lookup, "new" + i));
            }
        }
        for (int id = 1; id <= 8; id++) {
            assertEquals(id, find(lookup, "n" + id));
            assertEquals(serials[id], lookup.serialOf(id));
        }
    }

    @Test
    void whatARowAddedToATableWithRoomIsGoneWhenTheRowIsTakenBack() {
        WriteLookup lookup = new WriteLookup(100);
        lookup.beginRow();
        assertEquals(1, add(lookup, "stays"));
        assertEquals(0, lookup.entryId(1));
        lookup.beginRow();
        for (int id = 2; id <= 40; id++) {
            assertEquals(id, add(lookup, "goes" + id));
            assertEquals(0, lookup.entryId(id));
        }
        lookup.rewind();
        assertEquals(0, find(lookup, "goes2"));
        assertEquals(1, find(lookup, "stays"));
        lookup.beginRow();
        assertEquals(2, add(lookup, "another"));
        assertEquals(0, lookup.entryId(2), "the one after the last that was set");
    }

    @Test
    void aTableThatForgotIsEmptyAndSaysItsFirstId() {
        WriteLookup lookup = filled(20);
        lookup.entryId(20);
        lookup.forget();
        for (int id = 1; id <= 20; id++) {
            assertEquals(0, find(lookup, "n" + id));
            assertEquals(0, lookup.serialOf(id), "or what was known under the id would seem to be there");
            assertEquals(null, lookup.valueOf(id));
        }
        lookup.beginRow();
        assertEquals(1, add(lookup, "n7"));
        assertEquals(1, lookup.entryId(1));
        assertEquals(2, add(lookup, "n8"));
        assertEquals(0, lookup.entryId(2));
        assertEquals(2, lookup.entryId(2), "the same again is not the one after it");
        assertTrue(lookup.serialOf(1) > 20, "no number comes twice");
    }

    /** Chains of strings that meet would make writing slow, and nothing else would show it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9, 15, 16, 17, 24, 40})
    void stringsThatDifferInAnyOneByteDifferInTheirHashes(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 'x');
        Set<Integer> hashes = new HashSet<>(Set.of(hash(bytes)));
        Set<Integer> chains = new HashSet<>();
        for (int at = 0; at < length; at++) {
            for (int other = 0; other < 256; other++) {
                if (other != 'x') {
                    bytes[at] = (byte) other;
                    hashes.add(hash(bytes));
                    chains.add(hash(bytes) & 0xFF);
                }
            }
            bytes[at] = 'x';
        }
        assertEquals(1 + 255 * length, hashes.size());
        assertTrue(chains.size() > 140, chains.size() + " of 256 chains"); // of random ones, 161 or more
        assertNotEquals(hash(bytes), hash(Arrays.copyOf(bytes, length + 1)));
    }
}
