package io.jellybridge.codec;

/**
 * Makes terms of the bytes of a stream. What a term is, is the factory's choice: {@link Utf8Terms} makes canonical
 * N-Triples bytes, the Jena side makes {@code Node}s.
 *
 * <p>Every range of bytes is valid UTF-8 (but see {@link #checksText()}), unescaped, and belongs to the reader: copy what
 * is kept. Language tags come as they were written. A factory serves one thread at a time.
 *
 * @param <T> what a term is; immutable
 */
public interface TermFactory<T> {

    /** An IRI: the prefix and the name, joined. */
    T iri(byte[] prefix, byte[] name);

    /** An IRI: the prefix, which {@link #iri(byte[], byte[])} made of a part of an IRI, and the name, joined. */
    T iri(T prefix, byte[] name, int offset, int length);

    /** A blank node; the label is any string, without {@code _:}. */
    T blankNode(byte[] bytes, int offset, int length);

    /** A literal without language and datatype, that is an {@code xsd:string}. */
    T literal(byte[] bytes, int offset, int length);

    /**
     * A literal with a language tag; the tag may end in a base direction, {@code --ltr} or {@code --rtl} (RDF 1.2).
     * Both ranges are of the same array.
     */
    T langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength);

    /**
     * A literal with a datatype.
     *
     * @param datatype the datatype's IRI, as {@link #iri} made it; {@code xsd:string} is possible
     */
    T typedLiteral(byte[] bytes, int offset, int length, T datatype);

    /** A quoted triple (RDF-star), a triple term (RDF 1.2). */
    T tripleTerm(T subject, T predicate, T object);

    /**
     * Whether the labels of blank nodes and the lexical forms of literals may come unchecked: this factory throws what
     * {@link io.jellybridge.wire.Utf8#check} does for one that is not UTF-8. Worth it where copying and checking are one
     * pass.
     */
    default boolean checksText() {
        return false;
    }

    /** The name of the default graph of a QUADS stream; may be null. */
    T defaultGraph();
}
