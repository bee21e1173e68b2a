package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.CanonicalWriter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.TermDialect;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.codec.TermSource;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.wire.Utf8;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * An unfinished row of RDF Patch text, which is written whole or not at all. It writes terms in the canonical form of {@link
 * RdfPatchDialect}, and checks which term a position allows. Not thread-safe.
 *
 * @param <T> the type of a term
 */
final class RdfPatchRow<T> extends CanonicalWriter {

    /** Creates the error for the row. */
    @FunctionalInterface
    interface Refusal {
        FormatException refuse(String found, String advice);
    }

    private static final String GENERALIZED = "correct it, or write with generalized statements";

    private final TermSource<T> terms;
    private final RdfPatchWriteOptions options;
    private final Refusal refusal;
    /** The positions of the open triple terms, outermost first. */
    private final TermPosition[] outer = new TermPosition[TermDialect.MAX_NESTING];
    private TermPosition position;
    /** The start of the last token in the line. */
    private int token;
    /** The start of the last triple term that is in no other. */
    private int triple;

    RdfPatchRow(TermSource<T> terms, RdfPatchWriteOptions options, Refusal refusal) {
        super(true, true);
        this.terms = terms;
        this.options = options;
        this.refusal = refusal;
    }

    /** Begins another row and drops an unfinished one. */
    void begin(String code) {
        clear();
        append(code);
    }

    void writeTerm(TermPosition at, T term) {
        if (term == null) {
            throw refusal.refuse("no " + at, "give the term");
        }
        position = at;
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

    /** Appends the graph, or nothing for the default graph. */
    void writeGraph(T graph) {
        if (!terms.isDefaultGraph(graph)) {
            writeTerm(TermPosition.GRAPH, graph);
        }
    }

    /** Appends a text in quotes. */
    void writeString(byte[] string) {
        if (Utf8.firstInvalid(string, 0, string.length) >= 0) {
            throw refusal.refuse("bytes that are not UTF-8", "write text that is valid Unicode");
        }
        begin();
        writeQuoted(string, 0, string.length);
        checkToken();
    }

    /** Appends the key of a header, without quotes if it is a plain word. */
    void writeKey(byte[] key) {
        if (isPlainWord(key)) {
            begin();
            text.append(key, 0, key.length);
            checkToken();
        } else {
            writeString(key);
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
        out.write(text.array(), 0, text.size());
    }

    // --- the parts of terms

    /** Begins a term, of one or of several tokens. */
    @Override
    protected void begin() {
        super.begin();
        token = text.size();
    }

    @Override
    protected void writeIri(byte[] iri, int offset, int length) {
        checkFault(RdfTerms.iriStartFault(iri, offset, length, options.relativeIris()));
        int start = text.size();
        super.writeIri(iri, offset, length);
        if (text.size() - start != length + 2) { // something was escaped, which an IRI must not contain
            checkFault(RdfTerms.characterFault(iri, offset, length));
        }
    }

    @Override
    protected void writeLabel(byte[] bytes, int offset, int length) {
        append("<_:");
        text.appendIri(bytes, offset, length);
        text.append('>');
    }

    // --- terms, where they may stand

    @Override
    public void iri(byte[] bytes, int offset, int length) {
        if (position == TermPosition.GRAPH) {
            checkGraph(bytes, offset, length);
        }
        super.iri(bytes, offset, length);
        endToken();
    }

    @Override
    public void blankNode(byte[] bytes, int offset, int length) {
        checkPlace(position.takesBlankNode(), "a blank node");
        super.blankNode(bytes, offset, length);
        endToken();
    }

    @Override
    public void literal(byte[] bytes, int offset, int length) {
        checkPlace(position.takesLiteral(), "a literal");
        super.literal(bytes, offset, length);
        endToken();
    }

    @Override
    public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
        checkPlace(position.takesLiteral(), "a literal");
        checkFault(RdfTerms.languageTagFault(lang, langOffset, langLength));
        super.langLiteral(bytes, offset, length, lang, langOffset, langLength);
        endToken();
    }

    @Override
    public void typedLiteral(byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset,
            int datatypeLength) {
        checkPlace(position.takesLiteral(), "a literal");
        checkFault(RdfTerms.datatypeFault(datatype, datatypeOffset, datatypeLength));
        super.typedLiteral(bytes, offset, length, datatype, datatypeOffset, datatypeLength);
        endToken();
    }

    @Override
    public void startTriple() {
        if (position == TermPosition.GRAPH) {
            throw refusal.refuse("a triple term as the graph", "name the graph by an IRI or a blank node");
        }
        checkPlace(position.takesTripleTerm(), "a triple term");
        if (depth() == outer.length) {
            throw refusal.refuse("a triple term inside " + depth() + " others", "readers refuse it; nest them less deep");
        }
        triple = depth() == 0 ? text.size() : triple;
        outer[depth()] = position;
        position = TermPosition.SUBJECT;
        super.startTriple();
    }

    @Override
    public void endTriple() {
        super.endTriple();
        int limit = RdfPatchText.maxTripleBytes(options.maxTokenBytes());
        if (depth() == 0 && text.size() - triple > limit) {
            throw refusal.refuse("a triple term of " + (text.size() - triple) + " bytes, above the limit of " + limit,
                    "raise maxTokenBytes, here and for the readers");
        }
        position = outer[depth()];
        done();
    }

    /** Ends a term of one token. */
    private void endToken() {
        checkToken();
        done();
    }

    private void checkToken() {
        int length = text.size() - token;
        if (length > options.maxTokenBytes()) {
            throw refusal.refuse("a token of " + length + " bytes, where maxTokenBytes is " + options.maxTokenBytes(),
                    "raise maxTokenBytes, here and for the readers");
        }
    }

    /** Moves to the next position of the triple term, if the term is in one. */
    private void done() {
        if (depth() > 0) {
            position = position.next();
        }
    }

    private void checkGraph(byte[] iri, int offset, int length) {
        for (byte[] name : RdfPatchTermReader.DEFAULT_GRAPHS) {
            if (Arrays.equals(iri, offset, offset + length, name, 0, name.length)) {
                throw refusal.refuse("a graph <" + new String(name, US_ASCII) + ">, which RDF Patch has for the default graph",
                        "give the graph another name, or leave it out");
            }
        }
    }

    private void checkFault(RdfTerms.Fault fault) {
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
}
