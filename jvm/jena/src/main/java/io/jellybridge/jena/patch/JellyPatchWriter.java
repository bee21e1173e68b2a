package io.jellybridge.jena.patch;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.sparql.core.Quad;

/**
 * Writes the calls of {@link RDFChanges} as a Jelly-Patch stream. For example, {@code RDFPatchOps.changes(dataset, writer)}
 * records the changes of a dataset.
 *
 * <p>{@code segment()} ends a patch. {@code finish()} ends a patch that has rows, unless the stream is FLAT; more patches may
 * follow after another {@code start()}. {@link #close()} ends the stream. Both can be called again without effect.
 * <p>A null graph, and both of Jena's names for the default graph, mean the default graph in a QUADS stream and no graph in a
 * TRIPLES stream. {@code deletePrefix} has no namespace, so the {@code PD} rows have none.
 *
 * <p>Every method throws {@link FormatException} for a row that would break the format or the options: a variable, a
 * transaction in a transaction, a named graph in a TRIPLES stream. It throws {@link IllegalArgumentException} for a header key
 * or a prefix that UTF-8 can't encode. Such a call does not change the stream. If the output fails, a method throws {@link
 * UncheckedIOException}, and the stream can't be continued. One thread may call at a time.
 *
 * <p>The writer collects rows, and writes them when a frame is full, when a patch ends and when it is closed. A commit does not
 * reach the file by itself. For a record that survives a crash, use a capture into a folder.
 */
public final class JellyPatchWriter implements RDFChanges, Closeable {
    private final PatchWriter<Node> writer;
    private final PatchOptions options;
    private boolean closed;

    /**
     * Creates a writer.
     *
     * @param out  the target; {@link #close()} closes it
     * @param file the name of the stream in errors; may be null
     */
    public JellyPatchWriter(OutputStream out, String file, PatchOptions options, WriteOptions writeOptions) {
        this.writer = new PatchWriter<>(Objects.requireNonNull(out, "out"), file, new NodeTerms(), options, writeOptions);
        this.options = options;
    }

    /** Creates a new file with {@link PatchOptions#DEFAULT}, see {@link #create(Path, PatchOptions, WriteOptions)}. */
    public static JellyPatchWriter create(Path file) throws IOException {
        return create(file, PatchOptions.DEFAULT, WriteOptions.DEFAULT);
    }

    /**
     * Creates a new file, which {@link #close()} closes.
     *
     * @throws FileAlreadyExistsException there is one, which stays
     * @throws IllegalArgumentException   the options do not fit each other; there is no file then
     * @throws IOException                the file can't be written
     */
    public static JellyPatchWriter create(Path file, PatchOptions options, WriteOptions writeOptions) throws IOException {
        OutputStream out;
        try {
            out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(file.toString(), null, "it exists already; give the name of a new file");
        }
        try {
            return new JellyPatchWriter(out, file.toString(), options, writeOptions);
        } catch (RuntimeException | Error e) {
            out.close();
            Files.delete(file);
            throw e;
        }
    }

    /** Returns the number of patches that were ended so far. */
    public long patches() {
        return writer.patches();
    }

    /** Returns the number of change rows that were written so far. */
    public long rows() {
        return writer.rows();
    }

    @Override
    public void header(String field, Node value) {
        open().header(NodeTerms.utf8(field, "header key"), value);
    }

    @Override
    public void add(Node graph, Node subject, Node predicate, Node object) {
        statement(Op.A, graph, subject, predicate, object);
    }

    @Override
    public void delete(Node graph, Node subject, Node predicate, Node object) {
        statement(Op.D, graph, subject, predicate, object);
    }

    private void statement(Op op, Node graph, Node subject, Node predicate, Node object) {
        open().statement(op, subject, predicate, object, toGraph(graph));
    }

    @Override
    public void addPrefix(Node graph, String prefix, String namespace) {
        prefix(Op.PA, graph, prefix, NodeFactory.createURI(namespace));
    }

    @Override
    public void deletePrefix(Node graph, String prefix) {
        prefix(Op.PD, graph, prefix, null);
    }

    private void prefix(Op op, Node graph, String prefix, Node namespace) {
        open().prefix(op, NodeTerms.utf8(prefix, "prefix"), namespace, toGraph(graph));
    }

    /** Converts every name of the default graph to null, which suits both statement types. The codec checks the rest. */
    private static Node toGraph(Node graph) {
        return graph == null || Quad.isDefaultGraph(graph) ? null : graph;
    }

    @Override
    public void txnBegin() {
        open().transaction(Op.TX);
    }

    @Override
    public void txnCommit() {
        open().transaction(Op.TC);
    }

    @Override
    public void txnAbort() {
        open().transaction(Op.TA);
    }

    @Override
    public void segment() {
        open().endPatch();
    }

    @Override
    public void start() {
        open();
    }

    @Override
    public void finish() {
        if (!closed && writer.patchHasRows() && options.streamType() != StreamType.FLAT) {
            segment();
        }
    }

    /**
     * Ends the open patch and the stream, and closes the output.
     *
     * @throws FormatException a transaction is open (P-105)
     * @throws UncheckedIOException the output can't be written
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(ExceptionMessages.toText(e), e);
        }
    }

    private PatchWriter<Node> open() {
        if (closed) {
            throw new IllegalStateException("the stream was closed; make a new writer for more changes");
        }
        return writer;
    }
}
