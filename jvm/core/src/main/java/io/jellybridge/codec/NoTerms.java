package io.jellybridge.codec;

/** A factory that creates no terms, for callers that need only the rows. Every term is the same object. */
public final class NoTerms implements TermFactory<Object> {
    private static final Object TERM = new Object();

    @Override
    public Object iri(byte[] prefix, byte[] name) {
        return TERM;
    }

    @Override
    public Object iri(Object prefix, byte[] name, int offset, int length) {
        return TERM;
    }

    @Override
    public Object blankNode(byte[] bytes, int offset, int length) {
        return TERM;
    }

    @Override
    public Object literal(byte[] bytes, int offset, int length) {
        return TERM;
    }

    @Override
    public Object langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
        return TERM;
    }

    @Override
    public Object typedLiteral(byte[] bytes, int offset, int length, Object datatype) {
        return TERM;
    }

    @Override
    public Object tripleTerm(Object subject, Object predicate, Object object) {
        return TERM;
    }

    @Override
    public Object defaultGraph() {
        return TERM;
    }
}
