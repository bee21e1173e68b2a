package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;
import java.util.Arrays;

/**
 * Finds terms of a row that repeat the last term in their position. It compares terms by the numbers of their strings in the
 * lookups. If these do not suffice, it compares the encoded bytes.
 *
 * @param <T> the type of a term
 */
final class RepeatedTerms<T> {
    /** Stands for the string numbers of a term that is not an IRI. */
    static final long NO_IRI = -1L << Integer.SIZE;
    /** Stands for the string numbers of the default graph. */
    static final long IS_DEFAULT_GRAPH = -2L << Integer.SIZE;
    /** Stands for the string numbers of a triple term. It is never compared, since its content has relative ids. */
    static final long NOT_COMPARED = -3L << Integer.SIZE;
    /** The number of positions whose terms may be repeated: subject, predicate, object and graph. */
    static final int POSITIONS = 4;

    private static final int INITIAL_BYTES = 64;

    private final TermSource<T> terms;
    private final WireWriter content;

    /** For each position with a term that was written in this row: its string numbers in the lookups. */
    private final long[] strings = new long[POSITIONS];
    /** The start and end of that term in the content. A position without a term has the end 0. */
    private final int[] start = new int[POSITIONS];
    private final int[] end = new int[POSITIONS];
    /** The same for the last term in each position. */
    private final long[] lastStrings = new long[POSITIONS];
    private final byte[][] lastContent = new byte[POSITIONS][INITIAL_BYTES];
    private final int[] lastLength = new int[POSITIONS];
    /** The object of that term, if it is worth comparing with the next. */
    private final Object[] lastTerm = new Object[POSITIONS];

    /**
     * Creates a comparison.
     *
     * @param content the encoded terms of the row
     */
    RepeatedTerms(TermSource<T> terms, WireWriter content) {
        this.terms = terms;
        this.content = content;
        Arrays.fill(lastStrings, NOT_COMPARED);
    }

    /** Clears all earlier rows. */
    void forget() {
        Arrays.fill(lastStrings, NOT_COMPARED);
        Arrays.fill(lastTerm, null);
    }

    /** Clears the current row. */
    void beginRow() {
        Arrays.fill(end, 0);
    }

    /** Checks whether a term equals the last one, by comparing the two objects. */
    @SuppressWarnings("unchecked")
    boolean isSame(int position, T term) {
        return lastTerm[position] != null && terms.isSame(term, (T) lastTerm[position]);
    }

    /** Checks whether an IRI with these string numbers equals the last one. */
    boolean isSame(int position, long numbers) {
        return lastStrings[position] == numbers;
    }

    /** Accepts a term that was encoded from {@code from} on. Removes it from the content if it is repeated. */
    void takeTerm(int position, int from, long numbers) {
        if (isRepeated(position, from, numbers)) {
            content.truncateTo(from);
        } else {
            takeWhole(position, from, numbers);
        }
    }

    /** Accepts a term without removing it, even if it is repeated. */
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

    /** Checks whether two terms with these string numbers may differ in their content. */
    private static boolean isCompared(long numbers) {
        return numbers >>> Integer.SIZE == NO_IRI >>> Integer.SIZE;
    }

    /** Stores the term of a position for the next rows, if this row wrote one. */
    void rememberTerm(int position, T term) {
        if (end[position] == 0) {
            return;
        }
        long numbers = strings[position];
        lastStrings[position] = numbers;
        // Rows about one subject in one graph follow each other, so comparing objects is nearly always worth it.
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
