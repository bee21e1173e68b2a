package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.files.BlockInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A text of Turtle, TriG or N3 with an additional directive at its end, which detects truncated files. RIOT ends the last
 * statement at the end of a file, so a truncated file looks complete, and {@code 1234567} becomes {@code 123456}. It accepts
 * the directive only between two statements.
 *
 * <p>At the end of a file, a dot directly after a name or a number does not prove that the statement ended: {@code 1.} may be a
 * part of {@code 1.5}, and {@code ex:a.} of {@code ex:a.b}. In that case, a character that continues both is inserted before
 * the directive.
 */
final class EndMark extends BlockInputStream {
    private static final int TAIL_BYTES = 64;
    /** Matches the last bytes of a text if its dot can't be a part of a term. */
    private static final Pattern ENDED = Pattern.compile("(?s).*(\\s|[^\\\\][>\"'\\])}]"
            + "|[\"']@[A-Za-z]+(-[A-Za-z0-9]*)*|[\\s,;(\\[](true|false))\\.");

    private final String name = "e" + UUID.randomUUID().toString().replace("-", "");
    private final byte[] tail = new byte[TAIL_BYTES];
    private int tailBytes;
    private long line = 1;
    private long column = 1;
    /** The directive; null before the end of the text. */
    private InputStream directive;
    private boolean dotIsOpen;
    private boolean taken;

    EndMark(InputStream text) {
        super(text);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int count = directive == null ? in.read(into, offset, length) : -1;
        if (count >= 0) {
            note(into, offset, count);
            return count;
        }
        if (directive == null) {
            String end = new String(tail, 0, tailBytes, ISO_8859_1);
            dotIsOpen = end.endsWith(".") && !ENDED.matcher(end).matches();
            String text = (dotIsOpen ? "0" : "") + "\nPREFIX " + name + ": <urn:" + name + ">\n";
            directive = new ByteArrayInputStream(text.getBytes(US_ASCII));
        }
        return directive.read(into, offset, length);
    }

    private void note(byte[] bytes, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            boolean startsCharacter = (bytes[i] & 0xC0) != 0x80;
            column = bytes[i] == '\n' ? 1 : column + (startsCharacter ? 1 : 0);
            line += bytes[i] == '\n' ? 1 : 0;
        }
        int kept = Math.min(tailBytes, Math.max(TAIL_BYTES - count, 0));
        int added = Math.min(count, TAIL_BYTES);
        System.arraycopy(tail, tailBytes - kept, tail, 0, kept);
        System.arraycopy(bytes, offset + count - added, tail, kept, added);
        tailBytes = kept + added;
    }

    /** Checks whether a prefix is that of the directive. If it is, the parser has reached the end between two statements. */
    boolean take(String prefix) {
        taken |= prefix.equals(name);
        return prefix.equals(name);
    }

    boolean isTaken() {
        return taken;
    }

    /** Checks whether a line is after the text, so that the fault is the end of the text. */
    boolean isBehind(long ofLine) {
        return directive != null && ofLine > line;
    }

    /** Returns the text's last line, from 1. */
    long line() {
        return line;
    }

    /** Returns the column after the text's last character, from 1. */
    long column() {
        return column;
    }

    /** Returns a clause without a full stop that says what was found if the last statement is not ended. */
    String found() {
        return dotIsOpen ? "the end of the file at a dot right behind a name or number, which may be cut off there"
                : "the end of the file within a statement";
    }

    /** Returns a clause without a full stop that says what to do. */
    String advice() {
        return "get the file again if it was cut off, else " + (dotIsOpen ? "end it with a line break" : "end the statement");
    }
}
