package io.jellybridge.jena.patch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StreamType;
import io.jellybridge.jena.nodes.IllegalTermException;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.jena.graph.Node;
import org.apache.jena.rdfpatch.PatchProcessor;
import org.apache.jena.rdfpatch.RDFChanges;

/**
 * Sends the rows of a Jelly-Patch stream to an {@link RDFChanges}.
 *
 * <p>The sink receives {@code start()}, the rows in order, and {@code finish()}. After every patch of a FRAME or PUNCTUATED
 * stream it also receives {@code segment()}; a FLAT stream is one patch and has no segments. In a TRIPLES stream the graph is
 * null; in a QUADS stream the default graph is {@code Quad.defaultGraphIRI}. {@code RDFChanges} has no parameter for the
 * namespace of a {@code PD} row, so it is dropped.
 * <p>An error only throws an exception. The sink has received the rows before the fault and receives nothing more, neither
 * {@code txnAbort()} nor {@code finish()}. A sink that applies the rows to a dataset must be rolled back; {@code PatchApplier}
 * does that.
 */
public final class JellyPatchReader implements PatchProcessor, Closeable {
    private final InputStream in;
    private final String file;
    private final ReadOptions options;
    private boolean used;

    /**
     * Creates a reader.
     *
     * @param in   the stream; {@link #apply} reads and closes it, and {@link #close()} closes it unread
     * @param file the name of the stream in errors; may be null
     */
    public JellyPatchReader(InputStream in, String file, ReadOptions options) {
        this.in = Objects.requireNonNull(in, "in");
        this.file = file;
        this.options = Objects.requireNonNull(options, "options");
    }

    /** Opens a file with {@link ReadOptions#DEFAULT}, see {@link #open(Path, ReadOptions)}. */
    public static JellyPatchReader open(Path file) throws IOException {
        return open(file, ReadOptions.DEFAULT);
    }

    /**
     * Opens a file, which {@link #apply} or {@link #close()} closes.
     *
     * @throws IOException the file can't be read, or is a folder
     */
    public static JellyPatchReader open(Path file, ReadOptions options) throws IOException {
        Objects.requireNonNull(options, "options");
        return new JellyPatchReader(openBytes(file), file.toString(), options);
    }

    /**
     * Opens the bytes of a file. The caller closes them.
     *
     * @throws IOException the file can't be read, or is a folder
     */
    public static InputStream openBytes(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a folder; give one file of patches, or follow a patch log by a Follower of "
                    + "the artifact jellybridge-sync");
        }
        return Files.newInputStream(file);
    }

    /**
     * Reads the stream, once, and closes it.
     *
     * @throws FormatException the stream breaks the format, or has a term for which Jena has no node (rule {@code term})
     * @throws UncheckedIOException the stream can't be read
     * @throws IllegalStateException it was read or closed before
     */
    @Override
    public void apply(RDFChanges sink) {
        if (used) {
            throw new IllegalStateException("this stream was read or closed already; make a new reader to read it again");
        }
        used = true;
        try (PatchReader<Node> reader = new PatchReader<>(in, file, new NodeTerms(), options)) {
            sink.start();
            readAll(reader, new Player(sink, reader));
            sink.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(ExceptionMessages.toText(e), e);
        }
    }

    /** Closes the stream. Does nothing after {@link #apply}, which has closed it. */
    @Override
    public void close() throws IOException {
        used = true;
        in.close();
    }

    /** Reads all remaining events. The error for a term without a Jena node has its position. */
    public static void readAll(PatchSource<Node> source, PatchHandler<Node> handler) throws IOException {
        try {
            source.readAll(handler);
        } catch (IllegalTermException e) {
            throw source.newError("term", e.getMessage(), "correct the term where the stream is written");
        }
    }

    private record Player(RDFChanges sink, PatchReader<Node> reader) implements PatchHandler<Node> {

        @Override
        public void header(byte[] key, Node value) {
            sink.header(new String(key, UTF_8), value);
        }

        @Override
        public void transaction(Op op) {
            switch (op) {
                case TX -> sink.txnBegin();
                case TC -> sink.txnCommit();
                default -> sink.txnAbort();
            }
        }

        @Override
        public void prefix(Op op, byte[] name, Node namespace, Node graph) {
            String prefix = new String(name, UTF_8);
            if (op == Op.PA) {
                sink.addPrefix(graph, prefix, namespace.getURI());
            } else {
                sink.deletePrefix(graph, prefix);
            }
        }

        @Override
        public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
            if (op == Op.A) {
                sink.add(graph, subject, predicate, object);
            } else {
                sink.delete(graph, subject, predicate, object);
            }
        }

        @Override
        public void endPatch() {
            if (reader.options().streamType() != StreamType.FLAT) {
                sink.segment();
            }
        }
    }
}
