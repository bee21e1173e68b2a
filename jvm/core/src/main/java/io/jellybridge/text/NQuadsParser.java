package io.jellybridge.text;

import io.jellybridge.codec.CanonicalWriter;
import io.jellybridge.codec.TermDialect;
import io.jellybridge.codec.TermGrammar;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.codec.TermScanner;
import io.jellybridge.codec.TermSyntaxException;
import java.util.Arrays;

/**
 * Parses one line of N-Triples or N-Quads 1.2 into canonical terms. It is strict: IRIs are absolute, language tags are
 * well-formed, labels follow the grammar, and triple terms are objects only.
 *
 * <p>A term is a range of an array, valid until the next call. If the term is canonical in the line, as most are, the array is
 * the line itself and nothing is copied. Not thread-safe.
 */
public final class NQuadsParser {

    public static final int SUBJECT = 0;
    public static final int PREDICATE = 1;
    public static final int OBJECT = 2;
    /** The position of the graph. It is not {@linkplain #isPresent present} for a statement of the default graph. */
    public static final int GRAPH = 3;
    public static final int POSITIONS = 4;

    private static final TermPosition[] POSITION = TermPosition.values();

    private final TermScanner scanner = new TermScanner();
    private final TermGrammar grammar;
    private final CanonicalWriter rewritten;
    private final boolean[] inLine = new boolean[POSITIONS];
    private final int[] from = new int[POSITIONS];
    private final int[] to = new int[POSITIONS];
    private byte[] line;

    /**
     * Creates a parser.
     *
     * @param rdfStar accept triple terms as subjects too, and {@code << s p o >>} as a triple term, as RDF-star files have it
     */
    public NQuadsParser(boolean rdfStar) {
        this(rdfStar, false, false);
    }

    /**
     * Creates a parser.
     *
     * @param keepsTags keep the case of language tags; terms are canonical otherwise
     * @param mendsTags read {@code _} in a language tag as {@code -}
     */
    public NQuadsParser(boolean rdfStar, boolean keepsTags, boolean mendsTags) {
        grammar = new TermGrammar(scanner, TermDialect.ofLines(rdfStar, keepsTags, mendsTags));
        rewritten = new CanonicalWriter(keepsTags, false);
    }

    /** Checks whether the last statement has a term at this position. */
    public boolean isPresent(int position) {
        return to[position] > from[position];
    }

    /** Returns the array that holds the term of the last statement. */
    public byte[] arrayOf(int position) {
        return inLine[position] ? line : rewritten.text().array();
    }

    public int offsetOf(int position) {
        return from[position];
    }

    public int lengthOf(int position) {
        return to[position] - from[position];
    }

    /** Returns a copy of the term of the last statement; null for the default graph. */
    public byte[] copyTerm(int position) {
        return isPresent(position) ? Arrays.copyOfRange(arrayOf(position), from[position], to[position]) : null;
    }

    /**
     * Parses a line, without its line end.
     *
     * @return false if it has no statement: an empty line, a comment, or a {@code VERSION}
     * @throws TermSyntaxException the line is not N-Quads; its offset counts from {@code offset}
     */
    public boolean parse(byte[] bytes, int offset, int length) {
        start(bytes, offset, length);
        scanner.skipSpaces();
        if (scanner.atEnd() || scanner.peek() == '#') {
            return false;
        }
        if (scanner.take("VERSION")) {
            version();
            return false;
        }
        readTerm(TermPosition.SUBJECT);
        scanner.skipSpaces();
        readTerm(TermPosition.PREDICATE);
        scanner.skipSpaces();
        readTerm(TermPosition.OBJECT);
        scanner.skipSpaces();
        from[GRAPH] = 0;
        to[GRAPH] = 0;
        if (scanner.peek() != '.' && scanner.peek() != '#' && !scanner.atEnd()) {
            readTerm(TermPosition.GRAPH);
            scanner.skipSpaces();
        }
        if (!scanner.take(".")) {
            throw scanner.newError(scanner.position(), scanner.describeNext() + " where the statement should end",
                    "end every statement with ' .', one to a line");
        }
        endOfLine();
        return true;
    }

    /**
     * Parses one term for {@code position} of a statement to write.
     *
     * @throws TermSyntaxException the text is no term of RDF 1.2, or the position does not allow it
     */
    public void parseTerm(int position, byte[] bytes) {
        start(bytes, 0, bytes.length);
        readTerm(POSITION[position]);
        if (!scanner.atEnd()) {
            boolean blankNode = bytes[0] == '_';
            throw scanner.newError(scanner.position(),
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
            throw scanner.newError(scanner.position(), scanner.describeNext() + " after VERSION",
                    "write the version in quotes, such as VERSION \"1.2\"");
        }
        scanner.string();
        endOfLine();
    }

    private void endOfLine() {
        scanner.skipSpaces();
        if (!scanner.atEnd() && scanner.peek() != '#') {
            throw scanner.newError(scanner.position(), scanner.describeNext() + " after the end of a statement",
                    "write one statement to a line");
        }
    }

    private void readTerm(TermPosition termPosition) {
        int position = termPosition.ordinal();
        int start = scanner.position();
        grammar.read(termPosition);
        inLine[position] = grammar.isCanonical();
        if (inLine[position]) {
            from[position] = start;
            to[position] = scanner.position();
        } else {
            from[position] = rewritten.text().size();
            grammar.show(rewritten);
            to[position] = rewritten.text().size();
        }
    }

    /** Returns the column of a byte in a line, from 1. It counts characters. */
    public static long columnOf(byte[] bytes, int lineStart, int at) {
        long column = 1;
        for (int i = lineStart; i < at; i++) {
            column += (bytes[i] & 0xC0) == 0x80 ? 0 : 1;
        }
        return column;
    }
}
