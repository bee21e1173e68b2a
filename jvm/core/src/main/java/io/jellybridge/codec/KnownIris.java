package io.jellybridge.codec;

import java.util.Arrays;

/**
 * A cache of whole IRIs: it maps an IRI to its prefix id and name id in the lookups. IRIs of a stream repeat, so most are found
 * with one hash and one comparison, and need not be split and looked up by their parts. The key is the IRI's text, or an object
 * of the source, which then need not be converted to text.
 *
 * <p>An entry is a guess that the lookups must confirm. It counts only if their serial numbers show that the strings under both
 * ids are unchanged. So the cache needs no update when a lookup drops a string or is cleared. It is direct-mapped: an entry
 * replaces another in the same slot.
 */
final class KnownIris {
    /** The fields of an entry, side by side: the two ids, and the serial numbers of their strings. */
    private static final int PREFIX_ID = 0;
    private static final int NAME_ID = 1;
    private static final int PREFIX_SERIAL = 2;
    private static final int NAME_SERIAL = 3;
    private static final int FIELDS = 4;
    /** The upper bound of the number of slots, which otherwise follows the size of the name lookup. */
    private static final int MAX_NAMES = 1 << 18;
    /** The length limit of a cached IRI, which bounds the memory of the cache. */
    private static final int MAX_BYTES = 1 << 10;
    /** The initial number of slots. It is small, since most streams are short. */
    private static final int INITIAL_SLOTS = 1 << 5;

    private final WriteLookup prefixes;
    private final WriteLookup names;
    private final int maxSlots;
    /** The key in each slot: an object of the source, or the text. The entries follow. */
    private Object[] keys = new Object[INITIAL_SLOTS];
    private int[] entries = new int[INITIAL_SLOTS * FIELDS];
    private int mask = INITIAL_SLOTS - 1;
    /** The number of entries that were added since the last resize. */
    private int puts;

    KnownIris(WriteLookup prefixes, WriteLookup names) {
        this.prefixes = prefixes;
        this.names = names;
        this.maxSlots = 4 * Integer.highestOneBit(Math.min(names.size(), MAX_NAMES));
    }

    /**
     * Computes a hash from words at the end and in the middle of a text, where IRIs differ. Texts with the same hash replace
     * each other.
     */
    static int hashOf(byte[] text) {
        int length = text.length;
        if (length <= 3 * Long.BYTES) {
            return WriteLookup.hashOf(text, 0, length);
        }
        long hash = WriteLookup.mixHash(length, WriteLookup.wordAt(text, length - Long.BYTES));
        hash = WriteLookup.mixHash(hash, WriteLookup.wordAt(text, length - 2 * Long.BYTES));
        return (int) WriteLookup.mixHash(hash, WriteLookup.wordAt(text, (length - 2 * Long.BYTES) / 2));
    }

    private static int hashOf(Object key) {
        int hash = key.hashCode();
        return hash ^ hash >>> Short.SIZE;
    }

    /**
     * Returns the slot of the IRI with this text, or -1 if it is unknown. It asks the lookups first, since these are in the
     * processor's cache, and the keys of outdated slots are not.
     */
    int findIri(byte[] text, int hash) {
        int slot = hash & mask;
        return isCurrent(slot) && keys[slot] instanceof byte[] known && Arrays.equals(known, text) ? slot : -1;
    }

    /** Returns the slot of the IRI with this object as its key, or -1 if it is unknown. */
    int findIri(Object key) {
        int slot = hashOf(key) & mask;
        return isCurrent(slot) && key.equals(keys[slot]) ? slot : -1;
    }

    private boolean isCurrent(int slot) {
        int entry = slot * FIELDS;
        return names.serialOf(entries[entry + NAME_ID]) == entries[entry + NAME_SERIAL]
                && prefixes.serialOf(entries[entry + PREFIX_ID]) == entries[entry + PREFIX_SERIAL];
    }

    /** Returns the prefix id of an IRI that was found; 0 if it has no prefix, not even an empty one. */
    int prefixId(int found) {
        return entries[found * FIELDS + PREFIX_ID];
    }

    int nameId(int found) {
        return entries[found * FIELDS + NAME_ID];
    }

    /** Adds an IRI by a copy of its text. */
    void putIri(byte[] text, int hash, int prefixId, int nameId) {
        putIri((Object) text.clone(), hash, prefixId, nameId);
    }

    /** Adds an IRI by an object of the source. */
    void putIri(Object key, int prefixId, int nameId) {
        putIri(key, hashOf(key), prefixId, nameId);
    }

    private void putIri(Object key, int hash, int prefixId, int nameId) {
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
        entries[entry + PREFIX_SERIAL] = prefixes.serialOf(prefixId);
        entries[entry + NAME_SERIAL] = names.serialOf(nameId);
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
                int slot = (key instanceof byte[] text ? hashOf(text) : hashOf(key)) & mask;
                keys[slot] = key;
                System.arraycopy(before, from * FIELDS, entries, slot * FIELDS, FIELDS);
            }
        }
    }
}
