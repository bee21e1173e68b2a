package io.jellybridge.codec;

import io.jellybridge.codec.Selection.StatementFilter;
import io.jellybridge.wire.WireReader;
import java.io.InputStream;

/**
 * Reads a Jelly-Patch stream, delimited or a single bare frame, and passes its events to a {@link PatchHandler}, one a call. It
 * goes through the bytes of a frame once, and creates no objects except terms.
 *
 * <p>By default it is tolerant: it reads what the final text of the specification allows, and also what Jelly-JVM writes. With
 * {@link ReadOptions#strict()}, every broken MUST is an error. In both modes, an open transaction at the end of the stream is
 * an error (P-105). So are rows after the last mark of a PUNCTUATED stream (P-24), unless they end with a transaction, since a
 * capture by Jelly-JVM has no marks. Empty frames before the options are empty patches in a FRAME stream. A prefix without
 * graph, before any graph, has no graph; Jelly-JVM writes prefixes of the default graph in this way.
 * @param <T> the type of a term
 */
public final class PatchReader<T> extends StreamReader<T, PatchHandler<T>> implements PatchSource<T> {
    private static final byte[] NO_BYTES = new byte[0];

    private final ChangeCounter numbers = new ChangeCounter();
    private final TransactionGrammar transactions = TransactionGrammar.ofReader(numbers, "stream", this::unbalancedError);

    private PatchOptions options;

    private long framesBeforeOptions;
    /** The number of patches that have ended but were not passed on yet: those of the frames before the options. */
    private long pendingPatchEnds;
    private boolean mustBalance;

    /**
     * Creates a reader for a whole stream.
     *
     * @param in      the stream; closed by {@link #close()}
     * @param file    the name of the stream in errors; may be null
     * @param terms   creates the terms
     * @param options the strictness and the limits
     */
    public PatchReader(InputStream in, String file, TermFactory<T> terms, ReadOptions options) {
        this(StreamSplit.wholeStream(in), file, terms, options);
    }

    /**
     * Creates a reader for a part of a stream. Frames, rows, patches and transactions still count from the start of the stream.
     *
     * @param part the part; closed by {@link #close()}
     */
    public PatchReader(StreamSplit part, String file, TermFactory<T> terms, ReadOptions options) {
        super(part, file, terms, options);
    }

    /** Returns the stream's options; null until they were read, which is before the first event. */
    public PatchOptions options() {
        return terms == null ? null : options;
    }

    @Override
    public ChangeCounter numbers() {
        return numbers;
    }

    @Override
    public void requireBalance() {
        mustBalance = true;
    }

    /** Returns {@link ChangeCounter#patch()}. */
    public long patch() {
        return numbers.patch();
    }

    /** Returns {@link ChangeCounter#tx()}. */
    public long tx() {
        return numbers.tx();
    }

    /** Returns {@link ChangeCounter#row()}. */
    public long row() {
        return numbers.row();
    }

    @Override
    String idOf(Rule rule) {
        return rule.inPatch();
    }

    @Override
    SniffedFormat format() {
        return SniffedFormat.JELLY_PATCH;
    }

    @Override
    boolean isRowKind(int field) {
        return field != 9 && field != 10;
    }

    @Override
    Shape rowShape(int kind) {
        return switch (kind) {
            case 2, 3 -> Shape.QUAD;
            case 4, 5 -> Shape.PATCH_NAMESPACE;
            case 11, 12, 13 -> Shape.ENTRY;
            case 14 -> Shape.HEADER;
            default -> Shape.NUMBERS;
        };
    }

    @Override
    boolean readRow(int kind, PatchHandler<T> handler) {
        if (kind <= 3) {
            return readStatement(kind == 2 ? Op.A : Op.D, handler);
        }
        switch (kind) {
            case 4 -> readPrefix(Op.PA, handler);
            case 5 -> readPrefix(Op.PD, handler);
            case 6 -> readTransaction(Op.TX, handler);
            case 7 -> readTransaction(Op.TC, handler);
            case 8 -> readTransaction(Op.TA, handler);
            case 14 -> readHeader(handler);
            case 15 -> readPunctuation(handler);
            default -> {
                terms.readEntry(kind - PatchWriter.FIRST_ENTRY_FIELD);
                return false;
            }
        }
        return true;
    }

    // --- patches

    @Override
    boolean sendPending(PatchHandler<T> handler) {
        if (pendingPatchEnds == 0) {
            return false;
        }
        pendingPatchEnds--;
        return endPatch(handler);
    }

    @Override
    boolean endFrame(PatchHandler<T> handler) {
        if (terms == null) {
            framesBeforeOptions++;
            return false;
        }
        return options.streamType() == StreamType.FRAME && endPatch(handler);
    }

    @Override
    boolean endStream(PatchHandler<T> handler) {
        if (terms == null) {
            throw noOptionsError();
        }
        if (limits.whole()) {
            transactions.checkStreamEnd();
        }
        if (options.streamType() == StreamType.FLAT) {
            return endPatch(handler);
        }
        if (options.streamType() == StreamType.PUNCTUATED && numbers.patchHasRows()) {
            String found = "the end of the stream before the mark that ends patch " + numbers.patches();
            if (limits.strict() || !numbers.lastRowEndsTransaction()) {
                throw newError(Rule.LAST_MARK, found, Advice.DAMAGED);
            }
            tolerate(Rule.LAST_MARK, found);
            return endPatch(handler);
        }
        return false;
    }

    private void readPunctuation(PatchHandler<T> handler) {
        wire.skipAll();
        if (options.streamType() != StreamType.PUNCTUATED) {
            throw newError(options.streamType() == StreamType.FLAT ? Rule.FLAT_HAS_NO_MARK : Rule.FRAME_HAS_NO_MARK,
                    "a punctuation mark in a " + options.streamType() + " stream", Advice.WRITER_BUG);
        }
        endPatch(handler);
    }

    private boolean endPatch(PatchHandler<T> handler) {
        transactions.checkPatchEnd(options.streamType());
        numbers.countPatchEnd();
        handler.endPatch();
        return true;
    }

    /** Tolerates the fault, unless the stream was cut off or transactions must balance. */
    private RuntimeException unbalancedError(String rule, String found, String advice) {
        if (mustBalance || rule.equals(Rule.STREAM_ENDS_TRANSACTION.inPatch())) {
            return newError(rule, found, advice);
        }
        tolerate(rule, found);
        return null;
    }

    // --- rows

    private void readTransaction(Op op, PatchHandler<T> handler) {
        wire.skipAll();
        transactions.check(op);
        numbers.count(op);
        handler.transaction(op);
    }

    /** Reads a statement and passes it on if it is selected. Returns false if it is not. */
    private boolean readStatement(Op op, PatchHandler<T> handler) {
        terms.readStatement(TermSpans.LAST_OF_QUAD);
        if (hasGraphs()) {
            terms.readGraphOfQuad();
        }
        numbers.countStatement();
        if (selection.filter() != null && !isSelected(op, selection.filter())) {
            return false;
        }
        handler.statement(op, terms.getTerm(TermReader.SUBJECT), terms.getTerm(TermReader.PREDICATE),
                terms.getTerm(TermReader.OBJECT), terms.getTerm(TermReader.GRAPH));
        return true;
    }

    private boolean isSelected(Op op, StatementFilter<T> filter) {
        return filter.isAccepted(op) && (!filter.needsTerms()
                || filter.isAccepted(op, terms.getTerm(TermReader.PREDICATE), terms.getTerm(TermReader.GRAPH)));
    }

    /** Returns true if rows have graphs. In a TRIPLES stream they have none, and a graph that is there is ignored (P-34). */
    private boolean hasGraphs() {
        if (options.statementType() == StatementType.QUADS) {
            return true;
        }
        if (terms.hasFound(TermReader.GRAPH)) {
            tolerate(Rule.TRIPLES_NAME_NO_GRAPH, "a graph in a TRIPLES stream");
            terms.readFound(TermReader.GRAPH);
        }
        return false;
    }

    private void readPrefix(Op op, PatchHandler<T> handler) {
        NamespaceReader<T> read = new NamespaceReader<>(wire, terms);
        read.readFields(6);
        T namespace = read.namespace();
        if (namespace == null && op == Op.PA) {
            throw newError(Rule.NAMESPACE_SET, "PA without a namespace", Advice.WRITER_BUG);
        }
        boolean hasGraph = !hasGraphs() || terms.readGraph();
        if (!hasGraph) {
            if (hasRestarts()) {
                throw newError(Rule.RESTART, op + " without a graph, and none behind the restart point to repeat",
                        Advice.WRITER_BUG);
            }
            tolerate(Rule.PREFIX_GRAPH_SET, op + " without a graph, and none before it to repeat, read as of no graph");
        }
        numbers.count(op);
        if (hasGraph) {
            handler.prefix(op, read.name(), namespace, terms.graph());
        } else {
            handler.prefixWithoutGraph(op, read.name(), namespace);
        }
    }

    private void readHeader(PatchHandler<T> handler) {
        byte[] key = NO_BYTES;
        terms.findNothing();
        while (!wire.atEnd()) {
            int tag = wire.tag();
            int field = tag >>> 3;
            if (field > 5 || (tag & 7) != WireReader.LENGTH_DELIMITED) {
                wire.skip(tag);
            } else if (field == 1) {
                key = wire.string();
            } else {
                terms.findTerm(TermReader.OBJECT, field - 2);
            }
        }
        if (!terms.hasFound(TermReader.OBJECT)) {
            throw newError(Rule.HEADER_VALUE_SET, "a header without a value", Advice.WRITER_BUG);
        }
        T value = terms.readFound(TermReader.OBJECT);
        numbers.count(Op.H);
        handler.header(key, value);
    }

    // --- options

    @Override
    void readOptions() {
        OptionsReader read = new OptionsReader(this, wire, limits);
        read.readFields(null);
        read.checkVersion(PatchOptions.VERSION);
        StreamType stream = StreamType.of(read.getNumber(2));
        if (stream == null) {
            throw newError(read.getNumber(2) == 0 ? Rule.STREAM_TYPE_SET : Rule.STREAM_TYPE_KNOWN,
                    "a stream type of " + read.getNumber(2), Advice.WRITER_BUG);
        }
        StatementType statement = StatementType.of(read.getNumber(1));
        if (statement == null) {
            throw newError(read.getNumber(1) == 0 ? Rule.STATEMENT_TYPE_SET : Rule.STATEMENT_TYPE_KNOWN,
                    "a statement type of " + read.getNumber(1), Advice.WRITER_BUG);
        }
        read.checkTables();
        PatchOptions found = new PatchOptions(stream, statement, read.generalized(), read.star(),
                read.names(), read.prefixes(), read.datatypes());
        if (terms == null) {
            options = found;
            beginFrame(read);
            if (stream == StreamType.FRAME) {
                pendingPatchEnds = framesBeforeOptions;
            }
            framesBeforeOptions = 0; // a joined file that follows has none
        } else {
            checkOptionsAgain();
            read.checkIdentical(options, found);
        }
    }

    // --- restart points

    @Override
    void startAt(Restart restart) {
        numbers.startAt(restart);
    }

    @Override
    Restart readNumbers(byte[] mark, long frameOffset, long frameNumber) {
        return numbers.restart(mark, frameOffset, frameNumber);
    }

    @Override
    void restart() {
        terms.restart();
    }
}
