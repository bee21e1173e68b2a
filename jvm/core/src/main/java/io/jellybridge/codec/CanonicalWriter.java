package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A visitor that writes terms as canonical N-Triples into a buffer, by the rules of {@link CanonicalTerms}. Subclasses may
 * check a part first or write it in another form. Not thread-safe.
 */
public class CanonicalWriter implements TermVisitor {

    /** The text so far. */
    protected final CanonicalBuffer text = new CanonicalBuffer();
    private final boolean keepsTags;
    private final boolean spaced;
    /** The number of open triple terms. */
    private int depth;

    /**
     * Creates a writer.
     *
     * @param keepsTags keep the case of language tags; terms are canonical otherwise
     * @param spaced    write a space before each term, as there is one in triple terms anyway
     */
    public CanonicalWriter(boolean keepsTags, boolean spaced) {
        this.keepsTags = keepsTags;
        this.spaced = spaced;
    }

    public final CanonicalBuffer text() {
        return text;
    }

    /** Clears the text, even after an incomplete term. */
    public final void clear() {
        text.clear();
        depth = 0;
    }

    /** Returns the number of open triple terms. */
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

    /** Writes an IRI or a datatype. */
    protected void writeIri(byte[] bytes, int offset, int length) {
        text.append('<');
        text.appendIri(bytes, offset, length);
        text.append('>');
    }

    protected void writeLabel(byte[] bytes, int offset, int length) {
        text.append('_');
        text.append(':');
        if (depth == 0) {
            text.append(bytes, offset, length);
        } else {
            text.appendLabel(bytes, offset, length);
        }
    }

    protected void writeQuoted(byte[] bytes, int offset, int length) {
        text.append('"');
        text.appendString(bytes, offset, length);
        text.append('"');
    }

    // --- terms

    @Override
    public void iri(byte[] bytes, int offset, int length) {
        begin();
        writeIri(bytes, offset, length);
    }

    @Override
    public void blankNode(byte[] bytes, int offset, int length) {
        begin();
        writeLabel(bytes, offset, length);
    }

    @Override
    public void literal(byte[] bytes, int offset, int length) {
        begin();
        writeQuoted(bytes, offset, length);
    }

    @Override
    public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
        begin();
        writeQuoted(bytes, offset, length);
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
        writeQuoted(bytes, offset, length);
        if (!CanonicalTerms.isXsdString(datatype, datatypeOffset, datatypeLength)) {
            text.append('^');
            text.append('^');
            writeIri(datatype, datatypeOffset, datatypeLength);
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
