package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Writes the terms that it is shown as canonical N-Triples into a buffer; what is written how is for {@link
 * CanonicalTerms} to say. A subclass may write some parts in another way, or look at them
 * before. For one thread.
 */
public class CanonicalWriter implements TermVisitor {

    /** What was written. */
    protected final CanonicalBuffer text = new CanonicalBuffer();
    private final boolean keepsTags;
    private final boolean spaced;
    /** How many triple terms are open. */
    private int depth;

    /**
     * @param keepsTags leave the case of language tags as it is; terms are canonical but for that
     * @param spaced    put a space before each term, as there is one in triple terms anyway
     */
    public CanonicalWriter(boolean keepsTags, boolean spaced) {
        this.keepsTags = keepsTags;
        this.spaced = spaced;
    }

    public final CanonicalBuffer text() {
        return text;
    }

    /** Starts anew, also after a term that was not shown to its end. */
    public final void clear() {
        text.clear();
        depth = 0;
    }

    /** How many triple terms are open. */
    protected final int depth() {
        return depth;
    }

    protected final void append(String ascii) {
        byte[] bytes = ascii.getBytes(US_ASCII);
        text.append(bytes, 0, bytes.length);
    }

    // --- the parts of terms

    /** Begins a term or another item. */
    protected void begin() {
        if (spaced || depth > 0) {
            text.append(' ');
        }
    }

    /** An IRI, also one that is a datatype. */
    protected void angle(byte[] bytes, int offset, int length) {
        text.append('<');
        text.appendIri(bytes, offset, length);
        text.append('>');
    }

    protected void label(byte[] bytes, int offset, int length) {
        text.append('_');
        text.append(':');
        if (depth == 0) {
            text.append(bytes, offset, length);
        } else {
            text.appendLabel(bytes, offset, length);
        }
    }

    protected void quoted(byte[] bytes, int offset, int length) {
        text.append('"');
        text.appendString(bytes, offset, length);
        text.append('"');
    }

    // --- terms

    @Override
    public void iri(byte[] bytes, int offset, int length) {
        begin();
        angle(bytes, offset, length);
    }

    @Override
    public void blankNode(byte[] bytes, int offset, int length) {
        begin();
        label(bytes, offset, length);
    }

    @Override
    public void literal(byte[] bytes, int offset, int length) {
        begin();
        quoted(bytes, offset, length);
    }

    @Override
    public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
        begin();
        quoted(bytes, offset, length);
        text.append('@');
        if (keepsTags) {
            text.append(lang, langOffset, langLength);
        } else {
            text.appendLanguageTag(lang, langOffset, langLength);
        }
    }

    @Override
    public void typedLiteral(
            byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset, int datatypeLength) {
        begin();
        quoted(bytes, offset, length);
        if (!CanonicalTerms.isXsdString(datatype, datatypeOffset, datatypeLength)) {
            text.append('^');
            text.append('^');
            angle(datatype, datatypeOffset, datatypeLength);
        }
    }

    @Override
    public void startTriple() {
        begin();
        append("<<(");
        depth++;
    }

    @Override
    public void endTriple() {
        append(" )>>");
        depth--;
    }
}
