package io.jellybridge.codec;

import io.jellybridge.wire.Utf8;
import io.jellybridge.wire.WireReader;
import java.util.Arrays;

/**
 * A lookup table of a reader: entries by id, from 1 to the size that the options declare (checklist P-E, R-D). It grows with
 * the entries that arrive, not to the declared size.
 *
 * @param <V> the type of an entry
 */
final class ReadLookup<V> {
    /** The last id after a restart point. The id after it is beyond every size. */
    static final int NO_ID = Integer.MAX_VALUE - 1;

    private final String kind;
    private final int size;
    private final Rule sizeRule;
    private final ErrorSite site;
    private final TermBudget budget;
    private Object[] entries = new Object[17];
    /** The size of each entry, in bytes of the stream. */
    private int[] sizes = new int[17];
    /** The total size of the entries, in bytes of the stream. */
    private long bytes;
    private int lastSet;
    private int used;
    /** The largest number of entries before a {@link #clear}. */
    private int mostUsed;
    private long written;
    private long evictions;

    /**
     * Creates an empty table.
     *
     * @param kind     the table's name for messages
     * @param size     the declared size; 0 if the table is not used
     * @param sizeRule the rule for an entry beyond the size
     * @param budget   the limit for the bytes of the entries
     */
    ReadLookup(String kind, int size, Rule sizeRule, ErrorSite site, TermBudget budget) {
        this.budget = budget;
        this.kind = kind;
        this.size = size;
        this.sizeRule = sizeRule;
        this.site = site;
    }

    /**
     * Returns the id under which to store an entry (P-60): the id itself, or for 0 the id after the last one stored.
     *
     * @param id the id on the wire, 0 to 2^32 - 1
     */
    int idToSet(long id) {
        long actual = id == 0 ? lastSet + 1L : id;
        if (actual > size) {
            if (id == 0 && lastSet == NO_ID) {
                throw noPreviousError("an entry of the " + kind + " lookup");
            }
            throw site.newError(sizeRule, "an entry " + actual + " for the " + kind + " lookup, whose size is " + size,
                    "the writer exceeds the size that its own options declare; write the file anew");
        }
        return (int) actual;
    }

    TableUse use() {
        return new TableUse(size, Math.max(used, mostUsed), written, evictions);
    }

    /** Creates the error for a missing id after a restart point, where readers disagree about the id before it. */
    FormatException noPreviousError(String what) {
        return site.newError(Rule.RESTART, what + " without an id, the first one behind a restart point", Advice.WRITER_BUG);
    }

    boolean isUsed() {
        return size > 0;
    }

    /** Clears all entries, at a restart point. The next entry must give its id. */
    void clear() {
        mostUsed = Math.max(used, mostUsed);
        used = 0;
        lastSet = NO_ID;
        bytes = 0;
        Arrays.fill(entries, null);
        Arrays.fill(sizes, 0);
    }

    /** Returns the upper bound (exclusive) of the ids that fit without growing. */
    int capacity() {
        return entries.length;
    }

    /** Returns the size of the entry with this id, or 0 if there is none. */
    int bytesOf(int id) {
        return sizes[id];
    }

    /**
     * Stores an entry.
     *
     * @param length the number of bytes of the stream from which the value was read
     */
    void set(int id, V value, int length) {
        if (id >= entries.length) {
            entries = Arrays.copyOf(entries, Math.max(id + 1, Math.min(size + 1, entries.length * 2)));
            sizes = Arrays.copyOf(sizes, entries.length);
        }
        bytes += length - sizes[id];
        sizes[id] = length;
        budget.checkTable(kind, bytes);
        written++;
        if (entries[id] == null) {
            used++;
        } else {
            evictions++;
        }
        entries[id] = value;
        lastSet = id;
    }

    /** Returns the entry with this id, 1 to 2^32 - 1. An undefined id is an error (P-62). */
    @SuppressWarnings("unchecked")
    V get(long id) {
        if (id < entries.length) {
            V value = (V) entries[(int) id];
            if (value != null) {
                return value;
            }
        }
        throw id > size
                ? site.newError(sizeRule, "a reference to " + kind + " " + id + ", beyond the lookup's size of " + size,
                        Advice.WRITER_BUG)
                : site.newError(Rule.ENTRY_DEFINED, "a reference to " + kind + " " + id + ", which is not set",
                        "the file is damaged, or its parts are out of order");
    }

    /** Reads the entries of lookups: an id and a string, each optional. */
    static final class EntryReader {
        private static final int ID = 1 << 3 | WireReader.VARINT;
        private static final int VALUE = 2 << 3 | WireReader.LENGTH_DELIMITED;
        private static final byte[] NO_BYTES = new byte[0];

        private final WireReader wire;
        private long id;
        private byte[] value;

        EntryReader(WireReader wire) {
            this.wire = wire;
        }

        /** Returns the id of the entry, from 0 to 2^32 - 1. 0 stands for the id after that of the entry before. */
        long id() {
            return id;
        }

        /** Returns the string of the entry, in an array that is not shared. */
        byte[] value() {
            return value;
        }

        /** Reads the entry up to the bound. */
        void read() {
            byte[] bytes = wire.bytes();
            int at = wire.position();
            int end = wire.limit();
            int small = 0;
            if (at + 1 < end && bytes[at] == ID) {
                small = bytes[at + 1];
                at += 2;
                if (small < 0 && at < end && bytes[at] >= 0) {
                    small = small & 0x7F | bytes[at++] << 7;
                }
            }
            if (small >= 0 && at + 1 < end && bytes[at] == VALUE && bytes[at + 1] == end - at - 2) {
                // Nearly all entries have this form: an id of one or two bytes or none, then a value of less than 128 bytes.
                id = small;
                Utf8.check(bytes, at + 2, bytes[at + 1]);
                value = Arrays.copyOfRange(bytes, at + 2, end);
            } else {
                readAnyForm();
            }
        }

        private void readAnyForm() {
            id = 0;
            value = NO_BYTES;
            while (!wire.atEnd()) {
                int tag = wire.tag();
                if (tag == ID) {
                    id = wire.uint32();
                } else if (tag == VALUE) {
                    value = wire.string();
                } else {
                    wire.skip(tag);
                }
            }
        }
    }
}
