package io.jellybridge.codec;

/**
 * The statements, and the terms of them, that a reader is to pass on. It creates no other terms, so faults that only show when
 * a term is created, such as invalid UTF-8, go unnoticed there. It still checks the structure of every row. Rows that are not
 * statements are passed on whole.
 *
 * @param subject   false to get null instead of subjects
 * @param predicate false to get null instead of predicates
 * @param object    false to get null instead of objects
 * @param graph     false to get null instead of graphs
 * @param filter    selects statements; null to select all
 * @param <T>       the type of a term
 */
public record Selection<T>(boolean subject, boolean predicate, boolean object, boolean graph, StatementFilter<T> filter) {

    private static final Selection<?> ALL = new Selection<>(true, true, true, true, null);

    /** Returns the selection of all statements with all their terms. */
    @SuppressWarnings("unchecked")
    public static <T> Selection<T> all() {
        return (Selection<T>) ALL;
    }

    /** Returns the selection of no statements, for callers that need only the other rows and the numbers. */
    public static <T> Selection<T> none() {
        return new Selection<>(false, false, false, false, new NoStatements<>());
    }

    /** Returns a selection of no statements which allows that {@link #all()} is selected later. */
    public static <T> Selection<T> notYet() {
        return new Selection<>(true, true, true, true, new NoStatements<>());
    }

    private record NoStatements<T>() implements StatementFilter<T> {

        @Override
        public boolean isAccepted(Op op) {
            return false;
        }

        @Override
        public boolean needsTerms() {
            return false;
        }

        @Override
        public boolean isAccepted(Op op, T predicate, T graph) {
            return false;
        }
    }

    boolean takesAll() {
        return subject && predicate && object && graph && filter == null;
    }

    /** Returns true if the filter needs terms. */
    boolean filtersByTerms() {
        return filter != null && filter.needsTerms();
    }

    /**
     * Selects statements before their terms are created.
     *
     * @param <T> the type of a term
     */
    public interface StatementFilter<T> {

        /** Returns true if a statement with this op may be selected, depending on its terms. */
        boolean isAccepted(Op op);

        /** Returns true if {@link #isAccepted(Op, Object, Object)} needs the terms. */
        boolean needsTerms();

        /**
         * Returns true if the statement is selected.
         *
         * @param predicate null if the filter needs no terms
         * @param graph     null if the filter needs no terms, or in a TRIPLES stream; the default graph is the result of {@link
         *                  TermFactory#defaultGraph()}
         */
        boolean isAccepted(Op op, T predicate, T graph);
    }
}
