package io.jellybridge.convert;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.text.NQuadsParser;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Writes N-Quads, or N-Triples, which has no graphs. It checks that each position allows its term, so generalized statements
 * are errors. Namespaces and frames are left out. Not thread-safe.
 */
final class NQuadsSink implements RdfHandler<byte[]>, Closeable {
    private final OutputStream out;
    private final String file;
    private final Format format;
    private final NQuadsParser parser;
    /** The last term of each position, and its text, since terms repeat. */
    private final byte[][] last = new byte[NQuadsParser.POSITIONS][];
    private final byte[][] checked = new byte[NQuadsParser.POSITIONS][];
    private long line = 1;

    /**
     * Creates a writer.
     *
     * @param rdfStar true if triple terms may be subjects
     */
    NQuadsSink(OutputStream out, String file, Format format, boolean rdfStar) {
        this.out = new BufferedOutputStream(out, 1 << 16);
        this.file = file;
        this.format = format;
        this.parser = new NQuadsParser(rdfStar, true, false);
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        if (graph != null && format == Format.NTRIPLES) {
            throw refuse("a named graph for N-Triples, which has none", "write nquads, or the statements without it");
        }
        check(NQuadsParser.SUBJECT, subject);
        check(NQuadsParser.PREDICATE, predicate);
        check(NQuadsParser.OBJECT, object);
        if (graph != null) {
            check(NQuadsParser.GRAPH, graph);
        }
        try {
            put(NQuadsParser.SUBJECT);
            put(NQuadsParser.PREDICATE);
            put(NQuadsParser.OBJECT);
            if (graph != null) {
                put(NQuadsParser.GRAPH);
            }
            out.write('.');
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        line++;
    }

    private void check(int position, byte[] term) {
        if (term == last[position]) {
            return;
        }
        try {
            parser.parseTerm(position, term);
        } catch (TermSyntaxException e) {
            throw refuse(e.found(), e.advice());
        }
        last[position] = term;
        checked[position] = parser.term(position);
    }

    private void put(int position) throws IOException {
        out.write(checked[position], 0, checked[position].length);
        out.write(' ');
    }

    private FormatException refuse(String found, String advice) {
        String name = format == Format.NTRIPLES ? "N-Triples" : "N-Quads";
        return FormatException.inText(name, file, line, 0, -1, found, advice);
    }

    @Override
    public void close() throws IOException {
        try (out) {
            out.flush();
        }
    }
}
