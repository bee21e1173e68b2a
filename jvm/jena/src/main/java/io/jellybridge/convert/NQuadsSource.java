package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Look;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.text.NQuadsParser;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/** Reads N-Quads or N-Triples, line by line; a byte order mark before them is passed over. For one thread. */
final class NQuadsSource implements StatementSource<byte[]> {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private final String file;
    private final Format format;
    private final NQuadsParser parser;
    private final int maxLineBytes;
    private Consumer<FormatException> toldOfFaults;

    private byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int limit;
    private long bufferOffset;
    private int lineStart;
    private int lineEnd;
    private long line;
    /** Whether there was a statement. */
    private boolean read;
    /** Of each position, the term that was made last: terms of neighbouring lines are often the same. */
    private final byte[][] last = new byte[NQuadsParser.POSITIONS][];

    /**
     * @param in     the text; closed by {@link #close()}
     * @param terms  how terms are read
     * @param format N-Quads, or N-Triples, which has no graphs
     */
    NQuadsSource(InputStream in, String file, NQuadsParser terms, Format format, int maxLineBytes) {
        this.in = in;
        this.file = file;
        this.parser = terms;
        this.format = format;
        this.maxLineBytes = maxLineBytes;
    }

    /** Goes on after a line that is wrong, and tells {@code listener} of it. */
    void onFault(Consumer<FormatException> listener) {
        toldOfFaults = listener;
    }

    /** Returns the line that was read last, without its end. */
    String line() {
        return new String(buffer, lineStart, lineEnd - lineStart, UTF_8);
    }

    @Override
    public boolean next(RdfHandler<byte[]> handler) throws IOException {
        while (nextLine()) {
            if (line == 1) {
                skipByteOrderMark();
            }
            if (parseLine()) {
                read = true;
                handler.statement(term(NQuadsParser.SUBJECT), term(NQuadsParser.PREDICATE), term(NQuadsParser.OBJECT),
                        term(NQuadsParser.GRAPH));
                return true;
            }
        }
        return false;
    }

    private void skipByteOrderMark() {
        int afterMark = Math.min(lineStart + BYTE_ORDER_MARK.length, lineEnd);
        if (Arrays.equals(BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length, buffer, lineStart, afterMark)) {
            lineStart = afterMark;
        }
    }

    private boolean parseLine() {
        try {
            if (!parser.parse(buffer, lineStart, lineEnd - lineStart)) {
                return false;
            }
            if (format == Format.NTRIPLES && parser.isPresent(NQuadsParser.GRAPH)) {
                boolean inLine = parser.array(NQuadsParser.GRAPH) == buffer;
                throw located(inLine ? parser.offset(NQuadsParser.GRAPH) - lineStart : 0, "a graph in N-Triples",
                        "read it as nquads, or leave the graph out");
            }
            return true;
        } catch (TermSyntaxException e) {
            report(located(e.offset(), e.found(), e.advice()));
        } catch (FormatException e) {
            report(e);
        }
        return false;
    }

    private void report(FormatException fault) {
        FormatException said = read || bufferOffset > 0 ? fault
                : fault.of(Look.of(buffer, 0, limit), Look.NQUADS, fault.rule());
        // Of something else, no line is right.
        if (toldOfFaults == null || said != fault) {
            throw said;
        }
        toldOfFaults.accept(fault);
    }

    private byte[] term(int position) {
        if (!parser.isPresent(position)) {
            return null;
        }
        byte[] array = parser.array(position);
        int from = parser.offset(position);
        int to = from + parser.length(position);
        byte[] before = last[position];
        if (before == null || !Arrays.equals(before, 0, before.length, array, from, to)) {
            last[position] = Arrays.copyOfRange(array, from, to);
        }
        return last[position];
    }

    /** Goes to the next line; its end, LF, CR or both, is not of it. */
    private boolean nextLine() throws IOException {
        lineStart = at;
        int scanned = at;
        while (true) {
            while (scanned < limit && buffer[scanned] != '\n' && buffer[scanned] != '\r') {
                scanned++;
            }
            if (scanned < limit) {
                lineEnd = scanned;
                at = scanned + 1;
                line += endsLine() ? 1 : 0;
                return true;
            }
            int gone = lineStart;
            if (!fill()) {
                lineEnd = limit;
                at = limit;
                line++;
                return lineStart < limit;
            }
            scanned -= gone - lineStart;
        }
    }

    /** Whether the line counts: the empty one between a CR and its LF does not. */
    private boolean endsLine() {
        return !(buffer[lineEnd] == '\n' && lineEnd == lineStart && lineStart > 0 && buffer[lineStart - 1] == '\r');
    }

    /** Reads more, and moves the line in the making to the front where there is no room, with the byte before it. */
    private boolean fill() throws IOException {
        if (limit == buffer.length) {
            int kept = Math.max(lineStart - 1, 0);
            if (kept == 0) {
                if (buffer.length > maxLineBytes) {
                    line++; // not counted yet, for its end was not found
                    throw located(0, "a line of more than " + maxLineBytes + " bytes",
                            "if you trust the file, raise maxFrameBytes");
                }
                buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, Integer.MAX_VALUE - 8));
            } else {
                System.arraycopy(buffer, kept, buffer, 0, limit - kept);
                bufferOffset += kept;
                limit -= kept;
                lineStart -= kept;
            }
        }
        int count = in.read(buffer, limit, buffer.length - limit);
        limit += Math.max(count, 0);
        return count >= 0;
    }

    private FormatException located(int inLine, String found, String advice) {
        long column = 1;
        for (int i = lineStart; i < lineStart + inLine; i++) {
            boolean startsCharacter = (buffer[i] & 0xC0) != 0x80;
            column += startsCharacter ? 1 : 0;
        }
        return FormatException.inText(format == Format.NTRIPLES ? "N-Triples" : "N-Quads", file, line, column,
                bufferOffset + lineStart + inLine, found, advice);
    }

    @Override
    public FormatException error(String rule, String found, String advice) {
        return located(0, found + " (" + rule + ")", advice);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
