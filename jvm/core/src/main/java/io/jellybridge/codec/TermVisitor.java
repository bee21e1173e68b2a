package io.jellybridge.codec;

/**
 * Receives the parts of a term, the inverse of {@link TermFactory}. A simple term is exactly one call. A triple term is {@link
 * #startTriple()}, its three terms, and {@link #endTriple()}.
 *
 * <p>Ranges are UTF-8 without escapes, and are valid only during the call.
 */
public interface TermVisitor {

    /** Receives a whole IRI. */
    void iri(byte[] bytes, int offset, int length);

    /**
     * Returns true if the visitor knows this IRI, and then accepts it without a call of {@link #iri}. It knows an IRI from a
     * call of {@link #iri} that directly followed a call of this method with the same text. A source can call it before it
     * checks the text, and saves that work for repeated IRIs.
     *
     * @param term text that may be an IRI between {@code <} and {@code >} without escapes; if it is anything else, the source
     *             does not show its content as an IRI
     */
    default boolean visitKnownIri(byte[] term) {
        return false;
    }

    /**
     * Returns true if the visitor knows this IRI, as {@link #visitKnownIri(byte[])} does, for a source whose IRIs are objects.
     *
     * @param key stands for the IRI; equal keys stand for the same IRI
     */
    default boolean visitKnownIri(Object key) {
        return false;
    }

    /** Receives a blank node; the label has no {@code _:}. */
    void blankNode(byte[] bytes, int offset, int length);

    /** Receives a literal without language and datatype. */
    void literal(byte[] bytes, int offset, int length);

    /** Receives a literal with a language tag, which may end in a base direction ({@code --ltr}, {@code --rtl}). */
    void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength);

    /** Receives a literal with a datatype, which may be {@code xsd:string}. */
    void typedLiteral(byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset, int datatypeLength);

    /** Begins a triple term. */
    void startTriple();

    /** Ends a triple term. */
    void endTriple();
}
