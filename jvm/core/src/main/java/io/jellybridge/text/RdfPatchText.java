package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.SniffedFormat;
import io.jellybridge.codec.TermScanner;
import io.jellybridge.wire.Utf8;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A tokenizer for RDF Patch text that knows the position of each token. It holds one token and one buffer of the text. In
 * addition to the tokens of {@link TermScanner}, it reads words, prefixed names, and Turtle's numbers and booleans.
 *
 * <p>Spaces, tabs, line ends and comments separate tokens. Only a string in three quotes spans lines. Not thread-safe.
 */
final class RdfPatchText extends TermScanner {
    /** The name of the format in errors. */
    static final String FORMAT = "RDF Patch";

    /** Thrown when the text can't be read from its stream. */
    static final class ReadFailure extends UncheckedIOException {
        private static final long serialVersionUID = 1L;

        ReadFailure(IOException cause) {
            super(cause);
        }
    }

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LOOK_BYTES = 1 << 12;
    private static final int EXCERPT_BYTES = 40;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    /** The characters that may follow a backslash in a prefixed name. */
    private static final String LOCAL_ESCAPES = "_~.-!$&'()*+,;=/?#@%";
    /** The length above which the namespaces of prefixed names are counted. Shorter ones make few bytes of each byte of the text. */
    private static final int LONG_NAMESPACE = 1 << 9;
    private static final byte[] BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean".getBytes(US_ASCII);

    /**
     * The bytes that continue a word. Similar tables follow for the part of a prefixed name after its colon, and for numbers.
     */
    private static final boolean[] IN_WORD = new boolean[256];
    private static final boolean[] IN_LOCAL_NAME = new boolean[256];
    private static final boolean[] IN_NUMBER = new boolean[256];

    static {
        Arrays.fill(IN_WORD, 0x80, 0x100, true);
        Arrays.fill(IN_WORD, '0', '9' + 1, true);
        Arrays.fill(IN_WORD, 'a', 'z' + 1, true);
        Arrays.fill(IN_WORD, 'A', 'Z' + 1, true);
        for (char c : "_-.".toCharArray()) {
            IN_WORD[c] = true;
        }
        System.arraycopy(IN_WORD, 0, IN_LOCAL_NAME, 0, IN_WORD.length);
        for (char c : ":%\\".toCharArray()) {
            IN_LOCAL_NAME[c] = true;
        }
        for (char c : "0123456789+-.eE".toCharArray()) {
            IN_NUMBER[c] = true;
        }
    }

    private final InputStream in;
    private final String file;
    private final int maxTokenBytes;
    private final int bufferBytes;

    /** The start of the token. */
    private int start;
    private boolean ended;
    /** The offset in the text of the term; {@link Long#MAX_VALUE} between terms. */
    private long termOffset = Long.MAX_VALUE;

    /** The offset in the text of the first byte of the buffer; -1 before the first read. */
    private long base = -1;
    private long line = 1;
    /** The offset after the last carriage return. A line feed there ends no further line. */
    private long afterReturn = -1;
    /** The number of characters of the line before {@code countedTo}, so that a line is counted only once. */
    private long countedCharacters;
    private int countedTo;

    private final boolean turtleForms;
    /** The namespaces of the prefixes so far, if prefixed names are read. */
    private final Map<String, byte[]> namespaces = new HashMap<>();
    /** The total size of these namespaces. It is limited like a token. */
    private long namespaceBytes;
    /** The total size of the long namespaces in prefixed names so far. */
    private long expandedBytes;

    RdfPatchText(InputStream in, String file, int maxTokenBytes, boolean turtleForms) {
        super(new byte[Math.max(2 * BYTE_ORDER_MARK.length, (int) Math.min(BUFFER_BYTES, 2L * maxTokenBytes))]);
        this.bufferBytes = text.length;
        this.in = in;
        this.file = file;
        this.turtleForms = turtleForms;
        this.maxTokenBytes = maxTokenBytes;
    }

    // --- places

    /** Returns the start of the token, as an index of the array. */
    int start() {
        return start;
    }

    /** Returns the line of the token, from 1. */
    long line() {
        return line;
    }

    /** Returns the offset in the text after the bytes that were read, from 0. */
    long endOffset() {
        return Math.max(base, 0) + at;
    }

    /** Checks whether the text ends before the current line does. */
    boolean endsInThisLine() {
        try {
            while (has(at) && text[at] != '\n' && text[at] != '\r') {
                at++;
            }
            return at == end && ended;
        } catch (FormatException | ReadFailure e) {
            return false;
        }
    }

    /** Returns the column of the token: its first character in the line, from 1. */
    long columnOf() {
        return columnOf(start);
    }

    /** Returns the offset in the text of the token's first byte, from 0. */
    long offset() {
        return Math.max(base, 0) + start;
    }

    /** Returns the column of an index, from 1. Indexes must not decrease between calls. */
    private long columnOf(int place) {
        for (; countedTo < place; countedTo++) {
            countedCharacters += (text[countedTo] & 0xC0) == 0x80 ? 0 : 1;
        }
        return countedCharacters + 1;
    }

    /** Creates an error at an index of the array, within the token or after it. */
    @Override
    public FormatException newError(int place, String found, String advice) {
        return FormatException.inText(FORMAT, file, line, columnOf(place), Math.max(base, 0) + place, found, advice);
    }

    private FormatException tooLong() {
        return newError(start, "a token of more than " + maxTokenBytes + " bytes",
                "check that quotes are closed, or raise maxTokenBytes");
    }

    // --- terms

    /** Begins a term, which may be a triple term of many tokens. */
    void beginTerm() {
        termOffset = endOffset();
    }

    void endTerm() {
        termOffset = Long.MAX_VALUE;
    }

    /** Returns the size limit of a triple term. A smaller limit of a token does not reduce it. */
    static int maxTripleBytes(int maxTokenBytes) {
        return Math.max(maxTokenBytes, ReadOptions.MAX_TERM_BYTES);
    }

    // --- between tokens

    /**
     * Skips from the end of a token to the start of the next.
     *
     * @throws FormatException the token before, or the triple term so far, is too long
     */
    @Override
    public void skipBlank() {
        if (at - start > maxTokenBytes) {
            throw tooLong();
        }
        if (endOffset() - termOffset > maxTripleBytes(maxTokenBytes)) {
            throw newError(start, "a triple term of more than " + maxTripleBytes(maxTokenBytes) + " bytes",
                    "if you trust the file, raise maxTokenBytes");
        }
        int i = at;
        while (i < end && text[i] == ' ') {
            i++;
        }
        at = i;
        start = i;
        if (i == end || text[i] <= ' ' || text[i] == '#') {
            skipLines();
        }
        if (start >= text.length - text.length / 8) {
            moveToFront();
        }
        forget();
    }

    private void skipLines() {
        boolean blank = true;
        while (blank) {
            start = at;
            if (at == end && !moreFromHere()) {
                break;
            }
            byte b = text[at];
            if (b == ' ' || b == '\t') {
                at++;
            } else if (b == '\n' || b == '\r') {
                at++;
                endLine(b == '\r');
            } else if (b == '#') {
                skipComment();
            } else {
                blank = false;
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

    private void skipComment() {
        do {
            while (at < end && text[at] != '\n' && text[at] != '\r') {
                at++;
            }
            start = at;
        } while (at == end && moreFromHere());
    }

    // --- the buffer

    /** Reads more bytes when no token has begun, so that the buffer can be reused. */
    private boolean moreFromHere() {
        if (start > 0) {
            moveToFront();
        }
        while (at == end) {
            if (!more()) {
                return false;
            }
        }
        return true;
    }

    /** Drops the text before the token to make room, and frees the room of a long token. */
    private void moveToFront() {
        columnOf(start);
        byte[] kept = text.length > bufferBytes && end - start < bufferBytes ? new byte[bufferBytes] : text;
        System.arraycopy(text, start, kept, 0, end - start);
        text = kept;
        base += start;
        countedTo -= start;
        validTo -= start;
        at -= start;
        end -= start;
        start = 0;
    }

    @Override
    protected boolean more() {
        if (ended) {
            return false;
        }
        if (end == text.length) {
            if (end - start > maxTokenBytes) {
                throw tooLong();
            }
            text = Arrays.copyOf(text, (int) Math.min(2L * text.length, Integer.MAX_VALUE - 8));
        }
        try {
            if (base < 0) {
                skipByteOrderMark();
                if (end > 0) {
                    findInvalid();
                    return true;
                }
            }
            int read = in.read(text, end, text.length - end);
            ended = read < 0;
            end += Math.max(read, 0);
            findInvalid();
            return !ended;
        } catch (IOException e) {
            throw new ReadFailure(e);
        }
    }

    /** Searches all new bytes for invalid UTF-8. That is faster than a search token by token. */
    private void findInvalid() {
        int from = Math.max(start, validTo);
        int invalid = Utf8.firstInvalid(text, from, end - from);
        validTo = invalid < 0 ? end : invalid;
    }

    private void skipByteOrderMark() throws IOException {
        end = in.readNBytes(text, 0, BYTE_ORDER_MARK.length);
        base = 0;
        if (end == BYTE_ORDER_MARK.length && Arrays.equals(text, 0, end, BYTE_ORDER_MARK, 0, end)) {
            base = end;
            end = 0;
        }
    }

    /** Guesses the format from the first bytes of the text. Returns null if these look like no known format, or are gone. */
    SniffedFormat sniffFormat() {
        if (base > BYTE_ORDER_MARK.length) {
            return null;
        }
        try {
            while (end < Math.min(LOOK_BYTES, text.length) && more()) {
                // a few bytes may be all that was read yet
            }
        } catch (ReadFailure e) {
            return null;
        }
        return SniffedFormat.of(text, 0, end);
    }

    // --- words

    /** Skips a word. Does nothing if the next token is no word, or is a prefixed name. */
    boolean takeWord() {
        if (!startsWord()) {
            return false;
        }
        run(IN_WORD);
        if (byteAt(at) == ':') {
            at = start;
            return false;
        }
        leaveDots();
        return true;
    }

    private boolean startsWord() {
        int b = byteAt(at);
        return b >= 0 && IN_WORD[b] && b != '_' && b != '.' && !startsNumber(b);
    }

    /** Checks whether the token is this ASCII text. */
    boolean is(String ascii) {
        if (at - start != ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (text[start + i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads a word by the grammar of Turtle's prefixes: a label that starts with a letter. The token's start was checked
     * before.
     */
    byte[] readWord(String where, String advice) {
        int stop = at;
        at = start;
        label();
        if (at < stop) {
            throw newError(at, describeNext() + " " + where, advice);
        }
        return copy();
    }

    /** Checks whether a string comes next. */
    boolean startsString() {
        int b = byteAt(at);
        return b == '"' || b == '\'' && turtleForms;
    }

    /** Checks whether a bare prefix comes next, as the specification has it. */
    boolean startsBarePrefix() {
        return startsWord() || byteAt(at) == ':';
    }

    /** Reads a bare prefix, with or without its colon. Returns null if it is a whole prefixed name. */
    byte[] barePrefix() {
        boolean colon = !takeWord();
        if (colon) {
            run(IN_WORD);
            int stop = at;
            run(IN_LOCAL_NAME);
            leaveDots();
            if (at > stop + 1) {
                at = start;
                return null;
            }
            at = stop;
        }
        byte[] prefix = at == start ? new byte[0] : readWord("in a prefix", "write another prefix");
        at += colon ? 1 : 0;
        return prefix;
    }

    /**
     * Reads a string that is not a literal.
     *
     * @param what a description, for the error for a language tag or datatype
     */
    byte[] plainString(String what, String advice) {
        if (turtleForms) {
            turtleString();
        } else {
            string();
        }
        byte[] string = copy();
        if (takeSuffixMark() != 0) {
            throw newError(start, what + " with a language tag or datatype", advice);
        }
        return string;
    }

    private byte[] copy() {
        return Arrays.copyOfRange(content(), contentOffset(), contentOffset() + contentLength());
    }

    // --- names

    @Override
    protected boolean joinsSurrogates() {
        return turtleForms;
    }

    @Override
    protected void lineEndInString(int index) {
        if (text[index] == '\r' || index == 0 || text[index - 1] != '\r') {
            line++;
        }
        countedCharacters = 0;
        countedTo = index + 1;
    }

    /** Stores the namespace of a prefix, for later prefixed names. A null namespace removes the prefix. */
    void declarePrefix(byte[] prefix, byte[] namespace) {
        if (!turtleForms) {
            return;
        }
        String name = new String(prefix, UTF_8);
        byte[] before = namespaces.remove(name);
        namespaceBytes -= before == null ? 0 : before.length + name.length();
        if (namespace != null && namespaceBytes + namespace.length + name.length() <= maxTokenBytes) {
            namespaces.put(name, namespace);
            namespaceBytes += namespace.length + name.length();
        }
    }

    /** Checks whether a prefixed name with a known prefix comes next. */
    boolean startsPrefixedName() {
        int from = at;
        boolean starts = namespace() != null;
        at = from;
        return starts;
    }

    /**
     * Skips a known prefix and its colon, if they come next, and returns the namespace. Otherwise returns null and does not
     * move.
     */
    private byte[] namespace() {
        if (namespaces.isEmpty() || !startsBarePrefix()) {
            return null;
        }
        int from = at;
        run(IN_WORD);
        byte[] namespace = byteAt(at) == ':' ? namespaces.get(new String(text, from, at - from, UTF_8)) : null;
        at = namespace == null ? from : at + 1;
        return namespace;
    }

    @Override
    protected boolean prefixedName() {
        int from = at;
        byte[] namespace = namespace();
        if (namespace == null) {
            return false;
        }
        checkExpansion(namespace);
        ByteArrayOutputStream iri = new ByteArrayOutputStream();
        iri.writeBytes(namespace);
        int stop = at;
        int length = iri.size();
        while (byteAt(at) >= 0) {
            int b = byteAt(at);
            boolean escaped = b == '\\' && byteAt(at + 1) >= 0 && LOCAL_ESCAPES.indexOf(byteAt(at + 1)) >= 0;
            if (escaped) {
                at++;
                b = byteAt(at);
            } else if (!IN_LOCAL_NAME[b] || b == '\\') {
                break;
            }
            iri.write(b);
            at++;
            if (b != '.' || escaped) {
                stop = at;
                length = iri.size();
            }
        }
        at = stop; // dots at the end do not belong to it
        setContent(Arrays.copyOf(iri.toByteArray(), length), from, stop);
        return true;
    }

    private void checkExpansion(byte[] namespace) {
        if (namespace.length <= LONG_NAMESPACE) {
            return;
        }
        expandedBytes += namespace.length;
        if (!ReadOptions.DEFAULT.allowsTerms(expandedBytes, endOffset())) {
            throw newError(start, "prefixed names of " + expandedBytes + " bytes, which long namespaces make of " + endOffset() + " bytes",
                    "write shorter namespaces");
        }
    }

    // --- literals without quotes

    /** Checks whether a term comes next, even one that the position does not allow. The dot that ends a row is no term. */
    boolean startsTerm() {
        int b = byteAt(at);
        return b == '<' || startsString() || b == '_' && byteAt(at + 1) == ':' || startsNumber(b);
    }

    private static boolean startsNumber(int b) {
        return isDigit(b) || b == '+' || b == '-';
    }

    private static boolean isDigit(int b) {
        return b >= '0' && b <= '9';
    }

    @Override
    protected byte[] unquoted() {
        int b = byteAt(at);
        if (startsNumber(b) || b == '.' && isDigit(byteAt(at + 1))) {
            return number();
        }
        boolean isBoolean = takeWord() && (is("true") || is("false"));
        if (!isBoolean) {
            at = start;
            return null;
        }
        setContent(start, at, false);
        return BOOLEAN;
    }

    private byte[] number() {
        at++;
        run(IN_NUMBER);
        leaveDots();
        NumberGrammar number = NumberGrammar.of(text, start, at);
        if (number == null) {
            throw newError(start, "'" + excerpt() + "', which is no number", "write it as a literal in quotes");
        }
        setContent(start, at, false);
        return number.datatype();
    }

    // --- bytes

    /** Returns a byte, 0 to 255, or -1 at the end of the text. */
    private int byteAt(int index) {
        return has(index) ? text[index] & 0xFF : -1;
    }

    private void run(boolean[] allowed) {
        while (has(at) && allowed[text[at] & 0xFF]) {
            at++;
        }
    }

    /** Leaves dots at the end of a token, since they end the row. */
    private void leaveDots() {
        while (at > start + 1 && text[at - 1] == '.') {
            at--;
        }
    }

    // --- for messages

    /** Describes the current token for a message. */
    String describe() {
        at = start;
        return describeNext();
    }

    @Override
    public String describeNext() {
        int b = byteAt(at);
        switch (b) {
            case -1:
                return "the end of the text";
            case '"':
                return "a literal";
            case '?':
                return "a variable";
            case '<':
                return byteAt(at + 1) != '<' ? "an IRI" : byteAt(at + 2) == '(' ? "'<<('" : "'<<'";
            case '>':
                return byteAt(at + 1) == '>' ? "'>>'" : "'>'";
            case ')':
                return byteAt(at + 1) == '>' && byteAt(at + 2) == '>' ? "')>>'" : "')'";
            case '_':
                return byteAt(at + 1) == ':' ? "a blank node" : "'_'";
            default:
                return startsNumber(b) || b == '.' || b == ':' || IN_WORD[b] ? describeWord(b)
                        : b <= ' ' ? String.format("'U+%04X'", b) : "'" + (char) b + "'";
        }
    }

    private String describeWord(int first) {
        start = at;
        if (startsNumber(first)) {
            at++;
            run(IN_NUMBER);
        } else if (first == '.') {
            at++;
        } else {
            run(IN_WORD);
        }
        boolean prefixed = !startsNumber(first) && first != '.' && byteAt(at) == ':';
        if (prefixed) {
            run(IN_LOCAL_NAME);
        }
        leaveDots();
        String described = (prefixed ? "the prefixed name '" : "'") + excerpt() + "'";
        at = start;
        return described;
    }

    private String excerpt() {
        String whole = new String(text, start, Math.min(at - start, EXCERPT_BYTES), UTF_8);
        return at - start > EXCERPT_BYTES ? whole + "..." : whole;
    }
}
