package io.jellybridge.codec;

/** What a term is in its row, and so which kinds of term RDF 1.2 has there; generalized RDF has any term anywhere. */
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

    /** A subject too: so RDF-star has it, where RDF 1.2 has triple terms as objects alone. */
    public boolean takesTripleTerm() {
        return this == SUBJECT || takesLiteral();
    }

    /** The position after this one in a triple. */
    public TermPosition next() {
        return this == SUBJECT ? PREDICATE : OBJECT;
    }

    @Override
    public String toString() {
        return text;
    }
}
