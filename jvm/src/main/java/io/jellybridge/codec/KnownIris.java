package io.jellybridge.codec;

import java.util.Arrays;

/**
 * Where whole IRIs are in the lookups: hash to prefix id and name id. IRIs of a stream repeat, so most are found here
 * with one hash, without being parsed, split, and hashed again by their parts.
 *
 * <p>An entry is a guess, which the lookups confirm: what they hold under the two ids is the IRI, or it is not found. So
 * nothing has to be kept in step when they drop a string or forget all. Direct-mapped: an entry takes the place of another.
 */
final class KnownIris {
    /** Of each entry, side by side: its hash, and the two ids. */
    private static final int HASH = 0;
    private static final int PREFIX_ID = 1;
    private static final int NAME_ID = 2;
    private static final int FIELDS = 4;

    private final WriteLookup prefixes;
    private final WriteLookup names;
    private final int[] entries;
    private final int mask;

    KnownIris(WriteLookup prefixes, WriteLookup names) {
        this.prefixes = prefixes;
        this.names = names;
        int slots = 4 * Integer.highestOneBit(names.size());
        entries = new int[slots * FIELDS];
        mask = slots - 1;
    }

    /** Where an IRI is, to be asked for its ids, or -1 when it is not known. */
    int find(byte[] bytes, int offset, int length, int hash) {
        int entry = (hash & mask) * FIELDS;
        if (entries[entry + HASH] != hash) {
            return -1;
        }
        byte[] name = names.value(entries[entry + NAME_ID]);
        if (name == null) {
            return -1;
        }
        int split = offset + length - name.length;
        return split >= offset && Arrays.equals(name, 0, name.length, bytes, split, offset + length)
                && prefixIs(entries[entry + PREFIX_ID], bytes, offset, split) ? entry : -1;
    }

    private boolean prefixIs(int id, byte[] bytes, int from, int to) {
        if (id == 0) {
            return from == to;
        }
        byte[] prefix = prefixes.value(id);
        return prefix != null && Arrays.equals(prefix, 0, prefix.length, bytes, from, to);
    }

    /** The prefix id of an IRI that was found; 0 when it has no prefix, not even an empty one. */
    int prefixId(int found) {
        return entries[found + PREFIX_ID];
    }

    int nameId(int found) {
        return entries[found + NAME_ID];
    }

    void put(int hash, int prefixId, int nameId) {
        int entry = (hash & mask) * FIELDS;
        entries[entry + HASH] = hash;
        entries[entry + PREFIX_ID] = prefixId;
        entries[entry + NAME_ID] = nameId;
    }
}
