package io.jellybridge.text;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Look;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts RDF Patch text into tokens, one a call, and knows where each stands. What it holds of the text is one token
 * and one buffer full. Finds where a token ends; whether what is in it is right, the reader of terms looks at.
 *
 * <p>Tokens may be set apart by spaces, tabs, line ends and comments. A token does not span lines. For one thread.
 */
final class RdfPatchTokens {
    /** What errors call the format. */
    static final String FORMAT = "RDF Patch";

    enum Kind {
        /** The end of the text. */
        END,
        DOT,
        /** {@code <…>}: an IRI, or a blank node's label after {@code _:}. */
        IRI,
        /** {@code "…"}, with its language tag or datatype. */
        LITERAL,
        /** {@code _:label}. */
        BLANK_NODE,
        /** A row's code, a header's key, a prefix, {@code true}, {@code false}. */
        WORD,
        /** A word with a colon after it, and perhaps more: {@code rdf:}, {@code rdf:type}. */
        PREFIXED_NAME,
        NUMBER,
        /** {@code <<(}. */
        OPEN_TRIPLE,
        /** {@code )>>}. */
        CLOSE_TRIPLE,
        /** {@code <<}. */
        OPEN_QUOTED,
        /** {@code >>}. */
        CLOSE_QUOTED,
        /** A character that starts no token. */
        OTHER
    }

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LOOK_BYTES = 1 << 12;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** How a byte goes on a token: of {@code <…>}, of {@code "…"}, of words, of numbers. */
    private static final boolean[] IN_IRI = new boolean[256];
    private static final boolean[] IN_STRING = new boolean[256];
    private static final boolean[] IN_WORD = new boolean[256];
    private static final boolean[] IN_LOCAL_NAME = new boolean[256];
    private static final boolean[] IN_TAG = new boolean[256];
    private static final boolean[] IN_NUMBER = new boolean[256];

    static {
        Arrays.fill(IN_IRI, true);
        Arrays.fill(IN_STRING, true);
        for (char c : "\n\r>".toCharArray()) {
            IN_IRI[c] = false;
        }
        for (char c : "\n\r\"\\".toCharArray()) {
            IN_STRING[c] = false;
        }
        Arrays.fill(IN_WORD, 0x80, 0x100, true);
        for (char c = '0'; c <= '9'; c++) {
            IN_WORD[c] = true;
            IN_TAG[c] = true;
            IN_NUMBER[c] = true;
        }
        for (char c = 'a'; c <= 'z'; c++) {
            IN_WORD[c] = true;
            IN_TAG[c] = true;
            IN_WORD[c - 'a' + 'A'] = true;
            IN_TAG[c - 'a' + 'A'] = true;
        }
        for (char c : "_-.".toCharArray()) {
            IN_WORD[c] = true;
        }
        for (char c : "_-".toCharArray()) {
            IN_TAG[c] = true;
        }
        for (char c : "+-.eE".toCharArray()) {
            IN_NUMBER[c] = true;
        }
        System.arraycopy(IN_WORD, 0, IN_LOCAL_NAME, 0, IN_WORD.length);
        for (char c : ":%\\".toCharArray()) {
            IN_LOCAL_NAME[c] = true;
        }
    }

    private final InputStream in;
    private final String file;
    private final int maxTokenBytes;

    private byte[] buffer;
    /** Where the token starts, where the next one is looked for, where the buffer's bytes end. */
    private int start;
    private int at;
    private int limit;
    private boolean ended;
    private Kind kind;

    /** The byte of the text that the buffer starts with. */
    private long base = -1;
    private long line = 1;
    /** The byte after the last carriage return: a line feed there ends no other line. */
    private long afterReturn = -1;
    /** So many characters of the line stand before this place in the buffer: no line is counted twice. */
    private long countedCharacters;
    private int countedTo;

    RdfPatchTokens(InputStream in, String file, int maxTokenBytes) {
        this.in = in;
        this.file = file;
        this.maxTokenBytes = maxTokenBytes;
        this.buffer = new byte[Math.max(BYTE_ORDER_MARK.length, Math.min(BUFFER_BYTES, maxTokenBytes))];
    }

    Kind kind() {
        return kind;
    }

    /** The array that holds the token; good until the next. */
    byte[] array() {
        return buffer;
    }

    int start() {
        return start;
    }

    int length() {
        return at - start;
    }

    /** The line of the token, from 1. */
    long line() {
        return line;
    }

    /** The character in the line that the token starts with, from 1. */
    long column() {
        return column(start);
    }

    /** The byte in the text that the token starts with, from 0. */
    long offset() {
        return base + start;
    }

    /** Whether the token is this ASCII text. */
    boolean is(String ascii) {
        if (length() != ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (buffer[start + i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Goes to the next token.
     *
     * @param term whether a term has to come: then {@code .5} is a number; else the dot ends the row
     * @throws FormatException a token does not end, or is too long
     */
    Kind next(boolean term) throws IOException {
        skipBlank();
        start = at;
        kind = peek(0) < 0 ? Kind.END : cut(term);
        if (length() > maxTokenBytes) {
            throw tooLong();
        }
        return kind;
    }

    private Kind cut(boolean term) throws IOException {
        int first = peek(0);
        switch (first) {
            case '<':
                return cutAngle();
            case '"':
                return cutLiteral();
            case '.':
                return term && isDigit(peek(1)) ? cutNumber() : cutFixed(1, Kind.DOT);
            case ')':
                return peek(1) == '>' && peek(2) == '>' ? cutFixed(3, Kind.CLOSE_TRIPLE) : cutFixed(1, Kind.OTHER);
            case '>':
                return peek(1) == '>' ? cutFixed(2, Kind.CLOSE_QUOTED) : cutFixed(1, Kind.OTHER);
            case '_':
                return peek(1) == ':' ? cutBlankNode() : cutFixed(1, Kind.OTHER);
            case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
                return cutNumber();
            case ':':
                return cutName();
            default:
                return IN_WORD[first] ? cutName() : cutFixed(1, Kind.OTHER);
        }
    }

    private static boolean isDigit(int b) {
        return b >= '0' && b <= '9';
    }

    private Kind cutFixed(int length, Kind fixed) {
        at += length;
        return fixed;
    }

    private Kind cutAngle() throws IOException {
        if (peek(1) != '<') {
            cutIri();
            return Kind.IRI;
        }
        return peek(2) == '(' ? cutFixed(3, Kind.OPEN_TRIPLE) : cutFixed(2, Kind.OPEN_QUOTED);
    }

    private void cutIri() throws IOException {
        int opened = at - start; // relative: reading on may move the token
        at++;
        run(IN_IRI);
        if (peek(0) != '>') {
            throw error(start + opened, "an IRI without its closing '>' in the line", "close it");
        }
        at++;
    }

    private Kind cutLiteral() throws IOException {
        at++;
        run(IN_STRING);
        while (peek(0) != '"') {
            if (peek(0) != '\\') {
                throw error(start, "a literal without its closing '\"' in the line",
                        "close it, and write the ends of lines in it as \\n and \\r");
            }
            at++;
            // What else can be escaped is for the reader of terms to say; these two must not be taken for what they
            // look like.
            if (peek(0) == '"' || peek(0) == '\\') {
                at++;
            }
            run(IN_STRING);
        }
        at++;
        cutSuffix();
        return Kind.LITERAL;
    }

    /** Goes on over a language tag or a datatype, which may come after spaces. */
    private void cutSuffix() throws IOException {
        int spaces = spaces();
        if (peek(spaces) == '@') {
            at += spaces + 1;
            run(IN_TAG);
        } else if (peek(spaces) == '^' && peek(spaces + 1) == '^') {
            at += spaces + 2;
            int moreSpaces = spaces(); // before the sum: reading on may move the token
            at += moreSpaces;
            if (peek(0) == '<') {
                cutIri();
            }
        }
    }

    /** How many spaces and tabs come next. */
    private int spaces() throws IOException {
        int spaces = 0;
        while (peek(spaces) == ' ' || peek(spaces) == '\t') {
            spaces++;
        }
        return spaces;
    }

    private Kind cutNumber() throws IOException {
        at++;
        run(IN_NUMBER);
        leaveDots();
        return Kind.NUMBER;
    }

    private Kind cutName() throws IOException {
        run(IN_WORD);
        if (peek(0) != ':') {
            leaveDots();
            return Kind.WORD;
        }
        at++;
        run(IN_LOCAL_NAME);
        leaveDots();
        return Kind.PREFIXED_NAME;
    }

    private Kind cutBlankNode() throws IOException {
        at += 2;
        run(IN_WORD);
        leaveDots();
        return Kind.BLANK_NODE;
    }

    /** Goes over the bytes that may stand in the token; the hot loop of cutting. */
    private void run(boolean[] allowed) throws IOException {
        do {
            byte[] bytes = buffer;
            int stop = limit;
            int i = at;
            while (i < stop && allowed[bytes[i] & 0xFF]) {
                i++;
            }
            at = i;
        } while (at == limit && more());
    }

    /** Dots can't end a token: they end the row. */
    private void leaveDots() {
        while (at > start + 1 && buffer[at - 1] == '.') {
            at--;
        }
    }

    private void skipBlank() throws IOException {
        while (true) {
            start = at;
            int b = peek(0);
            if (b == '\n' || b == '\r') {
                at++;
                endLine(b == '\r');
            } else if (b == ' ' || b == '\t') {
                at++;
            } else if (b == '#') {
                skipComment();
            } else {
                return;
            }
        }
    }

    private void endLine(boolean carriageReturn) {
        boolean secondHalf = !carriageReturn && base + at - 1 == afterReturn;
        if (carriageReturn) {
            afterReturn = base + at;
        }
        if (!secondHalf) {
            line++;
        }
        countedCharacters = 0;
        countedTo = at;
    }

    private void skipComment() throws IOException {
        while (peek(0) >= 0 && peek(0) != '\n' && peek(0) != '\r') {
            at++;
            start = at;
        }
    }

    /** The byte so far on, 0 to 255; -1 at the end of the text. */
    private int peek(int ahead) throws IOException {
        while (limit - at <= ahead) {
            if (!more()) {
                return -1;
            }
        }
        return buffer[at + ahead] & 0xFF;
    }

    /** Reads more of the text into the buffer; false at its end. Keeps the token, which may then stand elsewhere. */
    private boolean more() throws IOException {
        if (ended) {
            return false;
        }
        if (limit == buffer.length) {
            makeRoom();
        }
        if (base < 0) {
            skipByteOrderMark();
            if (limit > 0) {
                return true;
            }
        }
        int read = in.read(buffer, limit, buffer.length - limit);
        ended = read < 0;
        limit += Math.max(read, 0);
        return !ended;
    }

    /** What the beginning of the text looks like; null where it looks like nothing that is known, or is gone. */
    Look look() throws IOException {
        if (base > BYTE_ORDER_MARK.length) {
            return null;
        }
        while (limit < Math.min(LOOK_BYTES, buffer.length) && more()) {
            // a few bytes may be all that was read yet
        }
        return Look.of(buffer, 0, limit);
    }

    private void makeRoom() {
        if (start > 0) {
            column(start);
            System.arraycopy(buffer, start, buffer, 0, limit - start);
            base += start;
            countedTo -= start;
            at -= start;
            limit -= start;
            start = 0;
        } else if (limit > maxTokenBytes) {
            throw tooLong();
        } else {
            buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, Integer.MAX_VALUE - 8));
        }
    }

    private void skipByteOrderMark() throws IOException {
        limit = in.readNBytes(buffer, 0, BYTE_ORDER_MARK.length);
        base = 0;
        if (limit == BYTE_ORDER_MARK.length && Arrays.equals(buffer, 0, limit, BYTE_ORDER_MARK, 0, limit)) {
            base = limit;
            limit = 0;
        }
    }

    /** The character of the line at a place that is not before the one asked for last, from 1. */
    private long column(int place) {
        for (; countedTo < place; countedTo++) {
            countedCharacters += (buffer[countedTo] & 0xC0) == 0x80 ? 0 : 1;
        }
        return countedCharacters + 1;
    }

    private FormatException tooLong() {
        return error(start, "a token of more than " + maxTokenBytes + " bytes",
                "check that quotes are closed, or raise maxTokenBytes");
    }

    /** An error at a place in {@link #array()}, within the token or after it. */
    FormatException error(int place, String found, String advice) {
        return FormatException.inText(FORMAT, file, line, column(place), Math.max(base, 0) + place, found, advice);
    }
}
