package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.CanonicalBuffer;
import io.jellybridge.codec.CanonicalTerms;
import io.jellybridge.codec.NTriplesScanner;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.TermSyntaxException;
import java.util.Arrays;

/**
 * Reads one line of N-Triples or N-Quads 1.2 into canonical terms. Strict: absolute IRIs, well-formed language tags,
 * labels by the grammar, triple terms as objects only.
 *
 * <p>A term comes as a range of an array, valid until the next call: of the line itself where that is canonical
 * already, which is the rule, so that nothing is copied. For one thread.
 */
public final class NQuadsParser {

    public static final int SUBJECT = 0;
    public static final int PREDICATE = 1;
    public static final int OBJECT = 2;
    /** The graph is not {@linkplain #isPresent there} when the statement is in the default graph. */
    public static final int GRAPH = 3;
    public static final int POSITIONS = 4;

    /** How deep triple terms may be nested. */
    public static final int MAX_NESTING = 64;

    private static final String[] NAMES = {"subject", "predicate", "object", "graph"};
    private static final String[] ALLOWED = {
        "an IRI or a blank node", "an IRI", "an IRI, a blank node, a literal or a triple term", "an IRI or a blank node"
    };
    private static final byte[] TRIPLE_START = "<<( ".getBytes(US_ASCII);
    private static final byte[] TRIPLE_END = ")>>".getBytes(US_ASCII);

    private final boolean rdfStar;
    private final boolean keepsTags;
    private final boolean mendsTags;
    private final NTriplesScanner scanner = new NTriplesScanner();
    private final CanonicalBuffer rewritten = new CanonicalBuffer();
    private final boolean[] inLine = new boolean[POSITIONS];
    private final int[] from = new int[POSITIONS];
    private final int[] to = new int[POSITIONS];
    private byte[] line;
    /** Whether the term is to be written, so that also its escapes must stand for what an IRI may have. */
    private boolean writes;

    /**
     * @param rdfStar take triple terms as subjects too, and {@code << s p o >>} for one, as files of RDF-star have it
     */
    public NQuadsParser(boolean rdfStar) {
        this(rdfStar, false, false);
    }

    /**
     * @param keepsTags leave the case of language tags as it is; terms are canonical but for that
     * @param mendsTags read {@code _} in a language tag as {@code -}
     */
    public NQuadsParser(boolean rdfStar, boolean keepsTags, boolean mendsTags) {
        this.rdfStar = rdfStar;
        this.keepsTags = keepsTags;
        this.mendsTags = mendsTags;
    }

    /** Whether the statement read last has a term there. */
    public boolean isPresent(int position) {
        return to[position] > from[position];
    }

    /** The array that holds the term of the statement read last. */
    public byte[] array(int position) {
        return inLine[position] ? line : rewritten.array();
    }

    public int offset(int position) {
        return from[position];
    }

    public int length(int position) {
        return to[position] - from[position];
    }

    /** A copy of the term of the statement read last; null for the default graph. */
    public byte[] term(int position) {
        return isPresent(position) ? Arrays.copyOfRange(array(position), from[position], to[position]) : null;
    }

    /**
     * Reads a line, without the characters that end it.
     *
     * @return false when it holds no statement: an empty line, a comment, or a {@code VERSION}
     * @throws TermSyntaxException the line is not N-Quads; the offset counts from {@code offset}
     */
    public boolean parse(byte[] bytes, int offset, int length) {
        writes = false;
        start(bytes, offset, length);
        scanner.skipSpaces();
        if (scanner.atEnd() || scanner.peek() == '#') {
            return false;
        }
        if (scanner.take("VERSION")) {
            version();
            return false;
        }
        read(SUBJECT);
        scanner.skipSpaces();
        read(PREDICATE);
        scanner.skipSpaces();
        read(OBJECT);
        scanner.skipSpaces();
        if (scanner.peek() == '.') {
            from[GRAPH] = 0;
            to[GRAPH] = 0;
        } else {
            read(GRAPH);
            scanner.skipSpaces();
        }
        if (!scanner.take(".")) {
            throw scanner.error(scanner.position(), scanner.describeNext() + " where the statement should end",
                    "end every statement with ' .', one to a line");
        }
        endOfLine();
        return true;
    }

    /**
     * Reads one term that is to be written, at {@code position} of a statement.
     *
     * @throws TermSyntaxException the text is no term, none of RDF 1.2, or none that may stand there
     */
    public void parseTerm(int position, byte[] bytes) {
        writes = true;
        start(bytes, 0, bytes.length);
        read(position);
        if (!scanner.atEnd()) {
            boolean blankNode = bytes[0] == '_';
            throw scanner.error(scanner.position(),
                    scanner.describeNext() + (blankNode ? " in the label of a blank node" : " after the end of a term"),
                    blankNode ? "give blank nodes labels of letters, digits, '_', '-' and inner dots"
                            : "write one term and nothing after it");
        }
    }

    private void start(byte[] bytes, int offset, int length) {
        line = bytes;
        rewritten.clear();
        scanner.reset(bytes, offset, length);
    }

    private void version() {
        scanner.skipSpaces();
        if (scanner.peek() != '"') {
            throw scanner.error(scanner.position(), scanner.describeNext() + " after VERSION",
                    "write the version in quotes, such as VERSION \"1.2\"");
        }
        scanner.string();
        endOfLine();
    }

    private void endOfLine() {
        scanner.skipSpaces();
        if (!scanner.atEnd() && scanner.peek() != '#') {
            throw scanner.error(scanner.position(), scanner.describeNext() + " after the end of a statement",
                    "write one statement to a line");
        }
    }

    private void read(int position) {
        int start = scanner.position();
        int mark = rewritten.size();
        inLine[position] = term(position, 0);
        from[position] = inLine[position] ? start : mark;
        to[position] = inLine[position] ? scanner.position() : rewritten.size();
    }

    /** Reads a term. True: its text in the line is canonical. False: the canonical text was appended. */
    private boolean term(int position, int depth) {
        int start = scanner.position();
        switch (scanner.peek()) {
            case '<':
                return scanner.take("<<") ? triple(position, depth, start) : iri();
            case '"':
                if (position != OBJECT) {
                    throw misplaced(start, "a literal", position);
                }
                return literal();
            default:
                if (!scanner.take("_:")) {
                    throw misplaced(start, scanner.describeNext(), position);
                }
                if (position == PREDICATE) {
                    throw misplaced(start, "a blank node", position);
                }
                scanner.label();
                return true;
        }
    }

    private boolean iri() {
        scanIri();
        if (!scanner.isCanonical()) {
            appendIri();
            return false;
        }
        return true;
    }

    private void scanIri() {
        int start = scanner.position();
        scanner.iri();
        byte[] iri = scanner.content();
        int offset = scanner.contentOffset();
        int length = scanner.contentLength();
        check(start, RdfTerms.startFault(iri, offset, length, false));
        if (writes && !scanner.isCanonical()) { // what no IRI has, the scanner lets through as escapes alone
            check(start, RdfTerms.characterFault(iri, offset, length));
        }
    }

    private void appendIri() {
        rewritten.append('<');
        rewritten.appendIri(scanner.content(), scanner.contentOffset(), scanner.contentLength());
        rewritten.append('>');
    }

    private boolean literal() {
        scanner.string();
        boolean canonical = scanner.isCanonical();
        byte[] lexical = scanner.content();
        int offset = scanner.contentOffset();
        int length = scanner.contentLength();
        int end = scanner.position();
        if (scanner.takeAfterSpaces("@")) {
            canonical &= scanner.position() == end + 1;
            return languageTag(canonical, lexical, offset, length);
        }
        if (scanner.takeAfterSpaces("^^")) {
            scanner.skipSpaces();
            canonical &= scanner.position() == end + 2;
            boolean simple = datatype();
            if (canonical && !simple && scanner.isCanonical()) {
                return true;
            }
            appendString(lexical, offset, length);
            if (!simple) {
                rewritten.append('^');
                rewritten.append('^');
                appendIri();
            }
            return false;
        }
        if (!canonical) {
            appendString(lexical, offset, length);
        }
        return canonical;
    }

    /** Reads the language tag of a literal, see {@link #term}. */
    private boolean languageTag(boolean canonical, byte[] lexical, int offset, int length) {
        scanner.languageTag();
        byte[] tag = scanner.content();
        int tagOffset = scanner.contentOffset();
        int tagLength = scanner.contentLength();
        RdfTerms.Fault fault = RdfTerms.languageTagFault(tag, tagOffset, tagLength);
        boolean mends = fault != null && mendsTags && tag[fault.at()] == '_';
        if (mends) {
            tag = RdfTerms.mendedTag(tag, tagOffset, tagLength);
            fault = RdfTerms.languageTagFault(tag, 0, tagLength);
        }
        if (fault != null) {
            check(fault.at() + (mends ? tagOffset : 0), fault);
        }
        if (canonical && !mends && (keepsTags || scanner.isCanonical())) {
            return true;
        }
        appendString(lexical, offset, length);
        rewritten.append('@');
        if (keepsTags) {
            rewritten.append(tag, mends ? 0 : tagOffset, tagLength);
        } else {
            rewritten.appendLanguageTag(tag, mends ? 0 : tagOffset, tagLength);
        }
        return false;
    }

    private void appendString(byte[] lexical, int offset, int length) {
        rewritten.append('"');
        rewritten.appendString(lexical, offset, length);
        rewritten.append('"');
    }

    /** Reads a datatype, and says whether it is the one that canonical text leaves out. */
    private boolean datatype() {
        int start = scanner.position();
        if (scanner.peek() != '<') {
            throw scanner.error(start, scanner.describeNext() + " where a datatype should be",
                    "write the datatype as <iri>");
        }
        scanIri();
        check(start, RdfTerms.datatypeFault(scanner.content(), scanner.contentOffset(), scanner.contentLength()));
        return CanonicalTerms.isXsdString(scanner.content(), scanner.contentOffset(), scanner.contentLength());
    }

    private void check(int position, RdfTerms.Fault fault) {
        if (fault != null) {
            throw scanner.error(position, fault.found(), fault.advice());
        }
    }

    /** Reads the rest of a triple term, after {@code <<}. */
    private boolean triple(int position, int depth, int start) {
        boolean quoted = !scanner.take("(");
        if (quoted && !rdfStar) {
            throw scanner.error(start, "'<<' without '('",
                    "write a triple term as <<( s p o )>>, or set the option rdfStar to read RDF-star");
        }
        if (position != OBJECT && !(rdfStar && position == SUBJECT)) {
            throw misplaced(start, "a triple term", position);
        }
        if (depth == MAX_NESTING) {
            throw scanner.error(start, "a triple term inside " + MAX_NESTING + " others", "nest them less deep");
        }
        rewritten.append(TRIPLE_START, 0, TRIPLE_START.length);
        for (int inner = SUBJECT; inner <= OBJECT; inner++) {
            scanner.skipSpaces();
            int termStart = scanner.position();
            if (term(inner, depth + 1)) {
                rewritten.append(line, termStart, scanner.position() - termStart);
            }
            rewritten.append(' ');
        }
        scanner.skipSpaces();
        String close = quoted ? ">>" : ")>>";
        if (!scanner.take(close)) {
            throw scanner.error(scanner.position(), scanner.describeNext() + " where a triple term should end",
                    "close it with " + close + " after its third term");
        }
        rewritten.append(TRIPLE_END, 0, TRIPLE_END.length);
        return false;
    }

    private TermSyntaxException misplaced(int start, String found, int position) {
        return scanner.error(start, found + " as the " + NAMES[position], "write " + ALLOWED[position] + " there");
    }
}
