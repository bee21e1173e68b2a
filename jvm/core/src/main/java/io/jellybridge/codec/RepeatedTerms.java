package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;
import java.util.Arrays;

/**
 * What the terms of a row repeat: those of the last row that had a term in their position. Two terms are compared by their
 * strings in the lookups, as numbers, and where these leave anything open by what is written of them.
 *
 * @param <T> what a term is
 */
final class RepeatedTerms<T> {
    /** Instead of the strings of an IRI, of a term that is not made of one, */
    static final long NO_IRI = -1L << Integer.SIZE;
    /** of the default graph, */
    static final long IS_DEFAULT_GRAPH = -2L << Integer.SIZE;
    /** and of a triple term, whose content has relative ids. */
    static final long NOT_COMPARED = -3L << Integer.SIZE;
    /** The positions whose terms may be repeated: subject, predicate, object and graph. */
    static final int POSITIONS = 4;

    private static final int INITIAL_BYTES = 64;

    private final TermSource<T> terms;
    private final WireWriter content;

    /** Of each position that has a term in this row, which is not a repeated one: its strings in the lookups, */
    private final long[] strings = new long[POSITIONS];
    /** and where it begins and ends in the content. A position without has no end. */
    private final int[] start = new int[POSITIONS];
    private final int[] end = new int[POSITIONS];
    /** The same of what would be repeated, */
    private final long[] lastStrings = new long[POSITIONS];
    private final byte[][] lastContent = new byte[POSITIONS][INITIAL_BYTES];
    private final int[] lastLength = new int[POSITIONS];
    /** and the object it came from, where it is worth a look whether that comes again. */
    private final Object[] lastTerm = new Object[POSITIONS];

    /** @param content what is written of the row's terms */
    RepeatedTerms(TermSource<T> terms, WireWriter content) {
        this.terms = terms;
        this.content = content;
        Arrays.fill(lastStrings, NOT_COMPARED);
    }

    /** Forgets the rows before. */
    void forget() {
        Arrays.fill(lastStrings, NOT_COMPARED);
        Arrays.fill(lastTerm, null);
    }

    /** Forgets the row in the making. */
    void beginRow() {
        Arrays.fill(end, 0);
    }

    /** Whether a term is the one before, by a look at the two. */
    @SuppressWarnings("unchecked")
    boolean isSame(int position, T term) {
        return lastTerm[position] != null && terms.isSame(term, (T) lastTerm[position]);
    }

    /** Whether an IRI of these strings is the one before. */
    boolean isSame(int position, long numbers) {
        return lastStrings[position] == numbers;
    }

    /** Takes a term that has been written from {@code from} on; out of the content again where it is repeated. */
    void take(int position, int from, long numbers) {
        if (isRepeated(position, from, numbers)) {
            content.truncate(from);
        } else {
            takeWhole(position, from, numbers);
        }
    }

    /** As {@link #take}, of a term that is written whatever came before. */
    void takeWhole(int position, int from, long numbers) {
        strings[position] = numbers;
        start[position] = from;
        end[position] = content.size();
    }

    private boolean isRepeated(int position, int from, long numbers) {
        int length = content.size() - from;
        return numbers == lastStrings[position] && numbers != NOT_COMPARED
                && (!isCompared(numbers) || length == lastLength[position]
                && content.startsAt(from, length, lastContent[position]));
    }

    /** Whether two terms with these strings may differ in their content. */
    private static boolean isCompared(long numbers) {
        return numbers >>> Integer.SIZE == NO_IRI >>> Integer.SIZE;
    }

    /** Keeps the term of a position for the rows to come, if this row had one that was written. */
    void remember(int position, T term) {
        if (end[position] == 0) {
            return;
        }
        long numbers = strings[position];
        lastStrings[position] = numbers;
        // Rows about one subject in one graph come together, so there a look is nearly always worth it.
        if (position == TermWriter.SUBJECT || position == TermWriter.GRAPH || numbers == NOT_COMPARED) {
            lastTerm[position] = term;
        } else if (lastTerm[position] != null) {
            lastTerm[position] = null;
        }
        if (isCompared(numbers)) {
            int length = end[position] - start[position];
            if (lastContent[position].length < length) {
                lastContent[position] = new byte[Math.max(length, 2 * lastContent[position].length)];
            }
            content.copyTo(lastContent[position], start[position], length);
            lastLength[position] = length;
        }
    }
}
