package io.jellybridge.codec;

/**
 * What a text has of the {@linkplain TermGrammar grammar of terms}: what may stand where, which ways to write a term are
 * read beside those of N-Triples 1.2, and what of RDF 1.2 is checked.
 *
 * @param text          what kind of text it is
 * @param rules         which IRIs, datatypes and language tags are read
 * @param generalized   whether generalized RDF is read: any term as subject and predicate, a literal as graph
 * @param tripleSubjects whether triple terms stand as subjects too, as in RDF-star
 * @param turtleStrings whether text in apostrophes, and in three quotes or apostrophes, is a literal too, as in Turtle
 * @param quotedTriples whether {@code << s p o >>} is a triple term too, as in RDF-star
 * @param keepsTags     whether language tags of any case count as canonical
 * @param mendsTags     whether {@code _} in a language tag is read as {@code -}
 * @param maxNesting    how deep triple terms may be nested
 */
public record TermDialect(Text text, TermRules rules, boolean generalized, boolean tripleSubjects, boolean turtleStrings,
        boolean quotedTriples, boolean keepsTags, boolean mendsTags, int maxNesting) {

    /** How deep triple terms may be nested, unless told otherwise. */
    public static final int MAX_NESTING = 64;

    /** Where a term stands, which says how blank nodes are written and how errors speak of places. */
    public enum Text {
        /** By itself. A label is all up to the next space, with escapes. */
        TERM,
        /** In a line of N-Triples or N-Quads. Labels are those of the grammar. */
        LINE,
        /** In a row of RDF Patch: {@code <_:label>} beside {@code _:label}, and literals without quotes. */
        ROW
    }

    /** A term by itself, whatever it may be used for: all that readers take, at any position of a triple term. */
    public static TermDialect ofTerms(int maxNesting) {
        return new TermDialect(Text.TERM, TermRules.ANY, true, true, false, true, true, false, maxNesting);
    }

    /**
     * Lines of N-Triples or N-Quads 1.2, strict.
     *
     * @param rdfStar whether triple terms are subjects too, and are written {@code << s p o >>} too
     */
    public static TermDialect ofLines(boolean rdfStar, boolean keepsTags, boolean mendsTags) {
        return new TermDialect(
                Text.LINE, TermRules.RDF, false, rdfStar, false, rdfStar, keepsTags, mendsTags, MAX_NESTING);
    }

    /** Rows of RDF Patch. */
    public static TermDialect ofRows(TermRules rules, boolean generalized, boolean quotedTriples, int maxNesting) {
        return new TermDialect(Text.ROW, rules, generalized, true, false, quotedTriples, true, false, maxNesting);
    }

    /** The same, with Turtle's strings or without. */
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
