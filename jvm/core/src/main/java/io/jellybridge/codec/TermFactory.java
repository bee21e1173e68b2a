package io.jellybridge.codec;

/**
 * Creates terms from the bytes of a stream. The factory chooses the type of a term: {@link Utf8Terms} creates canonical
 * N-Triples bytes, and the Jena side creates {@code Node}s.
 *
 * <p>Every range of bytes is valid UTF-8 (with an exception, see {@link #checksText()}) without escapes. It belongs to the
 * reader, so the factory must copy it. Language tags keep their case. A factory serves one thread at a time.
 * @param <T> the type of a term; immutable
 */
public interface TermFactory<T> {

    /** Creates an IRI from a prefix and a name. */
    T iri(byte[] prefix, byte[] name);

    /** Creates an IRI from a name and a prefix, which {@link #iri(byte[], byte[])} created from a part of an IRI. */
    T iri(T prefix, byte[] name, int offset, int length);

    /** Creates a blank node. The label is any string, without {@code _:}. */
    T blankNode(byte[] bytes, int offset, int length);

    /** Creates a literal without language and datatype, which is an {@code xsd:string}. */
    T literal(byte[] bytes, int offset, int length);

    /**
     * Creates a literal with a language tag, which may end in a base direction, {@code --ltr} or {@code --rtl} (RDF 1.2). Both
     * ranges are of the same array.
     */
    T langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength);

    /**
     * Creates a literal with a datatype.
     *
     * @param datatype the datatype's IRI, as {@link #iri} created it; may be {@code xsd:string}
     */
    T typedLiteral(byte[] bytes, int offset, int length, T datatype);

    /** Creates a quoted triple (RDF-star), which is a triple term (RDF 1.2). */
    T tripleTerm(T subject, T predicate, T object);

    /**
     * Returns true if this factory checks the UTF-8 of labels and lexical forms itself, and throws what {@link
     * io.jellybridge.wire.Utf8#check} throws. That is faster if it copies and checks in one pass.
     */
    default boolean checksText() {
        return false;
    }

    /** Returns the name of the default graph of a QUADS stream; may be null. */
    T defaultGraph();
}
