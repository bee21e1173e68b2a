package io.jellybridge.codec;

import java.util.Arrays;

/**
 * A lookup table of the consumer: entries by id, from 1 to the size that the options declare (checklist P-E, R-D). Grows
 * with the entries that come, not with the size that was declared.
 *
 * @param <V> what an entry is
 */
final class ReadLookup<V> {
    /** The last id behind a restart point: the one after it is beyond every size. */
    static final int NO_ID = Integer.MAX_VALUE - 1;

    private final String kind;
    private final int size;
    private final Rule sizeRule;
    private final ErrorSite site;
    private final TermBudget budget;
    private Object[] entries = new Object[17];
    /** What the entries take, in bytes of the stream; */
    private int[] sizes = new int[17];
    /** and all together. */
    private long bytes;
    private int lastSet;
    private int used;
    /** The most entries that were in use before a {@link #clear}. */
    private int mostUsed;
    private long written;
    private long evictions;

    /**
     * @param kind     the table's name for messages
     * @param size     the declared size; 0 when the table is not used
     * @param sizeRule the rule that an entry beyond the size breaks
     * @param budget   for the bytes of the entries
     */
    ReadLookup(String kind, int size, Rule sizeRule, ErrorSite site, TermBudget budget) {
        this.budget = budget;
        this.kind = kind;
        this.size = size;
        this.sizeRule = sizeRule;
        this.site = site;
    }

    /**
     * The id that an entry is to be stored under (P-60): the id itself, or for 0 the one after the last that was set.
     *
     * @param id as on the wire, 0 to 2^32 - 1
     */
    int idToSet(long id) {
        long actual = id == 0 ? lastSet + 1L : id;
        if (actual > size) {
            if (id == 0 && lastSet == NO_ID) {
                throw afterNothing("an entry of the " + kind + " lookup");
            }
            throw site.error(sizeRule, "an entry " + actual + " for the " + kind + " lookup, whose size is " + size,
                    "the writer exceeds the size that its own options declare; write the file anew");
        }
        return (int) actual;
    }

    TableUse use() {
        return new TableUse(size, Math.max(used, mostUsed), written, evictions);
    }

    /** The error of an id that is left out where it can't be the one after another: readers differ in what came before. */
    FormatException afterNothing(String what) {
        return site.error(Rule.RESTART, what + " without an id, the first one behind a restart point", Advice.WRITER_BUG);
    }

    boolean isUsed() {
        return size > 0;
    }

    /** Forgets all entries, at a restart point: the next one has to say its id. */
    void clear() {
        mostUsed = Math.max(used, mostUsed);
        used = 0;
        lastSet = NO_ID;
        bytes = 0;
        Arrays.fill(entries, null);
        Arrays.fill(sizes, 0);
    }

    /** The ids from 0 up to, but not including, this one have room already. */
    int capacity() {
        return entries.length;
    }

    /** What the entry with this id takes; 0 where there is none. */
    int bytesOf(int id) {
        return sizes[id];
    }

    /** @param length how many bytes of the stream the value was */
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

    /** The entry with this id, 1 to 2^32 - 1; an undefined one is an error (P-62). */
    @SuppressWarnings("unchecked")
    V get(long id) {
        if (id < entries.length) {
            V value = (V) entries[(int) id];
            if (value != null) {
                return value;
            }
        }
        throw id > size
                ? site.error(sizeRule, "a reference to " + kind + " " + id + ", beyond the lookup's size of " + size,
                        Advice.WRITER_BUG)
                : site.error(Rule.ENTRY_DEFINED, "a reference to " + kind + " " + id + ", which is not set",
                        "the file is damaged, or its parts are out of order");
    }
}
