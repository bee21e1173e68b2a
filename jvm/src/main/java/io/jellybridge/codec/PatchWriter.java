package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes a Jelly-Patch stream that keeps every MUST of the format. The options row comes first, also in an empty stream; a
 * mark is the last row of its frame; the default graph is written as such; a lookup entry comes before its use.
 *
 * <p>A call that would break the format, or that asks for what the options rule out, is refused with a {@link
 * PatchFormatException}, and the stream is then as if it had not been made: the next call may go on. After an I/O error
 * (an {@link UncheckedIOException}) nothing more is written.
 *
 * <p>Patches: each ends with {@link #endPatch()}, and {@link #close()} ends the one whose rows were not ended yet, in the
 * same way. A FLAT stream is one patch, and a stream that is not delimited is one frame and so one patch: a second one is
 * refused, never merged. A FRAME stream without any patch reads back as one empty patch, for its options need a frame.
 *
 * <p>One thread at a time.
 *
 * @param <T> what a term is
 */
public final class PatchWriter<T> implements PatchHandler<T>, Closeable {
    /** How deep triple terms may be nested: what readers accept by default. */
    private static final int MAX_NESTING = 64;
    /** Frames end before this size where the format lets them (P-04). */
    private static final int RECOMMENDED_FRAME_BYTES = 1_000_000;

    /** What a row may take beside its terms and strings: keys and lengths. */
    private static final int ROW_OVERHEAD = 64;

    private static final int SUBJECT = 0;
    private static final int PREDICATE = 1;
    private static final int OBJECT = 2;
    private static final int GRAPH = 3;
    private static final int HEADER_VALUE = 4;
    private static final int NAMESPACE = 5;
    private static final String[] POSITION_NAMES = {"subject", "predicate", "object", "graph", "header value", "namespace"};
    /** The first field of a position's oneof, in RdfQuad, RdfTriple and RdfPatchHeader. */
    private static final int[] FIRST_FIELD = {1, 5, 9, 13, 2};
    private static final int FIRST_GRAPH_FIELD_OF_NAMESPACE = 3;

    private final OutputStream out;
    private final String file;
    private final TermSource<T> terms;
    private final PatchOptions options;
    private final WriteOptions cut;
    private final TermBuffer buffer = new TermBuffer(MAX_NESTING);
    private final WireWriter frame = new WireWriter(1 << 14);
    private final WireWriter head = new WireWriter(10);

    private final WriteLookup names;
    private final WriteLookup prefixes;
    private final WriteLookup datatypes;
    private int lastPrefixId;
    private int lastNameId;

    /** What a repeated term would repeat: the token bytes, and the object they came from. */
    private final byte[][] lastBytes = {new byte[64], new byte[64], new byte[64], new byte[64]};
    private final int[] lastLength = {-1, -1, -1, -1};
    private final Object[] lastTerm = new Object[4];

    /** The first token of the position in this row, or -1 when the term is repeated. */
    private final int[] firstToken = new int[6];
    private int[] prefixIds = new int[16];
    private int[] nameIds = new int[16];

    private long frames;
    private int rowsInFrame;
    private long bytesOut;
    private long patches;
    private long rows;
    private boolean patchHasRows;
    private boolean transactionOpen;
    private boolean complete;
    private boolean broken;
    private boolean closed;

    /**
     * @param out     where to; closed by {@link #close()}
     * @param file    what errors call it; may be null
     * @param terms   takes the terms apart
     * @param options the stream's options row
     * @param cut     how it is cut into frames
     */
    public PatchWriter(OutputStream out, String file, TermSource<T> terms, PatchOptions options, WriteOptions cut) {
        this.out = out;
        this.file = file;
        this.terms = terms;
        this.options = options;
        this.cut = cut;
        this.names = new WriteLookup(options.maxNameTableSize());
        this.prefixes = new WriteLookup(options.maxPrefixTableSize());
        this.datatypes = new WriteLookup(options.maxDatatypeTableSize());
        writeOptions();
    }

    /** How many patches were ended so far. */
    public long patches() {
        return patches;
    }

    /** How many change rows were written so far. */
    public long rows() {
        return rows;
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        beginRow();
        collect(SUBJECT, subject);
        collect(PREDICATE, predicate);
        collect(OBJECT, object);
        collectGraph(graph);
        reserve(0);
        setLookups();
        int row = beginWireRow();
        int message = frame.beginMessage(op.field());
        for (int position = SUBJECT; position <= GRAPH; position++) {
            if (firstToken[position] >= 0) {
                writeTerm(firstToken[position], FIRST_FIELD[position]);
            }
        }
        frame.endMessage(message);
        endWireRow(row);
        remember(SUBJECT, subject);
        remember(PREDICATE, predicate);
        remember(OBJECT, object);
        remember(GRAPH, graph);
        endRow();
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        beginRow();
        checkPrefixName(name);
        firstToken[NAMESPACE] = -1;
        if (namespace != null) {
            collect(NAMESPACE, namespace);
        } else if (op == Op.PA) {
            throw refuse("P-87", "PA without a namespace", "give it the namespace's IRI");
        }
        collectGraph(graph);
        reserve(name.length);
        setLookups();
        int row = beginWireRow();
        int message = frame.beginMessage(op.field());
        writeString(1, name);
        if (firstToken[NAMESPACE] >= 0) {
            writeIri(firstToken[NAMESPACE], 2);
        }
        if (firstToken[GRAPH] >= 0) {
            writeTerm(firstToken[GRAPH], FIRST_GRAPH_FIELD_OF_NAMESPACE);
        }
        frame.endMessage(message);
        endWireRow(row);
        remember(GRAPH, graph);
        endRow();
    }

    @Override
    public void header(byte[] key, T value) {
        beginRow();
        collect(HEADER_VALUE, value);
        reserve(key.length);
        setLookups();
        int row = beginWireRow();
        int message = frame.beginMessage(Op.H.field());
        writeString(1, key);
        writeTerm(firstToken[HEADER_VALUE], FIRST_FIELD[HEADER_VALUE]);
        frame.endMessage(message);
        endWireRow(row);
        endRow();
    }

    @Override
    public void transaction(Op op) {
        beginRow();
        if (op == Op.TX && transactionOpen) {
            throw refuse("P-102", "TX within a transaction", "end it with TC or TA first; transactions do not nest");
        }
        if (op != Op.TX && !transactionOpen) {
            throw refuse("P-101", op + " outside of a transaction", "begin one with TX");
        }
        reserve(0);
        int row = beginWireRow();
        frame.emptyMessageField(op.field());
        endWireRow(row);
        transactionOpen = op == Op.TX;
        endRow();
    }

    @Override
    public void endPatch() {
        checkUsable();
        if (transactionOpen) {
            throw refuse(options.streamType() == StreamType.FRAME ? "P-15" : "P-104",
                    "the end of a patch within a transaction", "end the transaction with TC or TA first");
        }
        checkNotComplete();
        switch (options.streamType()) {
            case PUNCTUATED -> {
                int row = beginWireRow();
                frame.emptyMessageField(15);
                frame.endMessage(row);
                rowsInFrame++;
                if (cut.delimited()) {
                    flushFrame();
                }
            }
            case FRAME -> {
                if (cut.delimited()) {
                    flushFrame();
                }
            }
            case FLAT -> complete = true;
        }
        complete |= !cut.delimited();
        patchHasRows = false;
        patches++;
    }

    /**
     * Ends the patch whose rows were not ended yet, writes what is left and closes the stream. Closes it on every path.
     *
     * @throws PatchFormatException a transaction is open (P-105): what was written is not a whole stream
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        try (out) {
            if (!broken) {
                finish();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            closed = true;
        }
    }

    private void finish() throws IOException {
        if (transactionOpen) {
            throw refuse("P-105", "the end of the stream within a transaction", "end the transaction with TC or TA first");
        }
        if (patchHasRows || options.streamType() == StreamType.FLAT && !complete) {
            endPatch();
        }
        if (!cut.delimited()) {
            frame.writeTo(out);
        } else if (rowsInFrame > 0) {
            flushFrame();
        }
    }

    // --- one row: collect and check all of it, then write, which can't fail but for I/O

    private void beginRow() {
        checkUsable();
        checkNotComplete();
        buffer.clear();
    }

    private void checkUsable() {
        if (closed || broken) {
            throw new IllegalStateException(closed ? "the writer is closed" : "the writer is broken by an I/O error");
        }
    }

    private void checkNotComplete() {
        if (complete && options.streamType() == StreamType.FLAT) {
            throw refuse("P-16", "a second patch for a FLAT stream, which is one patch", "write a PUNCTUATED or FRAME stream");
        }
        if (complete) {
            throw refuse("P-02", "a second patch for a stream that is not delimited, which is one frame",
                    "write a delimited stream");
        }
    }

    private void collect(int position, T term) {
        if (term == null) {
            throw refuse(position == HEADER_VALUE ? "P-111" : "P-71", "no " + POSITION_NAMES[position], "give the term");
        }
        int first = buffer.tokens;
        firstToken[position] = first;
        if (position <= GRAPH && term == lastTerm[position]) {
            firstToken[position] = -1;
            return;
        }
        visit(position, term);
        checkLegal(first, position);
        if (position <= GRAPH && repeats(position, first)) {
            buffer.truncate(first);
            firstToken[position] = -1;
        }
    }

    private void visit(int position, T term) {
        int first = buffer.tokens;
        try {
            terms.visit(term, buffer);
        } catch (IllegalArgumentException e) {
            throw refuse("term", "a " + POSITION_NAMES[position] + " that is no RDF term: " + e.getMessage(), "correct the term");
        }
        if (buffer.nestedTooDeep()) {
            throw refuse("P-126", "triple terms nested deeper than " + MAX_NESTING, "readers refuse them; flatten the term");
        }
        if (buffer.tokens == first) {
            throw new IllegalStateException("the source of terms shows nothing of " + term);
        }
    }

    /** Null is the default graph in a QUADS stream (P-38); in a TRIPLES stream there is no other (P-33). */
    private void collectGraph(T graph) {
        int first = buffer.tokens;
        firstToken[GRAPH] = -1;
        if (options.statementType() == StatementType.QUADS) {
            if (graph != null) {
                collect(GRAPH, graph);
            } else {
                buffer.defaultGraph();
                firstToken[GRAPH] = first;
                if (repeats(GRAPH, first)) {
                    buffer.truncate(first);
                    firstToken[GRAPH] = -1;
                }
            }
        } else if (graph != null) {
            visit(GRAPH, graph);
            if (buffer.kind[first] != TermBuffer.DEFAULT_GRAPH) {
                throw refuse("P-33", "a graph name for a TRIPLES stream", "write a QUADS stream, or leave the graph out");
            }
            buffer.truncate(first);
        }
    }

    private boolean repeats(int position, int first) {
        int start = buffer.tokenStart(first);
        return lastLength[position] == buffer.size - start
                && Arrays.equals(lastBytes[position], 0, lastLength[position], buffer.bytes, start, buffer.size);
    }

    /** Keeps the term for repeats, once its row is written. */
    private void remember(int position, T term) {
        int first = firstToken[position];
        if (first < 0) {
            return;
        }
        int start = buffer.tokenStart(first);
        int length = buffer.tokenStart(buffer.afterTerm(first)) - start;
        if (lastBytes[position].length < length) {
            lastBytes[position] = new byte[Math.max(length, 2 * lastBytes[position].length)];
        }
        System.arraycopy(buffer.bytes, start, lastBytes[position], 0, length);
        lastLength[position] = length;
        lastTerm[position] = term;
    }

    /** Checks the term that begins with {@code token} and returns the token after it. */
    private int checkLegal(int token, int position) {
        byte kind = buffer.kind[token];
        boolean isLiteral = kind == TermBuffer.LITERAL || kind == TermBuffer.LANG_LITERAL || kind == TermBuffer.TYPED_LITERAL;
        boolean isTriple = kind == TermBuffer.START_TRIPLE;
        if (kind == TermBuffer.DEFAULT_GRAPH && position != GRAPH) {
            throw refuse("term", "the default graph as " + POSITION_NAMES[position], "correct the term");
        }
        if (position == NAMESPACE && kind != TermBuffer.IRI) {
            throw refuse("P-87", "a namespace that is not an IRI", "give the namespace's IRI");
        }
        if (isTriple && position == GRAPH) {
            throw refuse("P-36", "a quoted triple as graph", "name the graph by an IRI or a blank node");
        }
        if (isTriple && !options.rdfStar()) {
            throw refuse("P-46", "a quoted triple, where the options rule them out", "set rdfStar=true");
        }
        boolean generalized = position == PREDICATE && kind != TermBuffer.IRI
                || (position == SUBJECT || position == GRAPH) && isLiteral;
        if (generalized && !options.generalizedStatements()) {
            throw refuse("P-44", "a " + POSITION_NAMES[position] + (isLiteral ? " that is a literal" : " that is not an IRI")
                    + ", where the options rule out generalized statements", "correct it, or set generalizedStatements=true");
        }
        if (kind == TermBuffer.TYPED_LITERAL && datatypes.size() == 0) {
            throw refuse("P-53", "a literal with a datatype, where maxDatatypeTableSize is 0", "raise maxDatatypeTableSize");
        }
        if (!isTriple) {
            return token + 1;
        }
        int next = token + 1;
        for (int inner = SUBJECT; inner <= OBJECT; inner++) {
            next = checkLegal(next, inner);
        }
        return next + 1;
    }

    private void checkPrefixName(byte[] name) {
        for (byte b : name) {
            if (b >= 0 && b <= ' ' || b == ':' || b == 0x7F || b == '<' || b == '>' || b == '"') {
                throw refuse("P-86", "a prefix with the character " + (b > ' ' && b < 0x7F ? "'" + (char) b + "'" : "U+00"
                        + String.format("%02X", b)), "give it without a colon, as Turtle's PN_PREFIX has it");
            }
        }
    }

    /**
     * Checks that the row fits: into the lookups, all its entries at once (P-64), and into a frame. Ends the frame before
     * when that is what it takes.
     */
    private void reserve(int moreBytes) {
        decideSplits();
        long bound = buffer.bound() + moreBytes + ROW_OVERHEAD;
        boolean oneFrameAPatch = options.streamType() == StreamType.FRAME || !cut.delimited();
        if (!oneFrameAPatch && rowsInFrame > 0 && frame.size() + bound > Math.min(RECOMMENDED_FRAME_BYTES, cut.maxFrameBytes())) {
            flushFrame();
        }
        if (frame.size() + bound > cut.maxFrameBytes()) {
            throw refuse("P-04", "a row of up to " + bound + " bytes for a frame of " + frame.size()
                    + ", where maxFrameBytes is " + cut.maxFrameBytes(), oneFrameAPatch
                    ? "write a PUNCTUATED, delimited stream, whose patches span frames"
                    : "raise maxFrameBytes, here and for the readers");
        }
    }

    private void decideSplits() {
        int iris = 0;
        int typed = 0;
        for (int token = 0; token < buffer.tokens; token++) {
            if (buffer.kind[token] == TermBuffer.IRI) {
                iris++;
                if (prefixes.size() > 0) {
                    buffer.split(token);
                } else {
                    buffer.splitAt[token] = buffer.text[token];
                }
            } else if (buffer.kind[token] == TermBuffer.TYPED_LITERAL) {
                typed++;
            }
        }
        if (prefixes.size() > 0 && iris > prefixes.size() && distinct(Part.PREFIX) > prefixes.size()) {
            // Not all of its prefixes fit into the table at once, but the empty one does: so no prefixes in this row.
            for (int token = 0; token < buffer.tokens; token++) {
                buffer.splitAt[token] = buffer.text[token];
            }
        }
        if (iris > names.size()) {
            checkFits(distinct(Part.NAME), names.size(), "names", "maxNameTableSize");
        }
        if (typed > datatypes.size()) {
            checkFits(distinct(Part.DATATYPE), datatypes.size(), "datatypes", "maxDatatypeTableSize");
        }
    }

    private void checkFits(int needed, int size, String what, String option) {
        if (needed > size) {
            throw refuse("P-64", "a row of " + needed + " different " + what + ", where " + option + " is " + size,
                    "raise " + option);
        }
    }

    /** A part of a token that goes into a lookup. */
    private enum Part { PREFIX, NAME, DATATYPE }

    private int distinct(Part part) {
        Set<ByteBuffer> found = new HashSet<>();
        for (int token = 0; token < buffer.tokens; token++) {
            int textEnd = buffer.text[token] + buffer.textLength[token];
            if (part == Part.DATATYPE) {
                if (buffer.kind[token] == TermBuffer.TYPED_LITERAL) {
                    found.add(ByteBuffer.wrap(buffer.bytes, textEnd, buffer.extraLength[token]));
                }
            } else if (buffer.kind[token] == TermBuffer.IRI) {
                int split = buffer.splitAt[token];
                found.add(part == Part.PREFIX
                        ? ByteBuffer.wrap(buffer.bytes, buffer.text[token], split - buffer.text[token])
                        : ByteBuffer.wrap(buffer.bytes, split, textEnd - split));
            }
        }
        return found.size();
    }

    /** Finds the ids of all IRIs and datatypes of the row, and writes entries for those that have none yet. */
    private void setLookups() {
        if (prefixIds.length < buffer.tokens) {
            prefixIds = new int[buffer.kind.length];
            nameIds = new int[buffer.kind.length];
        }
        int prefixId = lastPrefixId;
        for (int token = 0; token < buffer.tokens; token++) {
            int textEnd = buffer.text[token] + buffer.textLength[token];
            if (buffer.kind[token] == TermBuffer.IRI) {
                int start = buffer.text[token];
                int split = buffer.splitAt[token];
                // Before any prefix was used, none is needed to have none; afterwards it takes an entry "" (P-68).
                if (split > start || prefixId != 0) {
                    prefixId = entry(prefixes, 12, start, split - start);
                }
                prefixIds[token] = prefixId;
                nameIds[token] = entry(names, 11, split, textEnd - split);
            } else if (buffer.kind[token] == TermBuffer.TYPED_LITERAL) {
                nameIds[token] = entry(datatypes, 13, textEnd, buffer.extraLength[token]);
            }
        }
    }

    private int entry(WriteLookup lookup, int field, int start, int length) {
        int id = lookup.find(buffer.bytes, start, length);
        if (id == 0) {
            id = lookup.add(buffer.bytes, start, length);
            int row = beginWireRow();
            int message = frame.beginMessage(field);
            frame.varintField(1, lookup.entryId(id));
            if (length > 0) {
                frame.bytesField(2, buffer.bytes, start, length);
            }
            frame.endMessage(message);
            endWireRow(row);
        }
        return id;
    }

    private int writeTerm(int token, int firstField) {
        int textLength = buffer.textLength[token];
        switch (buffer.kind[token]) {
            case TermBuffer.IRI -> writeIri(token, firstField);
            case TermBuffer.BLANK_NODE -> frame.bytesField(firstField + 1, buffer.bytes, buffer.text[token], textLength);
            case TermBuffer.START_TRIPLE -> {
                int message = frame.beginMessage(firstField + 3);
                int next = token + 1;
                for (int position = SUBJECT; position <= OBJECT; position++) {
                    next = writeTerm(next, FIRST_FIELD[position]);
                }
                frame.endMessage(message);
                return next + 1;
            }
            case TermBuffer.DEFAULT_GRAPH -> frame.emptyMessageField(firstField + 2);
            default -> writeLiteral(token, firstField + (isGraphField(firstField) ? 3 : 2));
        }
        return token + 1;
    }

    /** In the oneof of a graph, the default graph stands where the others have the literal, and the literal after it. */
    private static boolean isGraphField(int firstField) {
        return firstField == FIRST_FIELD[GRAPH] || firstField == FIRST_GRAPH_FIELD_OF_NAMESPACE;
    }

    private void writeIri(int token, int field) {
        int message = frame.beginMessage(field);
        frame.varintField(1, prefixIds[token] == lastPrefixId ? 0 : prefixIds[token]);
        frame.varintField(2, nameIds[token] == lastNameId + 1 ? 0 : nameIds[token]);
        frame.endMessage(message);
        lastPrefixId = prefixIds[token];
        lastNameId = nameIds[token];
    }

    private void writeLiteral(int token, int field) {
        int textEnd = buffer.text[token] + buffer.textLength[token];
        int message = frame.beginMessage(field);
        if (buffer.textLength[token] > 0) {
            frame.bytesField(1, buffer.bytes, buffer.text[token], buffer.textLength[token]);
        }
        if (buffer.kind[token] == TermBuffer.LANG_LITERAL) {
            frame.bytesField(2, buffer.bytes, textEnd, buffer.extraLength[token]);
        } else if (buffer.kind[token] == TermBuffer.TYPED_LITERAL) {
            frame.varintField(3, nameIds[token]);
        }
        frame.endMessage(message);
    }

    private void writeString(int field, byte[] value) {
        if (value.length > 0) {
            frame.bytesField(field, value, 0, value.length);
        }
    }

    private void endRow() {
        rows++;
        patchHasRows = true;
    }

    // --- frames

    private int beginWireRow() {
        return frame.beginMessage(1);
    }

    private void endWireRow(int mark) {
        frame.endMessage(mark);
        rowsInFrame++;
        if (rowsInFrame >= cut.frameRows() && cut.delimited() && options.streamType() != StreamType.FRAME) {
            flushFrame();
        }
    }

    private void writeOptions() {
        int row = beginWireRow();
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
        frame.endMessage(row);
        rowsInFrame = 1;
    }

    private void flushFrame() {
        head.clear();
        head.varint(frame.size());
        try {
            head.writeTo(out);
            frame.writeTo(out);
        } catch (IOException e) {
            broken = true;
            throw new UncheckedIOException("can't write" + (file == null ? "" : " " + file) + ": " + e.getMessage(), e);
        }
        bytesOut += head.size() + (long) frame.size();
        frames++;
        frame.clear();
        rowsInFrame = 0;
    }

    private PatchFormatException refuse(String rule, String found, String advice) {
        return new PatchFormatException(rule, file, frames, rowsInFrame, bytesOut + frame.size(), found, advice);
    }
}
