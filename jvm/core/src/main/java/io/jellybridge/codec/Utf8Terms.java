package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.wire.Utf8;
import java.util.Arrays;
import java.util.Objects;

/**
 * Terms as canonical RDF 1.2 N-Triples in UTF-8: two terms are equal exactly if their bytes are. The class creates such terms
 * and shows them to visitors. Not thread-safe.
 *
 * <p>{@link CanonicalTerms} defines the form. In short: {@code <iri>}, {@code _:label}, {@code "lexical"}, {@code
 * "lexical"@lang} in lower case, {@code "lexical"^^<datatype>} but never for {@code xsd:string}, {@code <<( s p o )>>}. The
 * default graph is null.
 */
public final class Utf8Terms implements TermFactory<byte[]>, TermSource<byte[]> {

    private static final int TRIPLE_OVERHEAD = "<<(    )>>".length();

    private final TermScanner scanner = new TermScanner();
    private final TermGrammar grammar;
    private final CanonicalBuffer escaped = new CanonicalBuffer();
    private final boolean keepsTags;
    private final boolean mendsTags;

    public Utf8Terms() {
        this(TermDialect.MAX_NESTING);
    }

    /**
     * Creates a factory.
     *
     * @param maxNesting the depth limit of nested triple terms in a term that {@link #visit} shows
     */
    public Utf8Terms(int maxNesting) {
        this(maxNesting, false, false);
    }

    private Utf8Terms(int maxNesting, boolean keepsTags, boolean mendsTags) {
        this.grammar = new TermGrammar(scanner, TermDialect.ofTerms(maxNesting));
        this.keepsTags = keepsTags;
        this.mendsTags = mendsTags;
    }

    /**
     * Returns a factory that keeps the case of language tags, for terms that only pass through and are not compared by their
     * bytes.
     *
     * @param mendsTags replace {@code _} by {@code -} in the language tags of created terms
     */
    public static Utf8Terms keepingTags(boolean mendsTags) {
        return new Utf8Terms(TermDialect.MAX_NESTING, true, mendsTags);
    }

    /** Returns a factory of canonical terms that replaces {@code _} by {@code -} in language tags. */
    public static Utf8Terms mendingTags() {
        return new Utf8Terms(TermDialect.MAX_NESTING, false, true);
    }

    /** Returns an IRI as a term, without escaping it. */
    public static byte[] toTerm(String iri) {
        return ("<" + iri + ">").getBytes(UTF_8);
    }

    /** Returns the IRI of a term that is one, without unescaping it. */
    public static String toIri(byte[] term) {
        return new String(term, 1, term.length - 2, UTF_8);
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

    /** {@inheritDoc} Here, text is copied and checked in one pass. */
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
        return toQuoted(bytes, offset, length, 0);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException the tag is empty, or has other characters than letters, digits, - and _; not if the case
     *                                  of tags is kept
     */
    @Override
    public byte[] langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
        byte[] term = toQuoted(bytes, offset, length, langLength + 1);
        int at = term.length - langLength;
        term[at - 1] = '@';
        if (keepsTags) {
            System.arraycopy(bytes, langOffset, term, at, langLength);
        } else {
            checkLanguageTag(bytes, langOffset, langLength);
            CanonicalTerms.putLanguageTag(bytes, langOffset, langLength, term, at);
        }
        if (mendsTags) {
            RdfTerms.mendTag(term, at, langLength);
        }
        return term;
    }

    private static void checkLanguageTag(byte[] bytes, int offset, int length) {
        boolean legal = length > 0;
        for (int i = offset; legal && i < offset + length; i++) {
            legal = RdfTerms.isReadInTag(bytes[i]);
        }
        if (!legal) {
            throw new IllegalArgumentException("\"" + Utf8Chars.excerptAt(bytes, offset, offset + length)
                    + "\" as a language tag; write letters, digits, '-' and '_' only, such as en-gb");
        }
    }

    @Override
    public byte[] typedLiteral(byte[] bytes, int offset, int length, byte[] datatype) {
        if (CanonicalTerms.isXsdString(datatype)) {
            return literal(bytes, offset, length);
        }
        byte[] term = toQuoted(bytes, offset, length, datatype.length + 2);
        int at = term.length - datatype.length;
        term[at - 2] = '^';
        term[at - 1] = '^';
        System.arraycopy(datatype, 0, term, at, datatype.length);
        return term;
    }

    /** Returns a lexical form in quotes, with room for so many bytes after it. */
    private byte[] toQuoted(byte[] bytes, int offset, int length, int room) {
        if (EscapeScan.isPlainString(bytes, offset, length)) {
            return toQuotes(bytes, offset, length, room);
        }
        Utf8.check(bytes, offset, length);
        escaped.clear();
        escaped.appendEscapedString(bytes, offset, length);
        return toQuotes(escaped.array(), 0, escaped.size(), room);
    }

    private static byte[] toQuotes(byte[] bytes, int offset, int length, int room) {
        byte[] term = new byte[Math.addExact(length, room + 2)];
        term[0] = '"';
        System.arraycopy(bytes, offset, term, 1, length);
        term[length + 1] = '"';
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

    /** Returns the length of a term inside a triple term. Only the label of a blank node has another form there. */
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

    /** Returns null: a column without a graph is the default graph. */
    @Override
    public byte[] defaultGraph() {
        return null;
    }

    /**
     * Shows a term, canonical or not. It accepts every form of N-Triples 1.2, and {@code << s p o >>}. Any term is accepted at
     * any position of a triple term; the visitor decides which are legal. IRIs may be relative. The label of a blank node is
     * all bytes after {@code _:}. Inside a triple term the label ends at the next space, and {@code \}{@code uXXXX} in it is
     * decoded. The shown ranges may be parts of {@code term} itself.
     *
     * @throws TermSyntaxException the text is not a term; the visitor must then discard what it was shown
     */
    @Override
    public void visit(byte[] term, TermVisitor visitor) {
        Objects.requireNonNull(term, "term");
        int last = term.length - 1;
        if (last > 0 && term[0] == '<' && term[last] == '>' && visitor.visitKnownIri(term)) {
            return;
        }
        scanner.reset(term, 0, term.length);
        if (last > 0 && term[0] == '_' && term[1] == ':') {
            visitor.blankNode(term, 2, term.length - 2);
            return;
        }
        grammar.read(TermPosition.OBJECT);
        grammar.show(visitor);
        if (!scanner.atEnd()) {
            throw scanner.newError(scanner.position(), scanner.describeNext() + " after the end of a term",
                    "write one term and nothing after it");
        }
    }

    @Override
    public boolean isSame(byte[] a, byte[] b) {
        return Arrays.equals(a, b);
    }
}
