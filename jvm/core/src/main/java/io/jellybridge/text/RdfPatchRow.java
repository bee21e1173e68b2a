package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.CanonicalBuffer;
import io.jellybridge.codec.CanonicalTerms;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.codec.TermSource;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.codec.TermVisitor;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.wire.Utf8;
import java.io.IOException;
import java.io.OutputStream;

/**
 * One row of RDF Patch text in the making: it goes out whole or not at all. Writes terms in the canonical form of
 * {@link RdfPatchDialect}, and says what may stand where. For one thread.
 *
 * @param <T> what a term is
 */
final class RdfPatchRow<T> implements TermVisitor {

    /** Makes the error for the row. */
    @FunctionalInterface
    interface Refusal {
        FormatException refuse(String found, String advice);
    }

    private static final String GENERALIZED = "correct it, or write with generalized statements";
    private static final String NOT_UTF8 = "write text that is valid Unicode";

    private final TermSource<T> terms;
    private final RdfPatchWriteOptions options;
    private final Refusal refusal;
    private final CanonicalBuffer line = new CanonicalBuffer();
    /** The positions of the triple terms that are open, from the outermost on. */
    private final TermPosition[] outer = new TermPosition[Utf8Terms.DEFAULT_MAX_NESTING];
    private int depth;
    private TermPosition position;
    /** Where the last token starts in the line. */
    private int token;

    RdfPatchRow(TermSource<T> terms, RdfPatchWriteOptions options, Refusal refusal) {
        this.terms = terms;
        this.options = options;
        this.refusal = refusal;
    }

    /** Starts another row, whatever became of the one before. */
    void begin(String code) {
        line.clear();
        append(code);
    }

    void term(TermPosition at, T term) {
        if (term == null) {
            throw refusal.refuse("no " + at, "give the term");
        }
        position = at;
        depth = 0;
        try {
            terms.visit(term, this);
        } catch (TermSyntaxException e) {
            throw refusal.refuse(
                    "no RDF term as the " + at + ": " + e.found() + " at byte " + e.offset() + " of " + e.text(),
                    e.advice());
        } catch (IllegalArgumentException e) {
            throw refusal.refuse("no RDF term as the " + at + ": " + e.getMessage(), "correct the term");
        }
    }

    /** The graph; none for the default graph. */
    void graph(T graph) {
        if (graph != null) {
            term(TermPosition.GRAPH, graph);
        }
    }

    /** A text in quotes. */
    void quoted(byte[] text) {
        checkUtf8(text, 0, text.length);
        space();
        string(text, 0, text.length);
        checkToken();
    }

    /** The key of a header: bare where it is a plain word. */
    void key(byte[] key) {
        if (isPlainWord(key)) {
            space();
            line.append(key, 0, key.length);
            checkToken();
        } else {
            quoted(key);
        }
    }

    private static boolean isPlainWord(byte[] key) {
        for (int i = 0; i < key.length; i++) {
            byte b = key[i];
            boolean letter = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
            if (!letter && (i == 0 || b != '-' && b != '_' && (b < '0' || b > '9'))) {
                return false;
            }
        }
        return key.length > 0;
    }

    /** Ends the row and writes it. */
    void writeTo(OutputStream out) throws IOException {
        append(" .\n");
        out.write(line.array(), 0, line.size());
    }

    // --- the parts of terms

    @Override
    public void iri(byte[] bytes, int offset, int length) {
        space();
        angle(bytes, offset, length);
        endToken();
    }

    private void angle(byte[] iri, int offset, int length) {
        checkUtf8(iri, offset, length);
        check(RdfTerms.startFault(iri, offset, length, options.relativeIris()));
        line.append('<');
        int start = line.size();
        line.appendIri(iri, offset, length);
        if (line.size() - start != length) { // something was escaped, which no IRI may have
            check(RdfTerms.characterFault(iri, offset, length));
        }
        line.append('>');
    }

    @Override
    public void blankNode(byte[] bytes, int offset, int length) {
        checkPlace(position.takesBlankNode(), "a blank node");
        checkUtf8(bytes, offset, length);
        space();
        append("<_:");
        line.appendIri(bytes, offset, length);
        line.append('>');
        endToken();
    }

    @Override
    public void literal(byte[] bytes, int offset, int length) {
        lexical(bytes, offset, length);
        endToken();
    }

    @Override
    public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
        lexical(bytes, offset, length);
        check(RdfTerms.languageTagFault(lang, langOffset, langLength));
        line.append('@');
        line.append(lang, langOffset, langLength);
        endToken();
    }

    @Override
    public void typedLiteral(byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset,
            int datatypeLength) {
        lexical(bytes, offset, length);
        check(RdfTerms.datatypeFault(datatype, datatypeOffset, datatypeLength));
        if (!CanonicalTerms.isXsdString(datatype, datatypeOffset, datatypeLength)) {
            append("^^");
            angle(datatype, datatypeOffset, datatypeLength);
        }
        endToken();
    }

    private void lexical(byte[] bytes, int offset, int length) {
        checkPlace(position.takesLiteral(), "a literal");
        checkUtf8(bytes, offset, length);
        space();
        string(bytes, offset, length);
    }

    @Override
    public void startTriple() {
        if (position == TermPosition.GRAPH) {
            throw refusal.refuse("a triple term as the graph", "name the graph by an IRI or a blank node");
        }
        checkPlace(position.takesTripleTerm(), "a triple term");
        if (depth == outer.length) {
            throw refusal.refuse("a triple term inside " + depth + " others", "readers refuse it; nest them less deep");
        }
        outer[depth++] = position;
        position = TermPosition.SUBJECT;
        append(" <<(");
    }

    @Override
    public void endTriple() {
        position = outer[--depth];
        append(" )>>");
        done();
    }

    @Override
    public void defaultGraph() {
        if (position != TermPosition.GRAPH) {
            throw refusal.refuse("the default graph as the " + position, "correct the term");
        }
    }

    /** Ends a term that is one token. */
    private void endToken() {
        checkToken();
        done();
    }

    private void checkToken() {
        int length = line.size() - token;
        if (length > options.maxTokenBytes()) {
            throw refusal.refuse("a token of " + length + " bytes, where maxTokenBytes is " + options.maxTokenBytes(),
                    "raise maxTokenBytes, here and for the readers");
        }
    }

    /** Goes on to the next position of the triple term, if the term was in one. */
    private void done() {
        if (depth > 0) {
            position = position.next();
        }
    }

    private void check(RdfTerms.Fault fault) {
        if (fault != null) {
            throw refusal.refuse("no RDF term as the " + position + ": " + fault.found(), fault.advice());
        }
    }

    private void checkPlace(boolean plain, String what) {
        if (!plain && position == TermPosition.NAMESPACE) {
            throw refusal.refuse("a namespace that is not an IRI", "give the namespace's IRI");
        }
        if (!plain && !options.generalized()) {
            throw refusal.refuse(what + " as the " + position, GENERALIZED);
        }
    }

    private void checkUtf8(byte[] bytes, int offset, int length) {
        if (Utf8.firstInvalid(bytes, offset, length) >= 0) {
            throw refusal.refuse("bytes that are not UTF-8", NOT_UTF8);
        }
    }

    private void space() {
        line.append(' ');
        token = line.size();
    }

    private void string(byte[] text, int offset, int length) {
        line.append('"');
        line.appendString(text, offset, length);
        line.append('"');
    }

    private void append(String ascii) {
        byte[] bytes = ascii.getBytes(US_ASCII);
        line.append(bytes, 0, bytes.length);
    }
}
