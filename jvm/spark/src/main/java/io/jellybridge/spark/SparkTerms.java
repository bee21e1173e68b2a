package io.jellybridge.spark;

import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A factory of terms as Spark strings, in canonical N-Triples; see {@link Utf8Terms}. The default graph is null. Not
 * thread-safe.
 */
final class SparkTerms implements TermFactory<UTF8String> {
    private final Utf8Terms terms = new Utf8Terms();

    private static UTF8String toText(byte[] term) {
        return UTF8String.fromBytes(term);
    }

    /** Returns the bytes of a term from this factory, which fill their array. */
    private static byte[] toBytes(UTF8String term) {
        return (byte[]) term.getBaseObject();
    }

    @Override
    public UTF8String iri(byte[] prefix, byte[] name) {
        return toText(terms.iri(prefix, name));
    }

    @Override
    public UTF8String iri(UTF8String prefix, byte[] name, int offset, int length) {
        return toText(terms.iri(toBytes(prefix), name, offset, length));
    }

    @Override
    public boolean checksText() {
        return terms.checksText();
    }

    @Override
    public UTF8String blankNode(byte[] bytes, int offset, int length) {
        return toText(terms.blankNode(bytes, offset, length));
    }

    @Override
    public UTF8String literal(byte[] bytes, int offset, int length) {
        return toText(terms.literal(bytes, offset, length));
    }

    @Override
    public UTF8String langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
        return toText(terms.langLiteral(bytes, offset, length, langOffset, langLength));
    }

    @Override
    public UTF8String typedLiteral(byte[] bytes, int offset, int length, UTF8String datatype) {
        return toText(terms.typedLiteral(bytes, offset, length, toBytes(datatype)));
    }

    @Override
    public UTF8String tripleTerm(UTF8String subject, UTF8String predicate, UTF8String object) {
        return toText(terms.tripleTerm(toBytes(subject), toBytes(predicate), toBytes(object)));
    }

    @Override
    public UTF8String defaultGraph() {
        return null;
    }
}
