package io.jellybridge.codec;

import io.jellybridge.wire.Utf8;
import java.util.Arrays;
import java.util.Objects;

/**
 * Terms as text in canonical RDF 1.2 N-Triples, in UTF-8: two terms are equal exactly when their bytes are. Makes such
 * terms, and takes them apart again. For one thread.
 *
 * <p>What is written how is for {@link CanonicalTerms} to say. In short: {@code <iri>}, {@code _:label},
 * {@code "lexical"}, {@code "lexical"@lang} in lower case, {@code "lexical"^^<datatype>} but never for
 * {@code xsd:string}, {@code <<( s p o )>>}. The default graph is null.
 */
public final class Utf8Terms implements TermFactory<byte[]>, TermSource<byte[]> {

    /** How deep triple terms may be nested, unless told otherwise. */
    public static final int DEFAULT_MAX_NESTING = 64;

    private static final int TRIPLE_OVERHEAD = "<<(    )>>".length();

    private final NTriplesParser parser;

    public Utf8Terms() {
        this(DEFAULT_MAX_NESTING);
    }

    /** @param maxNesting how deep triple terms may be nested in a term that {@link #visit} shows */
    public Utf8Terms(int maxNesting) {
        parser = new NTriplesParser(maxNesting);
    }

    @Override
    public byte[] iri(byte[] prefix, byte[] name) {
        int prefixLength = CanonicalTerms.iriLength(prefix, 0, prefix.length);
        int nameLength = CanonicalTerms.iriLength(name, 0, name.length);
        byte[] term = new byte[Math.addExact(prefixLength, nameLength) + 2];
        term[0] = '<';
        int at = CanonicalTerms.putIri(prefix, 0, prefix.length, prefixLength, term, 1);
        at = CanonicalTerms.putIri(name, 0, name.length, nameLength, term, at);
        term[at] = '>';
        return term;
    }

    @Override
    public byte[] iri(byte[] prefix, byte[] name, int offset, int length) {
        int escaped = CanonicalTerms.iriLength(name, offset, length);
        byte[] term = Arrays.copyOf(prefix, Math.addExact(prefix.length, escaped));
        CanonicalTerms.putIri(name, offset, length, escaped, term, prefix.length - 1);
        term[term.length - 1] = '>';
        return term;
    }

    /** Copying text and checking it are one pass here. */
    @Override
    public boolean checksText() {
        return true;
    }

    @Override
    public byte[] blankNode(byte[] bytes, int offset, int length) {
        Utf8.check(bytes, offset, length);
        byte[] term = new byte[length + 2];
        term[0] = '_';
        term[1] = ':';
        System.arraycopy(bytes, offset, term, 2, length);
        return term;
    }

    @Override
    public byte[] literal(byte[] bytes, int offset, int length) {
        return quoted(bytes, offset, length, 0);
    }

    /** @throws IllegalArgumentException the tag is empty, or has other characters than letters, digits, - and _ */
    @Override
    public byte[] langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
        checkLanguageTag(bytes, langOffset, langLength);
        byte[] term = quoted(bytes, offset, length, langLength + 1);
        int at = term.length - langLength;
        term[at - 1] = '@';
        CanonicalTerms.putLanguageTag(bytes, langOffset, langLength, term, at);
        return term;
    }

    private static void checkLanguageTag(byte[] bytes, int offset, int length) {
        boolean legal = length > 0;
        for (int i = offset; legal && i < offset + length; i++) {
            legal = RdfTerms.isReadInTag(bytes[i]);
        }
        if (!legal) {
            throw new IllegalArgumentException("\"" + Utf8Chars.excerpt(bytes, offset, offset + length)
                    + "\" as a language tag; write letters, digits, '-' and '_' only, such as en-gb");
        }
    }

    @Override
    public byte[] typedLiteral(byte[] bytes, int offset, int length, byte[] datatype) {
        if (CanonicalTerms.isXsdString(datatype)) {
            return literal(bytes, offset, length);
        }
        byte[] term = quoted(bytes, offset, length, datatype.length + 2);
        int at = term.length - datatype.length;
        term[at - 2] = '^';
        term[at - 1] = '^';
        System.arraycopy(datatype, 0, term, at, datatype.length);
        return term;
    }

    /** A lexical form in quotes, with room for so many bytes behind it. */
    private static byte[] quoted(byte[] bytes, int offset, int length, int room) {
        int escaped = length;
        if (!EscapeScan.isPlainString(bytes, offset, length)) {
            Utf8.check(bytes, offset, length);
            escaped = CanonicalTerms.escapedStringLength(bytes, offset, length);
        }
        byte[] term = new byte[Math.addExact(escaped, room + 2)];
        int at = CanonicalTerms.putString(bytes, offset, length, escaped, term, 1);
        term[0] = '"';
        term[at] = '"';
        return term;
    }

    @Override
    public byte[] tripleTerm(byte[] subject, byte[] predicate, byte[] object) {
        int subjectLength = innerLength(subject);
        int predicateLength = innerLength(predicate);
        int objectLength = innerLength(object);
        byte[] term = new byte[Math.toIntExact(
                (long) subjectLength + predicateLength + objectLength + TRIPLE_OVERHEAD)];
        term[0] = '<';
        term[1] = '<';
        term[2] = '(';
        term[3] = ' ';
        int at = putInner(subject, subjectLength, term, 4);
        term[at++] = ' ';
        at = putInner(predicate, predicateLength, term, at);
        term[at++] = ' ';
        at = putInner(object, objectLength, term, at);
        term[at++] = ' ';
        term[at++] = ')';
        term[at++] = '>';
        term[at] = '>';
        return term;
    }

    /** The length of a term inside a triple term: only a blank node's label is written otherwise there. */
    private static int innerLength(byte[] term) {
        return term[0] == '_' ? CanonicalTerms.labelLength(term, 2, term.length - 2) + 2 : term.length;
    }

    private static int putInner(byte[] term, int innerLength, byte[] target, int at) {
        if (innerLength == term.length) {
            System.arraycopy(term, 0, target, at, innerLength);
            return at + innerLength;
        }
        target[at] = '_';
        target[at + 1] = ':';
        return CanonicalTerms.putLabel(term, 2, term.length - 2, innerLength - 2, target, at + 2);
    }

    /** Null: a column without a graph is the default graph. */
    @Override
    public byte[] defaultGraph() {
        return null;
    }

    /**
     * Shows a term, canonical or not: every way to write a term that N-Triples 1.2 has is taken, and
     * {@code << s p o >>} too. A range may be of {@code term} itself.
     *
     * @throws TermSyntaxException the text is no term
     */
    @Override
    public void visit(byte[] term, TermVisitor visitor) {
        parser.visit(Objects.requireNonNull(term, "term"), visitor);
    }

    @Override
    public boolean isSame(byte[] a, byte[] b) {
        return Arrays.equals(a, b);
    }
}
