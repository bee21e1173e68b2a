package io.jellybridge.codec;

import io.jellybridge.wire.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Cuts N-Triples text into tokens. After {@link #iri()}, {@link #string()} and the others, {@link #content()},
 * {@link #contentOffset()} and {@link #contentLength()} are the token's content, unescaped: a range of the text itself
 * where it holds no escapes, which is the rule, else a range of a scratch buffer that stays as it is until
 * {@link #reset}. For one thread.
 *
 * <p>Every method that reads throws {@link TermSyntaxException} for text that is not the token it stands for.
 */
public final class NTriplesScanner {

    /** How a byte is read: copied, or not. */
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
    }

    private final CanonicalBuffer scratch = new CanonicalBuffer();
    private byte[] text;
    private int from;
    private int end;
    private int at;

    private byte[] content;
    private int contentOffset;
    private int contentLength;
    private boolean canonical;

    /**
     * Starts with another text.
     *
     * @throws TermSyntaxException the bytes are not UTF-8
     */
    public void reset(byte[] bytes, int offset, int length) {
        text = bytes;
        from = offset;
        at = offset;
        end = offset + length;
        scratch.clear();
        int invalid = Utf8.firstInvalid(bytes, offset, length);
        if (invalid >= 0) {
            throw error(invalid, "bytes that are not UTF-8", "save the text as UTF-8");
        }
    }

    /** Where the next token starts, an index of the text's array. */
    public int position() {
        return at;
    }

    public boolean atEnd() {
        return at == end;
    }

    /** The next byte; -1 at the end. */
    public int peek() {
        return at < end ? text[at] : -1;
    }

    /** Goes over {@code ascii} if it comes next. */
    public boolean take(String ascii) {
        int length = ascii.length();
        if (end - at < length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text[at + i] != ascii.charAt(i)) {
                return false;
            }
        }
        at += length;
        return true;
    }

    /** Goes over spaces and tabs. */
    public void skipSpaces() {
        while (at < end && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
    }

    /** Goes over spaces and {@code ascii} if they come next; else stays before the spaces. */
    public boolean takeAfterSpaces(String ascii) {
        int start = at;
        skipSpaces();
        if (take(ascii)) {
            return true;
        }
        at = start;
        return false;
    }

    public byte[] content() {
        return content;
    }

    public int contentOffset() {
        return contentOffset;
    }

    public int contentLength() {
        return contentLength;
    }

    /** Whether the text of the token is already what {@link CanonicalTerms} would write for it. */
    public boolean isCanonical() {
        return canonical;
    }

    /** Reads {@code <iri>}; the next byte is {@code <}. */
    public void iri() {
        int start = at + 1;
        int i = endOfPlainIri(start);
        if (i < end && text[i] == '>') {
            found(text, start, i - start, true);
            at = i + 1;
        } else {
            escapedIri(start, i);
        }
    }

    /** The first byte of a string from {@code start} on that is not plain. */
    private int endOfPlainString(int start) {
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

    /** The first byte of an IRI from {@code start} on that is not plain. */
    private int endOfPlainIri(int start) {
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

    // Eight bytes at a time, the hot loops of all reading: each summand has a high bit where a byte is not plain. A byte
    // that is plain may look as if it was not; the tables have the last word.

    /** The high bits of bytes that are not ASCII from the space on, or are DEL, the quote or the backslash. */
    private static long otherInString(long bytes) {
        long other = bytes
                | bytes - ' ' * EACH
                | bytes + EACH
                | (bytes ^ '"' * EACH) - EACH
                | (bytes ^ '\\' * EACH) - EACH;
        return other & HIGH_BITS;
    }

    /** The high bits of bytes that are not ASCII above the space and below the brace, or are {@code < > " ^ ` \}. */
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

    /** The rest of an IRI that is not all plain up to {@code stopped}. */
    private void escapedIri(int start, int stopped) {
        int mark = scratch.size();
        int copied = start;
        int i = stopped;
        while (i < end) {
            byte kind = IRI_BYTES[text[i] & 0xFF];
            if (kind == PLAIN) {
                i++;
            } else if (kind == END) {
                scratch.append(text, copied, i - copied);
                foundInScratch(mark);
                at = i + 1;
                return;
            } else if (kind == ESCAPE) {
                scratch.append(text, copied, i - copied);
                i = unicodeEscape(i);
                copied = i;
            } else {
                throw error(i, named(i) + " in an IRI", "write it as \\u" + String.format("%04X", text[i])
                        + ", or percent-encoded");
            }
        }
        throw error(at, "an IRI without its closing '>'", "close it");
    }

    /** Reads {@code "lexical form"}, without what may follow; the next byte is {@code "}. */
    public void string() {
        int start = at + 1;
        int i = endOfPlainString(start);
        boolean plain = true;
        while (i < end) {
            byte kind = STRING_BYTES[text[i] & 0xFF];
            if (kind == END) {
                found(text, start, i - start, plain);
                at = i + 1;
                return;
            }
            if (kind == NOT_CANONICAL) {
                plain = false;
            } else if (kind == MAYBE_NON_CHARACTER) {
                plain &= !Utf8Chars.isNonCharacter(text, i);
            } else {
                break;
            }
            i = endOfPlainString(i + 1);
        }
        escapedString(start, i);
    }

    /** The rest of a string that has an escape, or is not one, at {@code stopped}. */
    private void escapedString(int start, int stopped) {
        int mark = scratch.size();
        int copied = start;
        int i = stopped;
        while (i < end) {
            byte kind = STRING_BYTES[text[i] & 0xFF];
            if (kind == END) {
                scratch.append(text, copied, i - copied);
                foundInScratch(mark);
                at = i + 1;
                return;
            } else if (kind == ESCAPE) {
                scratch.append(text, copied, i - copied);
                i = stringEscape(i);
                copied = i;
            } else if (kind == FORBIDDEN) {
                throw error(i, named(i) + " in a literal",
                        "write it as " + (text[i] == '\n' ? "\\n" : "\\r"));
            } else {
                i = endOfPlainString(i + 1);
            }
        }
        throw error(at, "a literal without its closing '\"'", "close it");
    }

    /** Reads the letters, digits, {@code -} and {@code _} of a language tag; the byte before was {@code @}. */
    public void languageTag() {
        int start = at;
        boolean lower = true;
        while (at < end && RdfTerms.isReadInTag(text[at])) {
            lower &= text[at] < 'A' || text[at] > 'Z';
            at++;
        }
        if (at == start) {
            throw error(at, "an empty language tag", "write one, such as @en, or leave out the '@'");
        }
        found(text, start, at - start, lower);
    }

    /** Reads a blank node label by the grammar of N-Triples; the bytes before were {@code _:}. */
    public void label() {
        int start = at;
        at = LabelCharacters.labelEnd(text, start, end);
        if (at == start) {
            throw error(start, named(start) + " where the label of a blank node should start",
                    "start labels with a letter, a digit or '_'");
        }
        found(text, start, at - start, true);
    }

    /**
     * Reads a blank node label that is anything up to the next space or control character, where those and the
     * backslash are escaped; the bytes before were {@code _:}. May be empty.
     */
    public void escapedLabel() {
        int start = at;
        int mark = scratch.size();
        int copied = start;
        boolean escapes = false;
        while (at < end && (text[at] < 0 || text[at] > ' ')) {
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
            foundInScratch(mark);
        } else {
            found(text, start, at - start, true);
        }
    }

    private int stringEscape(int backslash) {
        int character = backslash + 1 < end ? text[backslash + 1] : -1;
        switch (character) {
            case 't':
                scratch.append('\t');
                return backslash + 2;
            case 'b':
                scratch.append('\b');
                return backslash + 2;
            case 'n':
                scratch.append('\n');
                return backslash + 2;
            case 'r':
                scratch.append('\r');
                return backslash + 2;
            case 'f':
                scratch.append('\f');
                return backslash + 2;
            case '"':
            case '\'':
            case '\\':
                scratch.append(character);
                return backslash + 2;
            default:
                return unicodeEscape(backslash);
        }
    }

    /** Appends the character that the escape at {@code backslash} stands for, and says where the escape ends. */
    private int unicodeEscape(int backslash) {
        int kind = backslash + 1 < end ? text[backslash + 1] : -1;
        int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
        if (digits == 0) {
            throw error(backslash, "an escape that N-Triples does not have here", "write a backslash as \\u005C");
        }
        int stop = backslash + 2 + digits;
        long codePoint = 0;
        for (int i = backslash + 2; i < stop; i++) {
            int digit = i < end ? Character.digit(text[i], 16) : -1;
            if (digit < 0) {
                throw error(backslash, "an escape with fewer than " + digits + " hexadecimal digits",
                        "write " + digits + " digits after \\" + (char) kind);
            }
            codePoint = codePoint << 4 | digit;
        }
        if (codePoint > Character.MAX_CODE_POINT) {
            throw error(backslash, "an escape above U+10FFFF", "write a character that Unicode has");
        }
        if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
            throw error(backslash, "an escape of a surrogate", "write the whole character as one \\U escape");
        }
        scratch.appendCodePoint((int) codePoint);
        return stop;
    }

    private void found(byte[] bytes, int offset, int length, boolean isCanonical) {
        content = bytes;
        contentOffset = offset;
        contentLength = length;
        canonical = isCanonical;
    }

    private void foundInScratch(int mark) {
        found(scratch.array(), mark, scratch.size() - mark, false);
    }

    /** What comes next, for a message. */
    public String describeNext() {
        return named(at);
    }

    private String named(int position) {
        if (position == end) {
            return "the end";
        }
        int character = Utf8Chars.codePoint(text, position);
        return character <= ' ' || character == 0x7F
                ? String.format("the character U+%04X", character)
                : "'" + Character.toString(character) + "'";
    }

    /** An error at {@code position}, an index of the text's array. */
    public TermSyntaxException error(int position, String found, String advice) {
        return new TermSyntaxException(Utf8Chars.excerpt(text, from, end), position - from, found, advice);
    }
}
