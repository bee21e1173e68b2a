package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.wire.WireWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/**
 * Writes a Jelly-RDF stream that keeps every MUST of the format. A call that would break it, or that the options do not allow,
 * throws a {@link FormatException}. The stream stays as it was before the call.
 *
 * <p>In a grouped stream (logical type graphs or datasets) a frame is an element. It ends at {@link #endFrame} and nowhere
 * else, and {@link #close()} ends the last one. In a flat stream, frames also end by their size. A graph of a GRAPHS stream may
 * span frames. A restart point ({@link Restart}) begins with a row, where one is due, a frame may begin, and no graph is open.
 * <p>One thread may call at a time.
 *
 * @param <T> the type of a term
 */
public final class RdfWriter<T> implements RdfHandler<T>, Closeable {
    static final int FIRST_ENTRY_FIELD = 9;
    /** The first of the four fields for a graph, in RdfQuad. */
    private static final int GRAPH_OF_QUAD = 13;
    /** The size of a metadata entry beyond its key and value: keys and lengths of fields. */
    private static final int METADATA_OVERHEAD = 32;

    private final RdfOptions options;
    private final byte[] mark;
    private final FrameWriter out;
    private final WireWriter frame;
    private final TermWriter<T> terms;
    private long statements;
    private boolean graphOpen;
    private boolean full;

    /**
     * Creates a writer.
     *
     * @param out     the target; closed by {@link #close()}
     * @param file    the name of the stream in errors; may be null
     * @param terms   takes the terms apart
     * @param options the stream's options row
     * @param cut     the sizes of frames in a flat stream, and the allowed terms
     * @throws IllegalArgumentException the logical type does not fit the physical type
     */
    public RdfWriter(OutputStream out, String file, TermSource<T> terms, RdfOptions options, WriteOptions cut) {
        this(out, file, terms, options, cut, Restart.newMark());
    }

    /**
     * Creates a writer.
     *
     * @param mark the mark of the stream's restart points, if it has any
     */
    RdfWriter(OutputStream out, String file, TermSource<T> terms, RdfOptions options, WriteOptions cut, byte[] mark) {
        if (!options.physicalType().goesWith(options.logicalType())) {
            throw new IllegalArgumentException("logicalType=" + options.logicalType() + " does not go with physicalType="
                    + options.physicalType() + " (R-15)");
        }
        this.options = options;
        this.mark = mark;
        this.out = new FrameWriter(out, file, cut, !options.grouped());
        this.frame = this.out.frame;
        this.terms = new TermWriter<>(this.out, terms, this::refuseRow, options.generalizedStatements(), options.rdfStar(),
                cut.terms(), options.maxNameTableSize(), options.maxPrefixTableSize(), options.maxDatatypeTableSize(),
                FIRST_ENTRY_FIELD, this::startRestart);
        if (this.out.hasRestarts()) {
            startRestart();
            this.terms.forget();
        } else {
            writeOptions();
        }
    }

    /** Returns the number of statements that were written so far. */
    public long statements() {
        return statements;
    }

    @Override
    public void statement(T subject, T predicate, T object, T graph) {
        begin();
        do {
            terms.writeTriple(subject, predicate, object);
            graphOfStatement(graph);
        } while (!terms.takeId(options.physicalType() == PhysicalType.QUADS ? 3 : 2));
        terms.rememberTriple(subject, predicate, object);
        terms.rememberGraph(graph);
        statements++;
    }

    private void graphOfStatement(T graph) {
        switch (options.physicalType()) {
            case QUADS -> terms.writeGraph(graph, GRAPH_OF_QUAD);
            case TRIPLES -> {
                if (!terms.isDefaultGraph(graph)) {
                    throw refuseRow(Rule.TRIPLES_NAME_NO_GRAPH, "a graph name for a TRIPLES stream",
                            "write a QUADS or GRAPHS stream, or leave the graph out");
                }
            }
            case GRAPHS -> {
                if (!graphOpen) {
                    throw refuseRow(Rule.TRIPLE_IN_GRAPH, "a triple outside of a graph", "start its graph first");
                }
            }
        }
    }

    @Override
    public void startGraph(T graph) {
        begin();
        checkGraphs();
        if (graphOpen) {
            throw refuseRow(Rule.GRAPH_NOT_NESTED, "a graph that starts within another", "end the other one first");
        }
        do {
            terms.wholeGraph(graph, 1);
        } while (!terms.takeId(4));
        graphOpen = true;
    }

    @Override
    public void endGraph() {
        begin();
        checkGraphs();
        if (!graphOpen) {
            throw refuseRow(Rule.GRAPH_BEGUN, "the end of a graph where none is open", "start it first");
        }
        while (!terms.takeId(5)) {
            // there is nothing to check
        }
        graphOpen = false;
    }

    @Override
    public void namespace(byte[] name, T namespace) {
        begin();
        if (!options.namespaceDeclarations()) {
            throw refuseRow(Rule.NAMESPACES_ANNOUNCED, "a namespace declaration in a stream of version 1",
                    "write a stream of version 2, or leave them out");
        }
        terms.checkPrefixName(name);
        if (namespace == null) {
            throw refuseRow(Rule.NAMESPACE_SET, "a namespace declaration without a namespace", "give the namespace's IRI");
        }
        do {
            terms.writeString(1, name);
            terms.wholeTerm(TermWriter.NAMESPACE, namespace, 2);
        } while (!terms.takeId(6));
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        begin();
        long bytes = 0;
        for (Map.Entry<String, byte[]> entry : metadata.entrySet()) {
            bytes += 3L * entry.getKey().length() + entry.getValue().length + METADATA_OVERHEAD;
        }
        if (!out.fits(bytes)) {
            throw refuseRow(Rule.FRAME_SIZE, out.noRoomFound(bytes), "raise maxFrameBytes, or give less metadata");
        }
        for (Map.Entry<String, byte[]> entry : metadata.entrySet()) {
            byte[] key = entry.getKey().getBytes(UTF_8);
            int message = frame.beginMessage(15);
            writeString(1, key);
            frame.bytesField(2, entry.getValue(), 0, entry.getValue().length);
            frame.endMessage(message);
        }
        out.flush();
        full = !out.delimited();
    }

    /**
     * Ends the frame, writes the rest, and closes the stream. The stream is closed in any case.
     *
     * @throws FormatException a graph is open, so the stream is not complete
     */
    @Override
    public void close() throws IOException {
        out.close(() -> {
            terms.rewind();
            if (graphOpen) {
                throw refuseRow(Rule.GRAPH_BEGUN, "the end of the stream within a graph", "end the graph first");
            }
        });
    }

    private void begin() {
        out.checkUsable();
        if (full) {
            throw refuseRow(Rule.ONE_FRAME, "a second frame for a stream that is not delimited", "write a delimited stream");
        }
        // A reader that begins at a restart point does not know a graph that started before it.
        terms.beginFrame(!graphOpen);
    }

    /** Writes a string field. As protobuf does, it leaves out an empty string. */
    private void writeString(int field, byte[] value) {
        if (value.length > 0) {
            frame.bytesField(field, value, 0, value.length);
        }
    }

    private void checkGraphs() {
        if (options.physicalType() != PhysicalType.GRAPHS) {
            throw refuseRow(options.physicalType() == PhysicalType.QUADS ? Rule.ROW_OF_QUADS : Rule.ROW_OF_TRIPLES,
                    "the start or end of a graph for a " + options.physicalType() + " stream", "write a GRAPHS stream");
        }
    }

    private void startRestart() {
        out.endFrameForRestart();
        out.beginRestart(new Restart(mark, out.bytesOut(), out.frames(), statements, 0, 0, false, false),
                this::writeOptions);
    }

    private void writeOptions() {
        int row = out.beginRow();
        int message = frame.beginMessage(1);
        writeString(1, options.streamName().getBytes(UTF_8));
        frame.varintField(2, options.physicalType().number());
        frame.varintField(3, options.generalizedStatements() ? 1 : 0);
        frame.varintField(4, options.rdfStar() ? 1 : 0);
        frame.varintField(9, options.maxNameTableSize());
        frame.varintField(10, options.maxPrefixTableSize());
        frame.varintField(11, options.maxDatatypeTableSize());
        frame.varintField(14, options.logicalType());
        frame.varintField(15, options.version());
        frame.endMessage(message);
        out.endRow(row);
        out.keep();
    }

    private FormatException refuseRow(Rule rule, String found, String advice) {
        return out.newError(rule.inRdf(), found, advice);
    }
}
