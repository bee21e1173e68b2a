package io.jellybridge.codec;

/**
 * A dialect of the {@linkplain TermGrammar grammar of terms}. It defines which term a position allows, which forms are read in
 * addition to N-Triples 1.2, and which rules of RDF 1.2 are checked.
 *
 * @param text           the kind of text
 * @param rules          the rules for IRIs, datatypes and language tags
 * @param generalized    read generalized RDF: any term as subject and predicate, a literal as graph
 * @param tripleSubjects read triple terms as subjects too, as in RDF-star
 * @param turtleStrings  read Turtle's literals too: in apostrophes, and in three quotes or apostrophes
 * @param quotedTriples  read {@code << s p o >>} as a triple term too, as in RDF-star
 * @param keepsTags      count language tags of any case as canonical
 * @param mendsTags      read {@code _} in a language tag as {@code -}
 * @param maxNesting     the depth limit of nested triple terms
 */
public record TermDialect(Text text, TermRules rules, boolean generalized, boolean tripleSubjects, boolean turtleStrings,
        boolean quotedTriples, boolean keepsTags, boolean mendsTags, int maxNesting) {

    /** The default depth limit of nested triple terms. */
    public static final int MAX_NESTING = 64;

    /** The text around a term. It decides the form of blank nodes and the positions in errors. */
    public enum Text {
        /** A term alone. A label extends to the next space, and may have escapes. */
        TERM,
        /** A line of N-Triples or N-Quads. Labels follow the grammar. */
        LINE,
        /** A row of RDF Patch, with {@code <_:label>} beside {@code _:label}, and literals without quotes. */
        ROW
    }

    /**
     * Returns the dialect of a term alone, for any use. It allows all terms that readers accept, at any position of a triple
     * term.
     */
    public static TermDialect ofTerms(int maxNesting) {
        return new TermDialect(Text.TERM, TermRules.ANY, true, true, false, true, true, false, maxNesting);
    }

    /**
     * Returns the dialect of lines of N-Triples or N-Quads 1.2, which is strict.
     *
     * @param rdfStar read triple terms as subjects too, and {@code << s p o >>} too
     */
    public static TermDialect ofLines(boolean rdfStar, boolean keepsTags, boolean mendsTags) {
        return new TermDialect(
                Text.LINE, TermRules.RDF, false, rdfStar, false, rdfStar, keepsTags, mendsTags, MAX_NESTING);
    }

    /** Returns the dialect of rows of RDF Patch. */
    public static TermDialect ofRows(TermRules rules, boolean generalized, boolean quotedTriples, int maxNesting) {
        return new TermDialect(Text.ROW, rules, generalized, true, false, quotedTriples, true, false, maxNesting);
    }

    /** Returns the same dialect, with or without Turtle's strings. */
    public TermDialect withTurtleStrings(boolean read) {
        return new TermDialect(text, rules, generalized, tripleSubjects, read, quotedTriples, keepsTags, mendsTags, maxNesting);
    }

    boolean takesBlankNode(TermPosition position) {
        return position.takesBlankNode() || isGeneralized(position);
    }

    boolean takesLiteral(TermPosition position) {
        return position.takesLiteral() || isGeneralized(position);
    }

    boolean takesTripleTerm(TermPosition position) {
        return position == TermPosition.SUBJECT ? tripleSubjects
                : position.takesTripleTerm() || isGeneralized(position);
    }

    private boolean isGeneralized(TermPosition position) {
        return generalized && position != TermPosition.NAMESPACE;
    }
}
