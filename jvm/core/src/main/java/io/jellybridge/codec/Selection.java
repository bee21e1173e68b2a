package io.jellybridge.codec;

/**
 * What a reader is to hand over of the statements: which of their terms, and which statements at all. For the rest no terms
 * are made, and what only shows in making them (text that is not UTF-8) goes unnoticed; the structure of every row is
 * checked all the same. Rows that are not statements come whole.
 *
 * @param subject   whether subjects are wanted; where not, null is handed over
 * @param predicate likewise
 * @param object    likewise
 * @param graph     likewise
 * @param filter    which statements; null for all
 * @param <T>       what a term is
 */
public record Selection<T>(boolean subject, boolean predicate, boolean object, boolean graph, StatementFilter<T> filter) {

    private static final Selection<?> ALL = new Selection<>(true, true, true, true, null);

    /** All statements, with all of their terms. */
    @SuppressWarnings("unchecked")
    public static <T> Selection<T> all() {
        return (Selection<T>) ALL;
    }

    /** No statements, for those who look at the other rows and at the numbers. */
    public static <T> Selection<T> none() {
        return new Selection<>(false, false, false, false, new NoStatements<>());
    }

    /** No statements so far, but {@link #all()} may be selected later. */
    public static <T> Selection<T> notYet() {
        return new Selection<>(true, true, true, true, new NoStatements<>());
    }

    private record NoStatements<T>() implements StatementFilter<T> {

        @Override
        public boolean accepts(Op op) {
            return false;
        }

        @Override
        public boolean needsTerms() {
            return false;
        }

        @Override
        public boolean accepts(Op op, T predicate, T graph) {
            return false;
        }
    }

    boolean takesAll() {
        return subject && predicate && object && graph && filter == null;
    }

    /** Whether the filter looks at terms. */
    boolean filtersByTerms() {
        return filter != null && filter.needsTerms();
    }
}
