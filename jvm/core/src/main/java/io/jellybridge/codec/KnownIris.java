package io.jellybridge.codec;

import java.util.Arrays;

/**
 * Where whole IRIs are in the lookups: of each the prefix id and the name id. IRIs of a stream repeat, so most are found
 * here with one hash and one comparison, without being parsed, split, and hashed again by their parts. A source has them as
 * text or as objects, which need not even be made to text.
 *
 * <p>An entry is a guess, which the lookups confirm: what they hold under the two ids is what they held then, by its serial
 * numbers, or it is not found. So nothing has to be kept in step when they drop a string or forget all. Direct-mapped: an
 * entry takes the place of another.
 */
final class KnownIris {
    /** Of each entry, side by side: the two ids, and the serial numbers of their strings. */
    private static final int PREFIX_ID = 0;
    private static final int NAME_ID = 1;
    private static final int PREFIX_SERIAL = 2;
    private static final int NAME_SERIAL = 3;
    private static final int FIELDS = 4;
    /** The slots go by the names that a lookup may have, of which it may never have so many, */
    private static final int MAX_NAMES = 1 << 18;
    /** Longer ones are not kept, so that they can't hold much; */
    private static final int MAX_BYTES = 1 << 10;
    /** and they begin as a few, since most streams are short. */
    private static final int INITIAL_SLOTS = 1 << 5;

    private final WriteLookup prefixes;
    private final WriteLookup names;
    private final int maxSlots;
    /** What stands for an IRI in each slot, an object of the source's or the text, and the entries. */
    private Object[] keys = new Object[INITIAL_SLOTS];
    private int[] entries = new int[INITIAL_SLOTS * FIELDS];
    private int mask = INITIAL_SLOTS - 1;
    /** How many were put since there are so many slots. */
    private int puts;

    KnownIris(WriteLookup prefixes, WriteLookup names) {
        this.prefixes = prefixes;
        this.names = names;
        this.maxSlots = 4 * Integer.highestOneBit(Math.min(names.size(), MAX_NAMES));
    }

    /**
     * A hash of a text by the words at its end and in its middle: IRIs differ there, and where they don't, one takes the
     * other's place.
     */
    static int hash(byte[] text) {
        int length = text.length;
        if (length <= 3 * Long.BYTES) {
            return WriteLookup.hash(text, 0, length);
        }
        long hash = WriteLookup.mixed(length, WriteLookup.word(text, length - Long.BYTES));
        hash = WriteLookup.mixed(hash, WriteLookup.word(text, length - 2 * Long.BYTES));
        return (int) WriteLookup.mixed(hash, WriteLookup.word(text, (length - 2 * Long.BYTES) / 2));
    }

    private static int hash(Object key) {
        int hash = key.hashCode();
        return hash ^ hash >>> Short.SIZE;
    }

    /**
     * Where an IRI is that has this text, to be asked for its ids, or -1 when it is not known. The lookups are asked first:
     * they are near, and what stands in a slot that is no longer current would have to be fetched from far away.
     */
    int find(byte[] text, int hash) {
        int slot = hash & mask;
        return isCurrent(slot) && keys[slot] instanceof byte[] known && Arrays.equals(known, text) ? slot : -1;
    }

    /** Where an IRI is that this object stands for, likewise. */
    int find(Object key) {
        int slot = hash(key) & mask;
        return isCurrent(slot) && key.equals(keys[slot]) ? slot : -1;
    }

    private boolean isCurrent(int slot) {
        int entry = slot * FIELDS;
        return names.serial(entries[entry + NAME_ID]) == entries[entry + NAME_SERIAL]
                && prefixes.serial(entries[entry + PREFIX_ID]) == entries[entry + PREFIX_SERIAL];
    }

    /** The prefix id of an IRI that was found; 0 when it has no prefix, not even an empty one. */
    int prefixId(int found) {
        return entries[found * FIELDS + PREFIX_ID];
    }

    int nameId(int found) {
        return entries[found * FIELDS + NAME_ID];
    }

    /** Keeps an IRI by its text, of which it takes a copy. */
    void put(byte[] text, int hash, int prefixId, int nameId) {
        put((Object) text.clone(), hash, prefixId, nameId);
    }

    /** Keeps an IRI by an object that stands for it. */
    void put(Object key, int prefixId, int nameId) {
        put(key, hash(key), prefixId, nameId);
    }

    private void put(Object key, int hash, int prefixId, int nameId) {
        if (isLong(key)) {
            return;
        }
        if (++puts > mask / 2 && mask < maxSlots - 1) {
            grow();
        }
        int slot = hash & mask;
        int entry = slot * FIELDS;
        keys[slot] = key;
        entries[entry + PREFIX_ID] = prefixId;
        entries[entry + NAME_ID] = nameId;
        entries[entry + PREFIX_SERIAL] = prefixes.serial(prefixId);
        entries[entry + NAME_SERIAL] = names.serial(nameId);
    }

    private static boolean isLong(Object key) {
        return key instanceof byte[] text ? text.length > MAX_BYTES : key instanceof String iri && iri.length() > MAX_BYTES;
    }

    private void grow() {
        Object[] keysBefore = keys;
        int[] before = entries;
        keys = new Object[4 * keysBefore.length];
        entries = new int[keys.length * FIELDS];
        mask = keys.length - 1;
        puts = 0;
        for (int from = 0; from < keysBefore.length; from++) {
            Object key = keysBefore[from];
            if (key != null) {
                int slot = (key instanceof byte[] text ? hash(text) : hash(key)) & mask;
                keys[slot] = key;
                System.arraycopy(before, from * FIELDS, entries, slot * FIELDS, FIELDS);
            }
        }
    }
}
