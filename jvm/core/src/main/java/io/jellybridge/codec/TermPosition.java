package io.jellybridge.codec;

/**
 * The position of a term in its row. RDF 1.2 allows certain kinds of terms in each position, and generalized RDF allows any.
 */
public enum TermPosition {
    SUBJECT("subject"),
    PREDICATE("predicate"),
    OBJECT("object"),
    GRAPH("graph"),
    HEADER_VALUE("value of the header"),
    NAMESPACE("namespace");

    private final String text;

    TermPosition(String text) {
        this.text = text;
    }

    public boolean takesBlankNode() {
        return this != PREDICATE && this != NAMESPACE;
    }

    public boolean takesLiteral() {
        return this == OBJECT || this == HEADER_VALUE;
    }

    /**
     * Returns true if the position allows a triple term. Subjects do, as in RDF-star; RDF 1.2 allows triple terms only as
     * objects.
     */
    public boolean takesTripleTerm() {
        return this == SUBJECT || takesLiteral();
    }

    /** Returns the position after this one in a triple. */
    public TermPosition next() {
        return this == SUBJECT ? PREDICATE : OBJECT;
    }

    @Override
    public String toString() {
        return text;
    }
}
