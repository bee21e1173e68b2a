package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.StatementWriter;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.ThriftPatchWriter;
import io.jellybridge.jena.riot.DocumentWriter;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.text.EventLines;
import io.jellybridge.text.NQuadsParser;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.Lang;

/** A file in any format that is being written. It appears whole at {@link #commit()}, or not at all. */
final class Output<H> implements Closeable {
    private final OutputFile file;
    private final H handler;
    private final Closeable end;
    private final Closeable abandon;
    private boolean ended;

    /**
     * Creates an output.
     *
     * @param handler receives the events
     * @param end     ends the stream and closes it in any case
     * @param abandon closes the stream after an error
     */
    private Output(OutputFile file, H handler, Closeable end, Closeable abandon) {
        this.file = file;
        this.handler = handler;
        this.end = end;
        this.abandon = abandon;
    }

    private Output(OutputFile file, H handler, Closeable end) {
        this(file, handler, end, end);
    }

    H handler() {
        return handler;
    }

    /** Ends the stream, and gives the file its name. */
    void commit() throws IOException {
        ended = true;
        end.close();
        file.commit();
    }

    /** Removes a file that was not committed. */
    @Override
    public void close() throws IOException {
        try (file) {
            if (!ended) {
                closeQuietly(abandon);
            }
        }
    }

    private static void closeQuietly(Closeable stream) {
        try {
            stream.close();
        } catch (RuntimeException | IOException e) {
            // the stream is incomplete; the error that ended the work is the one to show
        }
    }

    /**
     * Begins a stream of patches.
     *
     * @param place   where to write it
     * @param options the options of a Jelly-Patch stream
     * @param cut     the sizes of frames, and the allowed terms
     * @param marks   true if RDF Patch text has {@code Z} rows
     * @param quads   for event lines: true if a null graph is the default graph
     */
    static Output<PatchHandler<byte[]>> ofPatches(FileLocation place, Format format, PatchOptions options, WriteOptions cut,
            boolean marks, boolean quads) throws IOException {
        return Io.closeOnFailure(place.create(), file -> ofPatches(file, place.name(), format, options, cut, marks, quads));
    }

    static Output<PatchHandler<byte[]>> ofPatches(OutputFile target, String file, Format format, PatchOptions options,
            WriteOptions cut, boolean marks, boolean quads) {
        OutputStream out = target.out();
        switch (format) {
            case JELLY_PATCH -> {
                PatchWriter<byte[]> writer = new PatchWriter<>(out, file, new Utf8Terms(), options, cut);
                return new Output<>(target, writer, writer);
            }
            case RDF_PATCH -> {
                RdfPatchWriteOptions text = new RdfPatchWriteOptions(
                        marks, options.generalizedStatements(), cut.terms() != TermRules.RDF, cut.maxFrameBytes());
                RdfPatchWriter<byte[]> writer = new RdfPatchWriter<>(out, file, new Utf8Terms(), text);
                return new Output<>(target, writer, writer);
            }
            case THRIFT -> {
                ThriftPatchWriter writer = new ThriftPatchWriter(out, file, cut.terms(), options.generalizedStatements());
                TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
                return new Output<>(target, new PatchTranslator<>(nodes, writer), writer);
            }
            case EVENTS -> {
                OutputStream lines = new BufferedOutputStream(out, 1 << 16);
                return new Output<>(target, EventLines.ofPatches(lines, new Utf8Terms(), () -> quads), lines);
            }
            default -> throw new IllegalArgumentException(format + " holds statements, not patches");
        }
    }

    /**
     * Begins a stream of statements.
     *
     * @param place   where to write it
     * @param options the frame options of a Jelly-RDF stream
     * @param stream  the options row of such a stream
     * @param quads   as for {@link #ofPatches}
     */
    static Output<RdfHandler<byte[]>> ofStatements(FileLocation place, Format format, ConvertOptions options, RdfOptions stream,
            boolean quads) throws IOException {
        return Io.closeOnFailure(place.create(), file -> ofStatements(file, place.name(), format, options, stream, quads));
    }

    static Output<RdfHandler<byte[]>> ofStatements(OutputFile target, String file, Format format, ConvertOptions options,
            RdfOptions stream, boolean quads) {
        OutputStream out = target.out();
        switch (format) {
            case JELLY -> {
                StatementWriter<byte[]> writer = new StatementWriter<>(out, file, new Utf8Terms(), stream, options.cut());
                boolean keepsFrames = stream.grouped() || options.cut().delimited() && !options.cutsAnew();
                return new Output<>(target, new JellySink(writer, stream.namespaceDeclarations(), keepsFrames), writer);
            }
            case NQUADS, NTRIPLES -> {
                NQuadsSink sink = new NQuadsSink(out, file, format, options.rdfStar());
                return new Output<>(target, sink, sink);
            }
            case EVENTS -> {
                OutputStream lines = new BufferedOutputStream(out, 1 << 16);
                return new Output<>(target, EventLines.ofRdf(lines, new Utf8Terms(), () -> quads), lines);
            }
            case TURTLE, TRIG, RDFXML, JSONLD, RDFJSON, TRIX -> {
                return ofDocument(target, file, RdfFile.langNamed(format.toString()));
            }
            default -> throw new IllegalArgumentException(format + " is not written as statements");
        }
    }

    /** Begins a document in a syntax that Jena writes. */
    static Output<RdfHandler<byte[]>> ofDocument(FileLocation place, Lang lang) throws IOException {
        return Io.closeOnFailure(place.create(), file -> ofDocument(file, place.name(), lang));
    }

    private static Output<RdfHandler<byte[]>> ofDocument(OutputFile target, String file, Lang lang) {
        OutputStream out = target.out();
        DocumentWriter document = new DocumentWriter(out, file, lang);
        return new Output<>(target, new DocumentSink(document), () -> {
            try (out) {
                document.finish();
            }
        }, out);
    }

    /** Translates terms for a document. Frames and the starts of graphs are left out. */
    private static final class DocumentSink implements RdfHandler<byte[]> {
        private final DocumentWriter document;
        private final TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());

        DocumentSink(DocumentWriter document) {
            this.document = document;
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            try {
                document.prefix(new String(name, UTF_8), nodes.translate(namespace).getURI());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            try {
                document.statement(graph == null ? null : nodes.translate(graph), nodes.translate(subject),
                        nodes.translate(predicate), nodes.translate(object));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Leaves out namespaces and frames on their way to a Jelly-RDF stream. */
    private static final class JellySink extends ForwardingRdfHandler<byte[]> {
        private final boolean keepsNamespaces;
        private final boolean keepsFrames;

        /**
         * Creates a filter.
         *
         * @param keepsFrames true if frames have a meaning, or if neither another size nor one bare frame was requested
         */
        JellySink(StatementWriter<byte[]> writer, boolean keepsNamespaces, boolean keepsFrames) {
            super(writer);
            this.keepsNamespaces = keepsNamespaces;
            this.keepsFrames = keepsFrames;
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            if (keepsNamespaces) {
                super.namespace(name, namespace);
            }
        }

        @Override
        public void endFrame(Map<String, byte[]> metadata) {
            if (keepsFrames) {
                super.endFrame(metadata);
            }
        }
    }

    /**
     * Writes N-Quads, or N-Triples, which has no graphs. It checks that each position allows its term, so generalized statements
     * are errors. Namespaces and frames are left out. Not thread-safe.
     */
    private static final class NQuadsSink implements RdfHandler<byte[]>, Closeable {
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
            checked[position] = parser.copyTerm(position);
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
}
