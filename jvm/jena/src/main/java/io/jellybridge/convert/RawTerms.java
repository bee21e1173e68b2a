package io.jellybridge.convert;

import io.jellybridge.codec.CanonicalBuffer;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermSource;
import io.jellybridge.codec.TermVisitor;
import io.jellybridge.codec.Utf8Terms;
import java.util.Arrays;

/**
 * Terms as {@link Utf8Terms} has them, but for language tags, which stay in the case in which they came. For terms that
 * only pass through: they can't be compared by their bytes. For one thread.
 */
final class RawTerms implements TermFactory<byte[]>, TermSource<byte[]> {
    private final Utf8Terms terms = new Utf8Terms();
    private final CanonicalBuffer buffer = new CanonicalBuffer();
    private final boolean mendsTags;

    RawTerms() {
        this(false);
    }

    /** @param mendsTags make {@code -} of {@code _} in the language tags of terms that are made */
    RawTerms(boolean mendsTags) {
        this.mendsTags = mendsTags;
    }

    @Override
    public byte[] iri(byte[] prefix, byte[] name) {
        return terms.iri(prefix, name);
    }

    @Override
    public byte[] iri(byte[] prefix, byte[] name, int offset, int length) {
        return terms.iri(prefix, name, offset, length);
    }

    @Override
    public byte[] blankNode(byte[] bytes, int offset, int length) {
        return terms.blankNode(bytes, offset, length);
    }

    @Override
    public byte[] literal(byte[] bytes, int offset, int length) {
        return terms.literal(bytes, offset, length);
    }

    @Override
    public byte[] langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
        buffer.clear();
        buffer.append('"');
        buffer.appendString(bytes, offset, length);
        buffer.append('"');
        buffer.append('@');
        if (mendsTags) {
            buffer.append(RdfTerms.mendedTag(bytes, langOffset, langLength), 0, langLength);
        } else {
            buffer.append(bytes, langOffset, langLength);
        }
        return Arrays.copyOf(buffer.array(), buffer.size());
    }

    @Override
    public byte[] typedLiteral(byte[] bytes, int offset, int length, byte[] datatype) {
        return terms.typedLiteral(bytes, offset, length, datatype);
    }

    @Override
    public byte[] tripleTerm(byte[] subject, byte[] predicate, byte[] object) {
        return terms.tripleTerm(subject, predicate, object);
    }

    @Override
    public byte[] defaultGraph() {
        return terms.defaultGraph();
    }

    @Override
    public void visit(byte[] term, TermVisitor visitor) {
        terms.visit(term, visitor);
    }
}
