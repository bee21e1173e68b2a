package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a Jelly-Patch stream that keeps every MUST of the format. The options row comes first, even in an empty stream. A mark
 * is the last row of its frame. The default graph is written as such. A lookup entry comes before its use.
 *
 * <p>A call that would break the format, or that the options do not allow, throws a {@link FormatException}. The stream stays
 * as it was before the call, so writing can continue. After an I/O error (an {@link java.io.UncheckedIOException}) nothing more
 * is written.
 * <p>Each patch ends with {@link #endPatch()}, and {@link #close()} ends a patch that has rows but was not ended. A FLAT stream
 * is one patch. A stream that is not delimited is one frame, and so one patch. A second patch is then an error, and is never
 * merged. A FRAME stream without any patch is read as one empty patch, since its options need a frame.
 *
 * <p>A restart point ({@link Restart}) begins with a row, where one is due and a frame may begin. In a FRAME stream it begins
 * with a patch.
 * <p>One thread may call at a time.
 *
 * @param <T> the type of a term
 */
public final class PatchWriter<T> implements PatchHandler<T>, Closeable {
    static final int FIRST_ENTRY_FIELD = 11;
    /** The first of the four fields for a graph, in RdfQuad and in RdfPatchNamespace. */
    private static final int GRAPH_OF_QUAD = 13;
    private static final int GRAPH_OF_PREFIX = 3;
    /** The size of the mark at the end of a patch: a row with an empty message. */
    private static final int MARK_BYTES = 4;

    private final PatchOptions options;
    private final byte[] mark;
    private final FrameWriter out;
    private final WireWriter frame;
    private final TermWriter<T> terms;

    private final ChangeCounter numbers = new ChangeCounter();
    private final TransactionGrammar transactions;

    /** True if the stream already holds the only patch that it may have. */
    private boolean full;

    /**
     * Creates a writer.
     *
     * @param out     the target; closed by {@link #close()}
     * @param file    the name of the stream in errors; may be null
     * @param terms   takes the terms apart
     * @param options the stream's options row
     * @param cut     the sizes of frames, and the allowed terms
     */
    public PatchWriter(OutputStream out, String file, TermSource<T> terms, PatchOptions options, WriteOptions cut) {
        this(out, file, terms, options, cut, Restart.newMark());
    }

    /**
     * Creates a writer.
     *
     * @param mark the mark of the stream's restart points, if it has any
     */
    PatchWriter(OutputStream out, String file, TermSource<T> terms, PatchOptions options, WriteOptions cut, byte[] mark) {
        this.options = options;
        this.mark = mark;
        this.out = new FrameWriter(out, file, cut, options.streamType() != StreamType.FRAME);
        this.frame = this.out.frame;
        this.transactions = TransactionGrammar.ofWriter(numbers, "stream",
                (rule, found, advice) -> cut.whole() ? this.out.newError(rule, found, advice) : null);
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

    /** Returns the number of patches that were ended so far. */
    public long patches() {
        return numbers.patches();
    }

    /** Returns the number of change rows that were written so far. */
    public long rows() {
        return numbers.row() + 1;
    }

    /** Returns true if the current patch has rows. */
    public boolean patchHasRows() {
        return numbers.patchHasRows();
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        begin();
        do {
            terms.writeTriple(subject, predicate, object);
            writeGraph(graph, GRAPH_OF_QUAD);
        } while (!terms.takeId(op.field()));
        terms.rememberTriple(subject, predicate, object);
        terms.rememberGraph(graph);
        numbers.countStatement();
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        begin();
        terms.checkPrefixName(name);
        if (namespace == null && op == Op.PA) {
            throw refuseRow(Rule.NAMESPACE_SET, "PA without a namespace", "give it the namespace's IRI");
        }
        do {
            terms.writeString(1, name);
            if (namespace != null) {
                terms.wholeTerm(TermWriter.NAMESPACE, namespace, 2);
            }
            writeGraph(graph, GRAPH_OF_PREFIX);
        } while (!terms.takeId(op.field()));
        terms.rememberGraph(graph);
        numbers.count(op);
    }

    @Override
    public void header(byte[] key, T value) {
        begin();
        do {
            terms.writeString(1, key);
            terms.wholeTerm(TermWriter.HEADER_VALUE, value, 2);
        } while (!terms.takeId(Op.H.field()));
        numbers.count(Op.H);
    }

    @Override
    public void transaction(Op op) {
        begin();
        transactions.check(op);
        while (!terms.takeId(op.field())) {
            // there is nothing to check
        }
        numbers.count(op);
    }

    @Override
    public void endPatch() {
        out.checkUsable();
        terms.rewind();
        transactions.checkPatchEnd(options.streamType());
        checkNotFull();
        switch (options.streamType()) {
            case PUNCTUATED -> writeMark();
            case FRAME -> out.flush();
            case FLAT -> { }
        }
        full = options.streamType() == StreamType.FLAT || !out.delimited();
        numbers.countPatchEnd();
    }

    /** Writes the mark of the patch and ends its frame. */
    private void writeMark() {
        int row = out.beginRow();
        frame.emptyMessageField(15);
        out.endRow(row);
        if (!out.takeLast()) {
            out.rewind();
            throw refuseRow(Rule.FRAME_SIZE, "the end of a patch, of " + out.noRoomFound(MARK_BYTES), out.noRoomAdvice());
        }
    }

    /**
     * Ends a patch that has rows but was not ended, writes the rest, and closes the stream. The stream is closed in any case.
     *
     * @throws FormatException a transaction is open (P-105), so the stream is not complete
     */
    @Override
    public void close() throws IOException {
        out.close(() -> {
            terms.rewind();
            transactions.checkStreamEnd();
            if (numbers.patchHasRows() || options.streamType() == StreamType.FLAT && !full) {
                endPatch();
            }
        });
    }

    private void begin() {
        out.checkUsable();
        checkNotFull();
        terms.beginFrame(true);
    }

    private void checkNotFull() {
        if (full && options.streamType() == StreamType.FLAT) {
            throw refuseRow(Rule.FLAT_IS_ONE_PATCH, "a second patch for a FLAT stream, which is one patch",
                    "write a PUNCTUATED or FRAME stream");
        }
        if (full) {
            throw refuseRow(Rule.ONE_FRAME, "a second patch for a stream that is not delimited, which is one frame",
                    "write a delimited stream");
        }
    }

    /** Writes the graph. Null is the default graph in a QUADS stream (P-38); in a TRIPLES stream there is no other (P-33). */
    private void writeGraph(T graph, int firstField) {
        if (options.statementType() == StatementType.QUADS) {
            terms.writeGraph(graph, firstField);
        } else if (!terms.isDefaultGraph(graph)) {
            throw refuseRow(Rule.TRIPLES_NAME_NO_GRAPH, "a graph name for a TRIPLES stream",
                    "write a QUADS stream, or leave the graph out");
        }
    }

    private void startRestart() {
        out.endFrameForRestart();
        out.beginRestart(numbers.restart(mark, out.bytesOut(), out.frames()), this::writeOptions);
    }

    private void writeOptions() {
        int row = out.beginRow();
        int message = frame.beginMessage(1);
        frame.varintField(1, options.statementType().number());
        frame.varintField(2, options.streamType().number());
        frame.varintField(3, options.generalizedStatements() ? 1 : 0);
        frame.varintField(4, options.rdfStar() ? 1 : 0);
        frame.varintField(9, options.maxNameTableSize());
        frame.varintField(10, options.maxPrefixTableSize());
        frame.varintField(11, options.maxDatatypeTableSize());
        frame.varintField(15, PatchOptions.VERSION);
        frame.endMessage(message);
        out.endRow(row);
        out.keep();
    }

    private FormatException refuseRow(Rule rule, String found, String advice) {
        return out.newError(rule.inPatch(), found, advice);
    }
}
