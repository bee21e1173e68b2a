package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.SniffedFormat;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.text.NQuadsParser;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/** Reads N-Quads or N-Triples line by line, and skips a byte order mark at the start. Not thread-safe. */
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
    /** True if there was a statement. */
    private boolean read;
    /** The last term of each position, since consecutive lines often have the same terms. */
    private final byte[][] last = new byte[NQuadsParser.POSITIONS][];

    /**
     * Creates a reader.
     *
     * @param in     the text; closed by {@link #close()}
     * @param terms  parses the terms
     * @param format N-Quads, or N-Triples, which has no graphs
     */
    NQuadsSource(InputStream in, String file, NQuadsParser terms, Format format, int maxLineBytes) {
        this.in = in;
        this.file = file;
        this.parser = terms;
        this.format = format;
        this.maxLineBytes = maxLineBytes;
    }

    /** Sets a listener for invalid lines, after which the reader then goes on. */
    void onFault(Consumer<FormatException> listener) {
        toldOfFaults = listener;
    }

    /** Returns the last line, without its line end. */
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
                handler.statement(copyTerm(NQuadsParser.SUBJECT), copyTerm(NQuadsParser.PREDICATE), copyTerm(NQuadsParser.OBJECT),
                        copyTerm(NQuadsParser.GRAPH));
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
                boolean inLine = parser.arrayOf(NQuadsParser.GRAPH) == buffer;
                throw withLocation(inLine ? parser.offsetOf(NQuadsParser.GRAPH) - lineStart : 0, "a graph in N-Triples",
                        "read it as nquads, or leave the graph out");
            }
            return true;
        } catch (TermSyntaxException e) {
            reportBad(withLocation(e.offset(), e.found(), e.advice()));
        } catch (FormatException e) {
            reportBad(e);
        }
        return false;
    }

    private void reportBad(FormatException fault) {
        FormatException said = read || bufferOffset > 0 ? fault
                : fault.of(SniffedFormat.of(buffer, 0, limit), SniffedFormat.NQUADS, fault.rule());
        // No line of another format would be valid.
        if (toldOfFaults == null || said != fault) {
            throw said;
        }
        toldOfFaults.accept(fault);
    }

    private byte[] copyTerm(int position) {
        if (!parser.isPresent(position)) {
            return null;
        }
        byte[] array = parser.arrayOf(position);
        int from = parser.offsetOf(position);
        int to = from + parser.lengthOf(position);
        byte[] before = last[position];
        if (before == null || !Arrays.equals(before, 0, before.length, array, from, to)) {
            last[position] = Arrays.copyOfRange(array, from, to);
        }
        return last[position];
    }

    /** Moves to the next line. A line ends with LF, CR or both, which do not belong to it. */
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

    /** Returns false for the empty line between a CR and its LF, which is not counted. */
    private boolean endsLine() {
        return !(buffer[lineEnd] == '\n' && lineEnd == lineStart && lineStart > 0 && buffer[lineStart - 1] == '\r');
    }

    /** Reads more bytes. If there is no room, it first moves the current line, with the byte before it, to the front. */
    private boolean fill() throws IOException {
        if (limit == buffer.length) {
            int kept = Math.max(lineStart - 1, 0);
            if (kept == 0) {
                if (buffer.length > maxLineBytes) {
                    line++; // not counted yet, since its end was not found
                    throw withLocation(0, "a line of more than " + maxLineBytes + " bytes",
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

    private FormatException withLocation(int inLine, String found, String advice) {
        return FormatException.inText(format == Format.NTRIPLES ? "N-Triples" : "N-Quads", file, line,
                NQuadsParser.columnOf(buffer, lineStart, lineStart + inLine), bufferOffset + lineStart + inLine, found, advice);
    }

    @Override
    public FormatException newError(String rule, String found, String advice) {
        return withLocation(0, found + " (" + rule + ")", advice);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
