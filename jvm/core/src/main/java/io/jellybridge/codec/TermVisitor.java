package io.jellybridge.codec;

/**
 * Takes a term apart, the inverse of {@link TermFactory}: exactly one call for a simple term; for a triple term
 * {@link #startTriple()}, its three terms, {@link #endTriple()}.
 *
 * <p>Ranges are unescaped UTF-8 and valid for the call only.
 */
public interface TermVisitor {

    /** An IRI, whole. */
    void iri(byte[] bytes, int offset, int length);

    /**
     * Asks whether the visitor knows an IRI from a call of {@link #iri} that came right after one of this method, both
     * with this text; true is as good as another such call. So a source can ask before it checks the text, and spares the
     * work for IRIs that repeat.
     *
     * @param term text that may be an IRI between {@code <} and {@code >}, without escapes; it may as well be anything else,
     *             but what is between the two is then not shown as an IRI
     */
    default boolean iriAgain(byte[] term) {
        return false;
    }

    /**
     * As {@link #iriAgain(byte[])}, where the source has IRIs as objects: whether the visitor knows one from a call of {@link
     * #iri} that came right after one of this method.
     *
     * @param key stands for the IRI: two that are equal stand for the same one
     */
    default boolean iriAgain(Object key) {
        return false;
    }

    /** A blank node; the label without {@code _:}. */
    void blankNode(byte[] bytes, int offset, int length);

    /** A literal without language and datatype. */
    void literal(byte[] bytes, int offset, int length);

    /** A literal with a language tag, which may end in a base direction ({@code --ltr}, {@code --rtl}). */
    void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength);

    /** A literal with a datatype; {@code xsd:string} is possible. */
    void typedLiteral(byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset, int datatypeLength);

    /** A triple term begins. */
    void startTriple();

    /** A triple term ends. */
    void endTriple();
}
