package io.jellybridge.codec;

import io.jellybridge.wire.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A tokenizer for the tokens of N-Triples. After {@link #iri()}, {@link #string()} and similar methods, {@link #content()},
 * {@link #contentOffset()} and {@link #contentLength()} give the token's content without escapes. The content is a range of the
 * text itself if it has no escapes, as in most tokens. Otherwise it is a range of a scratch buffer, which stays valid until
 * {@link #forget}. Not thread-safe.
 *
 * <p>The text is either complete and given to {@link #reset}, or a subclass provides it {@linkplain #more() piece by piece}. A
 * subclass also defines its additions: the text between tokens, literals without quotes, and its kind of error.
 * <p>Every method that reads a token throws {@link #newError} for any other text.
 */
public class TermScanner {

    /** A class of bytes: copied unchanged. The other classes follow. */
    private static final byte PLAIN = 0;
    private static final byte END = 1;
    private static final byte ESCAPE = 2;
    private static final byte FORBIDDEN = 3;
    /** Legal, but canonical text escapes it. */
    private static final byte NOT_CANONICAL = 4;
    /** The lead byte of U+FFFE and U+FFFF, which canonical text escapes. */
    private static final byte MAYBE_NON_CHARACTER = 5;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x80 * EACH;

    /** The character for each byte after a backslash in a string; 0 if the escape is invalid. */
    private static final byte[] UNESCAPED = new byte[256];

    private static final byte[] STRING_BYTES = new byte[256];
    private static final byte[] IRI_BYTES = new byte[256];

    static {
        Arrays.fill(STRING_BYTES, 0, 0x20, NOT_CANONICAL);
        STRING_BYTES[0x7F] = NOT_CANONICAL;
        STRING_BYTES['\n'] = FORBIDDEN;
        STRING_BYTES['\r'] = FORBIDDEN;
        STRING_BYTES['"'] = END;
        STRING_BYTES['\\'] = ESCAPE;
        STRING_BYTES[0xEF] = MAYBE_NON_CHARACTER;
        Arrays.fill(IRI_BYTES, 0, 0x21, FORBIDDEN);
        for (char c : "<\"{}|^`".toCharArray()) {
            IRI_BYTES[c] = FORBIDDEN;
        }
        IRI_BYTES['>'] = END;
        IRI_BYTES['\\'] = ESCAPE;
        for (int character = 1; character < 0x80; character++) {
            UNESCAPED[CanonicalTerms.escapeLetter(character)] = (byte) character;
        }
        UNESCAPED[0] = 0; // characters without an escape letter
        UNESCAPED['\''] = '\''; // canonical text does not escape it
    }

    private final CanonicalBuffer scratch = new CanonicalBuffer();
    /** True if the text comes piece by piece. */
    private final boolean pieces;
    private int from;
    /** The end of the text that is known to be UTF-8. In a text that comes in pieces, only tokens need to be. */
    protected int validTo;

    /** The text, or the part of it that is in memory. */
    protected byte[] text;
    /** The end of the text in the array. */
    protected int end;
    /** The start of the next token. */
    protected int at;

    private byte[] content;
    private int contentOffset;
    private int contentLength;
    private boolean canonical;

    /** Creates a scanner for complete texts. */
    public TermScanner() {
        pieces = false;
    }

    /** Creates a scanner for a text that comes piece by piece. The array is its first buffer, and is empty. */
    protected TermScanner(byte[] buffer) {
        pieces = true;
        text = buffer;
    }

    /**
     * Starts another text.
     *
     * @throws TermSyntaxException the bytes are not UTF-8
     */
    public final void reset(byte[] bytes, int offset, int length) {
        text = bytes;
        from = offset;
        at = offset;
        end = offset + length;
        forget();
        checkUtf8(offset, end);
        validTo = end;
    }

    /** Discards the contents of all tokens so far. */
    protected final void forget() {
        scratch.clear();
    }

    private void checkUtf8(int start, int stop) {
        int invalid = Utf8.firstInvalid(text, start, stop - start);
        if (invalid >= 0) {
            throw newError(invalid, "bytes that are not UTF-8", "save the text as UTF-8");
        }
    }

    // --- what a subclass may have otherwise

    /**
     * Reads more of the text and appends it. Indexes stay valid, but the array may be another.
     *
     * @return false at the end of the text
     */
    protected boolean more() {
        return false;
    }

    /** Skips the text that may stand between two tokens: spaces and tabs. */
    public void skipBlank() {
        skipSpaces();
    }

    /**
     * Reads a literal without quotes, if one comes next. Its content is the lexical form.
     *
     * @return the IRI of its datatype; null if there is none
     */
    protected byte[] unquoted() {
        return null;
    }

    /** Reads a prefixed name, if one with a known prefix comes next. Its content is the IRI. Returns false if there is none. */
    protected boolean prefixedName() {
        return false;
    }

    /** Returns true if two escapes of surrogates are read as one character, as in UTF-16. */
    protected boolean joinsSurrogates() {
        return false;
    }

    /** Called for the end of a line at {@code index} within a string. */
    protected void lineEndInString(int index) {
        // for a subclass that counts lines
    }

    /** Describes the next token for a message. */
    public String describeNext() {
        return entityNamed(at);
    }

    /** Creates an error at {@code position}, an index of the text's array. */
    public RuntimeException newError(int position, String found, String advice) {
        return new TermSyntaxException(Utf8Chars.excerptAt(text, from, end), position - from, found, advice);
    }

    // --- the text

    /** Returns the start of the next token, an index of the text's array. */
    public final int position() {
        return at;
    }

    public final boolean atEnd() {
        return !has(at);
    }

    /** Checks whether the text continues up to this index. */
    protected final boolean has(int index) {
        while (index >= end) {
            if (!more()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the next byte, or -1 at the end. */
    public final int peek() {
        return has(at) ? text[at] : -1;
    }

    /** Returns the byte at this distance from the next byte, or -1 beyond the end. */
    final int peek(int ahead) {
        return has(at + ahead) ? text[at + ahead] : -1;
    }

    /** Skips {@code ascii} if it comes next. Returns false if it does not. */
    public final boolean take(String ascii) {
        int length = ascii.length();
        for (int i = 0; i < length; i++) {
            if (!has(at + i) || text[at + i] != ascii.charAt(i)) {
                return false;
            }
        }
        at += length;
        return true;
    }

    /** Skips spaces and tabs. */
    public final void skipSpaces() {
        while (has(at) && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
    }

    /**
     * Skips the {@code @} or {@code ^^} after a literal, and spaces before it. If there is neither, it does not move.
     *
     * @return {@code @} or {@code ^}; 0 if there is neither
     */
    public final int takeSuffixMark() {
        int i = at;
        while (has(i) && (text[i] == ' ' || text[i] == '\t')) {
            i++;
        }
        int mark = has(i) ? text[i] : -1;
        if (mark == '@') {
            at = i + 1;
            return mark;
        }
        if (mark == '^' && has(i + 1) && text[i + 1] == '^') {
            at = i + 2;
            return mark;
        }
        return 0;
    }

    public final byte[] content() {
        return content;
    }

    public final int contentOffset() {
        return contentOffset;
    }

    public final int contentLength() {
        return contentLength;
    }

    /** Returns true if the text of the token is what {@link CanonicalTerms} would write. */
    public final boolean isCanonical() {
        return canonical;
    }

    /** Reads {@code <iri>}; the next byte is {@code <}. */
    public final void iri() {
        int start = at + 1;
        int i = endOfPlainIri(start);
        if (i < end && text[i] == '>') {
            setContent(start, i, true);
            at = i + 1;
        } else {
            escapedIri(start, i);
        }
    }

    /** Returns the index of the first byte of a string that is not plain, from {@code start}; or the end of the text. */
    private int endOfPlainString(int start) {
        int i = start;
        do {
            i = endOfPlainStringHere(i);
        } while (i == end && more());
        return i;
    }

    private int endOfPlainStringHere(int start) {
        byte[] bytes = text;
        int i = start;
        while (i <= end - Long.BYTES) {
            long other = otherInString((long) LONGS.get(bytes, i));
            if (other == 0) {
                i += Long.BYTES;
            } else {
                i += Long.numberOfTrailingZeros(other) / Byte.SIZE;
                if (STRING_BYTES[bytes[i] & 0xFF] != PLAIN) {
                    return i;
                }
                i++;
            }
        }
        return firstOther(STRING_BYTES, i, end);
    }

    /** Returns the index of the first byte of an IRI that is not plain, from {@code start}; or the end of the text. */
    private int endOfPlainIri(int start) {
        int i = start;
        do {
            i = endOfPlainIriHere(i);
        } while (i == end && more());
        return i;
    }

    private int endOfPlainIriHere(int start) {
        byte[] bytes = text;
        int i = start;
        while (i <= end - Long.BYTES) {
            long other = otherInIri((long) LONGS.get(bytes, i));
            if (other == 0) {
                i += Long.BYTES;
            } else {
                i += Long.numberOfTrailingZeros(other) / Byte.SIZE;
                if (IRI_BYTES[bytes[i] & 0xFF] != PLAIN) {
                    return i;
                }
                i++;
            }
        }
        return firstOther(IRI_BYTES, i, end);
    }

    private int firstOther(byte[] kinds, int start, int stop) {
        byte[] bytes = text;
        int i = start;
        while (i < stop && kinds[bytes[i] & 0xFF] == PLAIN) {
            i++;
        }
        return i;
    }

    // The innermost loops of all text formats, eight bytes at a time. Each summand has a high bit for a byte that is not plain.
    // It may have one for a plain byte too, so the tables decide.

    /** Returns the high bits of bytes that are not ASCII from the space on, or are DEL, the quote or the backslash. */
    private static long otherInString(long bytes) {
        long other = bytes
                | bytes - ' ' * EACH
                | bytes + EACH
                | (bytes ^ '"' * EACH) - EACH
                | (bytes ^ '\\' * EACH) - EACH;
        return other & HIGH_BITS;
    }

    /** Returns the high bits of bytes that are not ASCII above the space and below the brace, or are {@code < > " ^ ` \}. */
    private static long otherInIri(long bytes) {
        long bit = 2 * EACH;
        long other = bytes
                | bytes - ('!' * EACH)
                | bytes + (0x80 - '{') * EACH
                | ((bytes | bit) ^ '>' * EACH) - EACH
                | ((bytes | bit) ^ '^' * EACH) - EACH
                | (bytes ^ '`' * EACH) - EACH
                | (bytes ^ '"' * EACH) - EACH;
        return other & HIGH_BITS;
    }

    /** Reads the rest of an IRI that is plain up to {@code stopped}. */
    private void escapedIri(int start, int stopped) {
        int mark = scratch.size();
        int copied = start;
        int i = stopped;
        while (has(i)) {
            byte kind = IRI_BYTES[text[i] & 0xFF];
            if (kind == PLAIN) {
                i++;
            } else if (kind == END) {
                scratch.append(text, copied, i - copied);
                foundInScratch(start, i, mark);
                at = i + 1;
                return;
            } else if (kind == ESCAPE) {
                scratch.append(text, copied, i - copied);
                i = unicodeEscape(i);
                copied = i;
            } else if (pieces && isLineEnd(i)) {
                break;
            } else {
                throw newError(i, entityNamed(i) + " in an IRI", "write it as \\u" + String.format("%04X", text[i])
                        + ", or percent-encoded");
            }
        }
        throw unclosedError("an IRI without its closing '>'", "close it");
    }

    /** Reads {@code "lexical form"}, without a language tag or datatype; the next byte is {@code "}. */
    public final void string() {
        int start = at + 1;
        int i = endOfPlainString(start);
        boolean plain = true;
        while (i < end) {
            byte kind = STRING_BYTES[text[i] & 0xFF];
            if (kind == END) {
                setContent(start, i, plain);
                at = i + 1;
                return;
            }
            if (kind == NOT_CANONICAL) {
                plain = false;
            } else if (kind == MAYBE_NON_CHARACTER) {
                plain &= !(has(i + 2) && Utf8Chars.isNonCharacter(text, i));
            } else {
                break;
            }
            i = endOfPlainString(i + 1);
        }
        escapedString(start, i);
    }

    /**
     * Reads a string in Turtle's form: in one or three quotes, or apostrophes. With three, it may span lines. The next byte is
     * a quote or an apostrophe.
     */
    public final void turtleString() {
        byte quote = text[at];
        boolean isLong = peek(1) == quote && peek(2) == quote;
        if (quote == '"' && !isLong) {
            string();
        } else {
            turtleString(quote, isLong);
        }
    }

    private void turtleString(byte quote, boolean isLong) {
        int quotes = isLong ? 3 : 1;
        int opened = at;
        int start = at + quotes;
        int mark = scratch.size();
        int i = start;
        while (has(i)) {
            byte b = text[i];
            if (b == quote && (!isLong || has(i + 2) && text[i + 1] == quote && text[i + 2] == quote)) {
                foundInScratch(start, i, mark);
                at = i + quotes;
                return;
            }
            if (b == '\\') {
                i = stringEscape(i);
            } else if (!isLineEnd(i)) {
                scratch.append(text[i++]);
            } else if (isLong) {
                lineEndInString(i);
                scratch.append(text[i++]);
            } else {
                throw newError(opened, "a literal without its closing \"" + (char) quote + "\" in the line",
                        "close it, or write it in three of these");
            }
        }
        at = i;
        throw newError(opened, "a literal without its end", "close it as it was opened");
    }

    /** Reads the rest of a string that is plain up to {@code stopped}. */
    private void escapedString(int start, int stopped) {
        int mark = scratch.size();
        scratch.append(text, start, stopped - start);
        int i = stopped;
        while (has(i)) {
            byte kind = STRING_BYTES[text[i] & 0xFF];
            if (kind == END) {
                foundInScratch(start, i, mark);
                at = i + 1;
                return;
            } else if (kind == ESCAPE) {
                i = stringEscape(i);
            } else if (kind == FORBIDDEN && pieces) {
                break;
            } else if (kind == FORBIDDEN) {
                throw newError(i, entityNamed(i) + " in a literal",
                        "write it as " + (text[i] == '\n' ? "\\n" : "\\r"));
            } else {
                scratch.append(text[i++]);
            }
            i += scratch.appendPlainOfString(text, i, end);
        }
        throw unclosedError("a literal without its closing '\"'", "close it, and write the ends of lines in it as \\n and \\r");
    }

    /**
     * Creates the error for an unclosed token. Only text that comes in pieces has several lines, so only there the message has
     * the line.
     */
    private RuntimeException unclosedError(String found, String advice) {
        return newError(at, pieces ? found + " in the line" : found, advice);
    }

    private boolean isLineEnd(int index) {
        return text[index] == '\n' || text[index] == '\r';
    }

    /** Reads the letters, digits, {@code -} and {@code _} of a language tag; the byte before was {@code @}. */
    public final void languageTag() {
        int start = at;
        boolean lower = true;
        while (has(at) && RdfTerms.isReadInTag(text[at])) {
            lower &= text[at] < 'A' || text[at] > 'Z';
            at++;
        }
        if (at == start) {
            throw newError(at, "an empty language tag", "write one, such as @en, or leave out the '@'");
        }
        setContent(start, at, lower);
    }

    /** Reads a blank node label by the grammar of N-Triples; the bytes before were {@code _:}. */
    public final void label() {
        int start = at;
        int stop = end;
        if (pieces) {
            stop = start;
            while (has(stop) && LabelCharacters.mayBeOf(text[stop])) {
                stop++;
            }
            setContent(start, stop, true);
        }
        at = LabelCharacters.labelEnd(text, start, stop);
        if (at == start) {
            String found = pieces && start == stop ? "the end" : entityNamed(start);
            throw newError(start, found + " where the label of a blank node should start",
                    "start labels with a letter, a digit or '_'");
        }
        setContent(start, at, true);
    }

    /**
     * Reads a blank node label up to the next space or control character, which are escaped within it, as is the backslash. The
     * bytes before were {@code _:}. The label may be empty.
     */
    public final void escapedLabel() {
        int start = at;
        int mark = scratch.size();
        int copied = start;
        boolean escapes = false;
        while (has(at) && (text[at] < 0 || text[at] > ' ')) {
            if (text[at] == '\\') {
                scratch.append(text, copied, at - copied);
                at = unicodeEscape(at);
                copied = at;
                escapes = true;
            } else {
                at++;
            }
        }
        if (escapes) {
            scratch.append(text, copied, at - copied);
            foundInScratch(start, at, mark);
        } else {
            setContent(start, at, true);
        }
    }

    private int stringEscape(int backslash) {
        byte unescaped = has(backslash + 1) ? UNESCAPED[text[backslash + 1] & 0xFF] : 0;
        if (unescaped == 0) {
            return unicodeEscape(backslash);
        }
        scratch.append(unescaped);
        return backslash + 2;
    }

    /** Appends the character of the escape at {@code backslash}, and returns the end of the escape. */
    private int unicodeEscape(int backslash) {
        int kind = has(backslash + 1) ? text[backslash + 1] : -1;
        int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
        if (digits == 0) {
            throw newError(backslash, "an escape that N-Triples does not have here", "write a backslash as \\u005C");
        }
        int stop = backslash + 2 + digits;
        long codePoint = parseHexadecimal(backslash, digits);
        if (digits == 4 && joinsSurrogates() && Character.isHighSurrogate((char) codePoint) && has(stop + 1)
                && text[stop] == '\\' && text[stop + 1] == 'u') {
            long low = parseHexadecimal(stop, digits);
            if (Character.isLowSurrogate((char) low)) {
                codePoint = Character.toCodePoint((char) codePoint, (char) low);
                stop += 2 + digits;
            }
        }
        if (codePoint > Character.MAX_CODE_POINT) {
            throw newError(backslash, "an escape above U+10FFFF", "write a character that Unicode has");
        }
        if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
            throw newError(backslash, "an escape of a surrogate", "write the whole character as one \\U escape");
        }
        scratch.appendCodePoint((int) codePoint);
        return stop;
    }

    private long parseHexadecimal(int backslash, int digits) {
        long value = 0;
        for (int i = backslash + 2; i < backslash + 2 + digits; i++) {
            int digit = has(i) ? Character.digit(text[i], 16) : -1;
            if (digit < 0) {
                throw newError(backslash, "an escape with fewer than " + digits + " hexadecimal digits",
                        "write " + digits + " digits after \\" + (char) text[backslash + 1]);
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** Sets the content to these bytes, which stand for the text from {@code start} to {@code stop}. */
    protected final void setContent(byte[] bytes, int start, int stop) {
        setContent(start, stop, false);
        content = bytes;
        contentOffset = 0;
        contentLength = bytes.length;
    }

    /** Sets the content to the text from {@code start} to {@code stop}. */
    protected final void setContent(int start, int stop, boolean isCanonical) {
        if (stop > validTo) {
            checkUtf8(start, stop);
        }
        content = text;
        contentOffset = start;
        contentLength = stop - start;
        canonical = isCanonical;
    }

    /**
     * Sets the content to the scratch buffer from {@code mark} on, which stands for the text from {@code start} to {@code
     * stop}.
     */
    private void foundInScratch(int start, int stop, int mark) {
        setContent(start, stop, false);
        content = scratch.array();
        contentOffset = mark;
        contentLength = scratch.size() - mark;
    }

    private String entityNamed(int position) {
        if (!has(position)) {
            return "the end";
        }
        int character = Utf8Chars.codePoint(text, position);
        return character <= ' ' || character == 0x7F
                ? String.format("the character U+%04X", character)
                : "'" + Character.toString(character) + "'";
    }
}
