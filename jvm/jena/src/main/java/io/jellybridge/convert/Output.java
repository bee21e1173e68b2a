package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.ThriftPatchWriter;
import io.jellybridge.jena.riot.DocumentWriter;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.text.EventLines;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.jena.graph.Node;

/**
 * A stream that is being written, in any format.
 *
 * @param handler receives the events
 * @param end     ends the stream and closes the output in any case
 * @param abandon closes the output after an error
 */
record Output<H>(H handler, Closeable end, Closeable abandon) implements Closeable {

    /** Creates a stream that is ended after an error too. */
    Output(H handler, Closeable end) {
        this(handler, end, end);
    }

    @Override
    public void close() throws IOException {
        end.close();
    }

    /**
     * Begins a stream of patches.
     *
     * @param options the options of a Jelly-Patch stream
     * @param cut     the sizes of frames, and the allowed terms
     * @param marks   true if RDF Patch text has {@code Z} rows
     * @param quads   for event lines: true if a null graph is the default graph
     */
    static Output<PatchHandler<byte[]>> ofPatches(
            OutputStream out, String file, Format format, PatchOptions options, WriteOptions cut, boolean marks,
            boolean quads) {
        switch (format) {
            case JELLY_PATCH -> {
                PatchWriter<byte[]> writer = new PatchWriter<>(out, file, new Utf8Terms(), options, cut);
                return new Output<>(writer, writer);
            }
            case RDF_PATCH -> {
                RdfPatchWriteOptions text = new RdfPatchWriteOptions(
                        marks, options.generalizedStatements(), cut.terms() != TermRules.RDF, cut.maxFrameBytes());
                RdfPatchWriter<byte[]> writer = new RdfPatchWriter<>(out, file, new Utf8Terms(), text);
                return new Output<>(writer, writer);
            }
            case THRIFT -> {
                ThriftPatchWriter writer = new ThriftPatchWriter(out, file);
                TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
                return new Output<>(new PatchTranslator<>(nodes, writer), writer);
            }
            case EVENTS -> {
                OutputStream lines = new BufferedOutputStream(out, 1 << 16);
                return new Output<>(EventLines.ofPatches(lines, new Utf8Terms(), () -> quads), lines);
            }
            default -> throw new IllegalArgumentException(format + " holds statements, not patches");
        }
    }

    /**
     * Begins a stream of statements.
     *
     * @param options the frame options of a Jelly-RDF stream
     * @param stream  the options row of such a stream
     * @param quads   as for {@link #ofPatches}
     */
    static Output<RdfHandler<byte[]>> ofStatements(
            OutputStream out, String file, Format format, ConvertOptions options, RdfOptions stream, boolean quads) {
        switch (format) {
            case JELLY -> {
                boolean keepsFrames = !options.cutsAnew();
                WriteOptions cut = options.cut();
                RdfWriter<byte[]> writer = new RdfWriter<>(out, file, new Utf8Terms(), stream, cut);
                JellySink sink = new JellySink(writer, stream, keepsFrames);
                return new Output<>(sink, sink);
            }
            case NQUADS, NTRIPLES -> {
                NQuadsSink sink = new NQuadsSink(out, file, format, options.rdfStar());
                return new Output<>(sink, sink);
            }
            case EVENTS -> {
                OutputStream lines = new BufferedOutputStream(out, 1 << 16);
                return new Output<>(EventLines.ofRdf(lines, new Utf8Terms(), () -> quads), lines);
            }
            case TURTLE, TRIG, RDFXML, JSONLD, RDFJSON, TRIX -> {
                DocumentWriter document = new DocumentWriter(out, file, RdfFile.named(format.toString()));
                return new Output<>(new DocumentSink(document), () -> {
                    try (out) {
                        document.finish();
                    }
                }, out);
            }
            default -> throw new IllegalArgumentException(format + " is not written as statements");
        }
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
}
