package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.CanonicalWriter;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermSource;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;

/**
 * Writes the events of a stream as lines of UTF-8, one line an event. Conformance suites compare streams in this form.
 *
 * <pre>
 * H "key" term         TX  TC  TA         ---                           the end of a patch
 * PA "name" &lt;iri&gt; [g]  PD "name" &lt;iri&gt;|- [g]
 * A s p o [g]          D s p o [g]                                      in a patch
 * T s p o              Q s p o g          NS "name" &lt;iri&gt;               in Jelly-RDF
 * </pre>
 *
 * <p>In a stream of quads, the default graph is {@code DEFAULT}. In a stream of triples there are no graphs, and a prefix has
 * no graph before the first graph that it could repeat. The start and the end of a graph are no lines, nor is the end of a
 * frame; the triples of a graph are {@code Q} lines. Quoted triples are {@code << s p o >>}. In literals, keys and names, a
 * backslash escapes {@code \ "}, line feed, carriage return and tab. All other characters are raw. Characters that would end an
 * IRI or a label early are {@code \}{@code uXXXX}, so that every line can be parsed. {@code xsd:string} is left out, and
 * language tags are in lower case.
 *
 * <p>Every event is one call of {@link OutputStream#write(byte[], int, int)}. Pass a buffered stream, and flush it at the end.
 * An event with an invalid term writes nothing; {@link TermSource#visit} says how it fails. An {@link IOException} is thrown as
 * {@link UncheckedIOException}.
 */
public final class EventLines {
    private static final byte[] END_OF_PATCH = "---".getBytes(US_ASCII);
    private static final byte[] NAMESPACE = "NS".getBytes(US_ASCII);
    private static final byte[] TRIPLE = "T".getBytes(US_ASCII);
    private static final byte[] QUAD = "Q".getBytes(US_ASCII);
    private static final byte[] ABSENT = " -".getBytes(US_ASCII);

    private EventLines() {
    }

    /**
     * Creates a handler that writes the lines of a patch stream.
     *
     * @param out   the target, which is neither flushed nor closed
     * @param terms takes the terms apart
     * @param quads returns true if a null graph is the default graph of a stream of quads; it is asked at each row, so it may
     *              use options that are read before the first row
     */
    public static <T> PatchHandler<T> ofPatches(OutputStream out, TermSource<T> terms, BooleanSupplier quads) {
        return new PatchLines<>(new Line<>(out, terms, quads));
    }

    /** Creates a handler that writes the lines of a Jelly-RDF stream. The parameters are those of {@link #ofPatches}. */
    public static <T> RdfHandler<T> ofRdf(OutputStream out, TermSource<T> terms, BooleanSupplier quads) {
        return new RdfLines<>(new Line<>(out, terms, quads));
    }

    private record PatchLines<T>(Line<T> line) implements PatchHandler<T> {

        private Line<T> beginLine(Op op) {
            return line.begin(op.name().getBytes(US_ASCII));
        }

        @Override
        public void header(byte[] key, T value) {
            beginLine(Op.H).addText(key).addTerm(value).end();
        }

        @Override
        public void transaction(Op op) {
            beginLine(op).end();
        }

        @Override
        public void prefix(Op op, byte[] name, T namespace, T graph) {
            beginPrefix(op, name, namespace).addGraph(graph).end();
        }

        @Override
        public void prefixWithoutGraph(Op op, byte[] name, T namespace) {
            beginPrefix(op, name, namespace).end();
        }

        private Line<T> beginPrefix(Op op, byte[] name, T namespace) {
            beginLine(op).addText(name);
            return namespace == null ? line.addWord(ABSENT) : line.addTerm(namespace);
        }

        @Override
        public void statement(Op op, T subject, T predicate, T object, T graph) {
            beginLine(op).addTerm(subject).addTerm(predicate).addTerm(object).addGraph(graph).end();
        }

        @Override
        public void endPatch() {
            line.begin(END_OF_PATCH).end();
        }
    }

    private record RdfLines<T>(Line<T> line) implements RdfHandler<T> {

        @Override
        public void namespace(byte[] name, T namespace) {
            line.begin(NAMESPACE).addText(name).addTerm(namespace).end();
        }

        @Override
        public void statement(T subject, T predicate, T object, T graph) {
            line.begin(line.inGraph(graph) ? QUAD : TRIPLE).addTerm(subject).addTerm(predicate).addTerm(object).addGraph(graph).end();
        }
    }

    /** An unfinished line. A space precedes each of its terms. */
    private static final class Line<T> {
        private final OutputStream out;
        private final TermSource<T> terms;
        private final BooleanSupplier quads;
        private final EventTermBuffer buffer = new EventTermBuffer();

        Line(OutputStream out, TermSource<T> terms, BooleanSupplier quads) {
            this.out = out;
            this.terms = terms;
            this.quads = quads;
        }

        Line<T> begin(byte[] op) {
            buffer.clear();
            return addWord(op);
        }

        Line<T> addWord(byte[] word) {
            buffer.text().append(word, 0, word.length);
            return this;
        }

        Line<T> addText(byte[] text) {
            buffer.writeString(text);
            return this;
        }

        Line<T> addTerm(T term) {
            terms.visit(term, buffer);
            return this;
        }

        boolean inGraph(T graph) {
            return !terms.isDefaultGraph(graph) || quads.getAsBoolean();
        }

        Line<T> addGraph(T graph) {
            if (!terms.isDefaultGraph(graph)) {
                terms.visit(graph, buffer);
            } else if (quads.getAsBoolean()) {
                buffer.defaultGraph();
            }
            return this;
        }

        void end() {
            buffer.text().append('\n');
            Io.unchecked(() -> out.write(buffer.text().array(), 0, buffer.text().size()));
        }
    }

    /** A buffer of the terms of an event line, each after a space. {@link EventLines} describes their form. */
    private static final class EventTermBuffer extends CanonicalWriter {

        EventTermBuffer() {
            super(false, true);
        }

        /** Appends a text in quotes. */
        void writeString(byte[] string) {
            begin();
            writeQuoted(string, 0, string.length);
        }

        @Override
        protected void writeQuoted(byte[] bytes, int offset, int length) {
            text.append('"');
            int plain = offset;
            int end = offset + length;
            for (int i = offset; i < end; i++) {
                int escape = escape(bytes[i]);
                if (escape != 0) {
                    text.append(bytes, plain, i - plain);
                    text.append('\\');
                    text.append(escape);
                    plain = i + 1;
                }
            }
            text.append(bytes, plain, end - plain);
            text.append('"');
        }

        private static int escape(byte b) {
            return switch (b) {
                case '\\', '"' -> b;
                case '\n' -> 'n';
                case '\r' -> 'r';
                case '\t' -> 't';
                default -> 0;
            };
        }

        @Override
        protected void writeLabel(byte[] bytes, int offset, int length) {
            append("_:");
            text.appendLabel(bytes, offset, length);
        }

        @Override
        public void startTriple() {
            append(" <<");
        }

        @Override
        public void endTriple() {
            append(" >>");
        }

        void defaultGraph() {
            append(" DEFAULT");
        }
    }
}
