package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Selection.StatementFilter;
import io.jellybridge.wire.WireReader;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads a Jelly-RDF stream, delimited or a single bare frame, and passes its events to an {@link RdfHandler}. Every frame ends
 * with an event, even an empty one before the options.
 *
 * <p>By default it is tolerant. A graph that starts within another one ends that graph. The end of a graph is ignored if none
 * is open. A logical type that does not fit the physical type is allowed. With {@link ReadOptions#strict()}, every broken MUST
 * is an error. In both modes, an open graph at the end of the stream is an error, since the stream was cut off.
 * @param <T> the type of a term
 */
public final class RdfReader<T> extends StreamReader<T, RdfHandler<T>> implements StatementSource<T> {
    private static final int METADATA = 15 << 3 | WireReader.LENGTH_DELIMITED;

    private RdfOptions options;
    private T graph;
    private boolean graphOpen;
    private long statements;
    private Map<String, byte[]> metadata = new LinkedHashMap<>();

    /** The stream's name, from the options row that is being read. */
    private String streamName = "";

    /**
     * Creates a reader for a whole stream.
     *
     * @param in      the stream; closed by {@link #close()}
     * @param file    the name of the stream in errors; may be null
     * @param terms   creates the terms
     * @param options the strictness and the limits
     */
    public RdfReader(InputStream in, String file, TermFactory<T> terms, ReadOptions options) {
        this(StreamSplit.wholeStream(in), file, terms, options);
    }

    /**
     * Creates a reader for a part of a stream. Frames still count from the start of the stream.
     *
     * @param part the part; closed by {@link #close()}
     */
    public RdfReader(StreamSplit part, String file, TermFactory<T> terms, ReadOptions options) {
        super(part, file, terms, options);
    }

    /** Returns the stream's options; null until they were read, which is before the first statement. */
    public RdfOptions options() {
        return terms == null ? null : options;
    }

    @Override
    String idOf(Rule rule) {
        return rule.inRdf();
    }

    @Override
    SniffedFormat format() {
        return SniffedFormat.JELLY;
    }

    @Override
    boolean isRowKind(int field) {
        return field <= 6 || field >= 9 && field <= 11;
    }

    @Override
    Shape rowShape(int kind) {
        return switch (kind) {
            case 1 -> Shape.RDF_OPTIONS;
            case 2 -> Shape.TRIPLE;
            case 3 -> Shape.QUAD;
            case 4 -> Shape.GRAPH;
            case 6 -> Shape.RDF_NAMESPACE;
            case 9, 10, 11 -> Shape.ENTRY;
            default -> Shape.NUMBERS;
        };
    }

    @Override
    boolean readRow(int kind, RdfHandler<T> handler) {
        switch (kind) {
            case 2 -> {
                return readTriple(handler);
            }
            case 3 -> {
                return readQuad(handler);
            }
            case 4 -> startGraph(handler);
            case 5 -> endGraph(handler);
            case 6 -> readNamespace(handler);
            default -> {
                terms.readEntry(kind - RdfWriter.FIRST_ENTRY_FIELD);
                return false;
            }
        }
        return true;
    }

    // --- statements

    private boolean readTriple(RdfHandler<T> handler) {
        if (options.physicalType() == PhysicalType.QUADS) {
            throw newError(Rule.ROW_OF_QUADS, "a triple in a QUADS stream", Advice.WRITER_BUG);
        }
        if (options.physicalType() == PhysicalType.GRAPHS && !graphOpen) {
            throw newError(Rule.TRIPLE_IN_GRAPH, "a triple outside of a graph in a GRAPHS stream", Advice.WRITER_BUG);
        }
        terms.readStatement(TermSpans.LAST_OF_TRIPLE);
        return passOn(handler, options.physicalType() == PhysicalType.GRAPHS ? graph : null);
    }

    private boolean readQuad(RdfHandler<T> handler) {
        if (options.physicalType() != PhysicalType.QUADS) {
            throw newError(options.physicalType() == PhysicalType.GRAPHS ? Rule.ROW_OF_GRAPHS : Rule.ROW_OF_TRIPLES,
                    "a quad in a " + options.physicalType() + " stream", Advice.WRITER_BUG);
        }
        terms.readStatement(TermSpans.LAST_OF_QUAD);
        terms.readGraphOfQuad();
        return passOn(handler, terms.getTerm(TermReader.GRAPH));
    }

    /** Passes the statement on if it is selected. Returns false if it is not. */
    private boolean passOn(RdfHandler<T> handler, T inGraph) {
        statements++;
        if (selection.filter() != null && !isSelected(selection.filter(), inGraph)) {
            return false;
        }
        handler.statement(terms.getTerm(TermReader.SUBJECT), terms.getTerm(TermReader.PREDICATE),
                terms.getTerm(TermReader.OBJECT), inGraph);
        return true;
    }

    private boolean isSelected(StatementFilter<T> filter, T inGraph) {
        return filter.isAccepted(Op.A)
                && (!filter.needsTerms() || filter.isAccepted(Op.A, terms.getTerm(TermReader.PREDICATE), inGraph));
    }

    private void startGraph(RdfHandler<T> handler) {
        checkGraphRow();
        if (graphOpen) {
            tolerate(Rule.GRAPH_NOT_NESTED, "a graph that starts within another");
            handler.endGraph();
        }
        terms.findNothing();
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag >>> 3 <= 4 && (tag & 7) == WireReader.LENGTH_DELIMITED) {
                terms.findTerm(TermReader.GRAPH, (tag >>> 3) - 1);
            } else {
                wire.skip(tag);
            }
        }
        if (!terms.hasFound(TermReader.GRAPH)) {
            throw newError(Rule.GRAPH_START_SET, "the start of a graph without its name", Advice.WRITER_BUG);
        }
        graph = terms.readFound(TermReader.GRAPH);
        graphOpen = true;
        handler.startGraph(graph);
    }

    private void endGraph(RdfHandler<T> handler) {
        checkGraphRow();
        wire.skipAll();
        if (graphOpen) {
            graphOpen = false;
            handler.endGraph();
        } else {
            tolerate(Rule.GRAPH_BEGUN, "the end of a graph where none is open");
        }
    }

    private void checkGraphRow() {
        if (options.physicalType() != PhysicalType.GRAPHS) {
            throw newError(options.physicalType() == PhysicalType.QUADS ? Rule.ROW_OF_QUADS : Rule.ROW_OF_TRIPLES,
                    "a graph's start or end in a " + options.physicalType() + " stream", Advice.WRITER_BUG);
        }
    }

    private void readNamespace(RdfHandler<T> handler) {
        NamespaceReader<T> read = new NamespaceReader<>(wire, terms);
        read.readFields(2);
        T namespace = read.namespace();
        if (namespace == null) {
            throw newError(Rule.NAMESPACE_SET, "a namespace declaration without a namespace", Advice.WRITER_BUG);
        }
        handler.namespace(read.name(), namespace);
    }

    // --- frames

    @Override
    void readOtherFrameField(int tag) {
        if (tag != METADATA) {
            wire.skip(tag);
            return;
        }
        int end = enterMessage();
        String key = "";
        byte[] value = new byte[0];
        while (!wire.atEnd()) {
            int entryTag = wire.tag();
            if (entryTag == (1 << 3 | WireReader.LENGTH_DELIMITED)) {
                key = new String(wire.string(), UTF_8);
            } else if (entryTag == (2 << 3 | WireReader.LENGTH_DELIMITED)) {
                value = wire.byteString();
            } else {
                wire.skip(entryTag);
            }
        }
        metadata.put(key, value);
        leaveMessage(end);
    }

    @Override
    boolean endFrame(RdfHandler<T> handler) {
        Map<String, byte[]> ofFrame = metadata;
        if (!ofFrame.isEmpty()) {
            metadata = new LinkedHashMap<>();
        }
        handler.endFrame(ofFrame);
        return true;
    }

    @Override
    boolean endStream(RdfHandler<T> handler) {
        if (terms == null) {
            throw noOptionsError();
        }
        if (graphOpen) {
            throw newError(Rule.WHOLE_BYTES, "the end of the stream within a graph", Advice.DAMAGED);
        }
        return false;
    }

    // --- options

    @Override
    void readOptions() {
        streamName = "";
        OptionsReader read = new OptionsReader(this, wire, limits);
        read.readFields(name -> streamName = new String(name, UTF_8));
        read.checkVersion(RdfOptions.VERSION_2);
        PhysicalType physical = PhysicalType.of(read.getNumber(2));
        if (physical == null) {
            throw newError(Rule.STREAM_TYPE_KNOWN, "a physical type of " + read.getNumber(2), Advice.WRITER_BUG);
        }
        int logical = (int) Math.min(read.getNumber(14), Integer.MAX_VALUE);
        if (!physical.goesWith(logical)) {
            tolerate(Rule.LOGICAL_TYPE, "a logical type of " + logical + " in a " + physical + " stream");
        }
        read.checkTables();
        RdfOptions found = new RdfOptions(streamName, physical, logical, read.generalized(), read.star(),
                read.names(), read.prefixes(), read.datatypes(), (int) read.version());
        if (terms == null) {
            options = found;
            beginFrame(read);
        } else {
            checkOptionsAgain();
            read.checkIdentical(options, found);
        }
    }

    // --- restart points

    @Override
    void startAt(Restart restart) {
        statements = restart.row();
    }

    @Override
    Restart readNumbers(byte[] mark, long frameOffset, long frameNumber) {
        return new Restart(mark, frameOffset, frameNumber, statements, 0, 0, false, false);
    }

    @Override
    void restart() {
        if (graphOpen) {
            throw newError(Rule.RESTART, "a restart point within a graph", Advice.WRITER_BUG);
        }
        terms.restart();
    }
}
