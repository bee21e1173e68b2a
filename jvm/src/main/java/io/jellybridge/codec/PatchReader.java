package io.jellybridge.codec;

import io.jellybridge.wire.FrameReader;
import io.jellybridge.wire.Utf8;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads a Jelly-Patch stream, delimited or a single bare frame, and hands its events to a {@link PatchHandler}, one a
 * call. Walks the bytes of a frame once; makes no objects but the terms.
 *
 * <p>By default tolerant: what the final text of the specification allows, and what Jelly-JVM writes beside it, is read.
 * With {@link ReadOptions#strict()}, every broken MUST is refused. In both ways, a transaction that is open where the
 * stream ends is an error (P-105), and so are rows after the last mark of a PUNCTUATED stream (P-24) unless they end with
 * a transaction: a capture by Jelly-JVM has no marks. Empty frames before the options are empty patches in a FRAME
 * stream.
 *
 * <p>One thread at a time. After an exception the reader can only be closed.
 *
 * @param <T> what a term is
 */
public final class PatchReader<T> implements Closeable {
    private static final String DAMAGED = "the file is damaged or was cut off; get it again from where it was written";
    private static final String WRITER_BUG = "the writer broke the format; write the file anew with a correct one";
    private static final String READ_TOLERANTLY = "read it without strict, or write the file anew";

    private static final byte[] NO_BYTES = new byte[0];
    private static final int POSITIONS = 4;
    private static final int SUBJECT = 0;
    private static final int PREDICATE = 1;
    private static final int OBJECT = 2;
    private static final int GRAPH = 3;
    private static final String[] POSITION_NAMES = {"subject", "predicate", "object", "graph"};

    // The members of a position's oneof, in their order: fields 1 to 4 are the subject's, 5 to 8 the predicate's, ...
    private static final int IRI = 0;
    private static final int BLANK_NODE = 1;
    private static final int LITERAL = 2;
    private static final int TRIPLE_TERM = 3;
    // ... but for the graph's, which are 13 to 16 in RdfQuad.
    private static final int GRAPH_DEFAULT = 2;
    private static final int GRAPH_LITERAL = 3;

    private final FrameReader frames;
    private final String file;
    private final TermFactory<T> terms;
    private final ReadOptions limits;
    private final WireReader wire = new WireReader();
    private final Object[] repeated = new Object[POSITIONS];
    private final boolean[] seen = new boolean[POSITIONS];
    /** For each level of nesting, where the terms of a statement are: member + 1 (0 = unset), start, end by position. */
    private int[] spans = new int[3 * POSITIONS * 4];

    private PatchOptions options;
    private IriReader<T> iris;
    private ReadLookup<T> datatypes;

    /** The lookup entry that {@link #readEntry} read. */
    private long entryId;
    private byte[] entryValue;

    private boolean inFrame;
    private int frameEnd;
    private boolean ended;
    private long emptyFramesBeforeOptions;
    /** Patches that are over but were not handed over yet: those of the frames before the options. */
    private long pendingPatchEnds;

    private long frame = -1;
    private long frameRow = -1;
    private int rowStart;
    private long patches;
    private long patch;
    private long transactions;
    private long tx = -1;
    private boolean transactionOpen;
    private Op lastTransactionOp;
    private long row = -1;
    private boolean patchHasRows;
    private boolean lastRowEndsTransaction;

    /**
     * @param in      the stream; closed by {@link #close()}
     * @param file    what errors call it; may be null
     * @param terms   makes the terms
     * @param options how strictly, and within which limits
     */
    public PatchReader(InputStream in, String file, TermFactory<T> terms, ReadOptions options) {
        this.frames = new FrameReader(in, options.maxFrameBytes());
        this.file = file;
        this.terms = terms;
        this.limits = options;
    }

    /**
     * Hands over the next event.
     *
     * @return false, with no event, at the end of the stream
     * @throws PatchFormatException the stream breaks the format
     * @throws IOException          the stream can't be read
     */
    public boolean next(PatchHandler<T> handler) throws IOException {
        try {
            return advance(handler);
        } catch (WireException e) {
            rowStart = e.position();
            throw error("P-125", e.getMessage(), DAMAGED);
        }
    }

    /** Hands over all events that are left. */
    public void readAll(PatchHandler<T> handler) throws IOException {
        while (next(handler)) {
            // the handler does the work
        }
    }

    /** The stream's options; null until they were read, which the first event presupposes. */
    public PatchOptions options() {
        return options;
    }

    /** Which patch of the stream the last event belongs to, from 0. */
    public long patch() {
        return patch;
    }

    /** Which transaction of the stream the last event belongs to, from 0; -1 outside of one. */
    public long tx() {
        return tx;
    }

    /** The last event's position among the change rows of the stream, from 0; the end of a patch has that of its last row. */
    public long row() {
        return row;
    }

    /** The frame of the last event, from 0. */
    public long frame() {
        return frame;
    }

    /** The last event's row in its frame, from 0; lookup entries and options are rows too. */
    public long frameRow() {
        return frameRow;
    }

    /** The byte offset in the stream of the last event's row. */
    public long offset() {
        return frames.offset(rowStart);
    }

    /** Where the last event is, made into an error: for handlers that refuse what the format allows. */
    public PatchFormatException error(String rule, String found, String advice) {
        return new PatchFormatException(rule, file, Math.max(frame, 0), Math.max(frameRow, 0), offset(), found, advice);
    }

    @Override
    public void close() throws IOException {
        frames.close();
    }

    private boolean advance(PatchHandler<T> handler) throws IOException {
        while (true) {
            if (pendingPatchEnds > 0) {
                pendingPatchEnds--;
                return endPatch(handler);
            }
            if (ended) {
                return false;
            }
            if (!inFrame) {
                if (!nextFrame()) {
                    ended = true;
                    return endStream(handler);
                }
            } else if (wire.position() == frameEnd) {
                inFrame = false;
                if (options == null) {
                    emptyFramesBeforeOptions++;
                } else if (options.streamType() == StreamType.FRAME) {
                    return endPatch(handler);
                }
            } else if (readFrameField(handler)) {
                return true;
            }
        }
    }

    private boolean nextFrame() throws IOException {
        long lastRow = frameRow;
        frame++; // before the frame is there, so that an error in fetching it names it
        frameRow = -1;
        if (!frames.next()) {
            frame--;
            frameRow = lastRow;
            return false;
        }
        inFrame = true;
        frameEnd = frames.end();
        rowStart = frames.start();
        wire.reset(frames.bytes(), frames.start(), frameEnd);
        return true;
    }

    /** Reads one field of the frame; true when it was a row that made an event. */
    private boolean readFrameField(PatchHandler<T> handler) {
        rowStart = wire.position();
        int tag = wire.tag();
        if (tag != (1 << 3 | WireReader.LENGTH_DELIMITED)) {
            wire.skip(tag);
            return false;
        }
        frameRow++;
        int length = wire.length();
        return readRow(wire.position() + length, handler);
    }

    private boolean endStream(PatchHandler<T> handler) {
        rowStart = frames.end();
        if (options == null) {
            throw error("P-40", "no options row in the whole stream", "check that this is a Jelly-Patch file and is complete");
        }
        if (transactionOpen) {
            throw error("P-105", "the end of the stream within transaction " + (transactions - 1), DAMAGED);
        }
        if (options.streamType() == StreamType.FLAT) {
            return endPatch(handler);
        }
        if (options.streamType() == StreamType.PUNCTUATED && patchHasRows) {
            if (limits.strict() || !lastRowEndsTransaction) {
                throw error("P-24", "the end of the stream before the mark that ends patch " + patches, DAMAGED);
            }
            return endPatch(handler);
        }
        return false;
    }

    private boolean endPatch(PatchHandler<T> handler) {
        if (transactionOpen && limits.strict()) {
            throw error(options.streamType() == StreamType.FRAME ? "P-15" : "P-104",
                    "the end of patch " + patches + " within transaction " + (transactions - 1), READ_TOLERANTLY);
        }
        patch = patches++;
        tx = transactionOpen ? transactions - 1 : -1;
        patchHasRows = false;
        handler.endPatch();
        return true;
    }

    // --- rows

    private boolean readRow(int end, PatchHandler<T> handler) {
        // Protobuf's rule for a oneof is that the last member wins; any but the first loop is for other writers' oddities.
        int kind = 0;
        int start = 0;
        int stop = 0;
        while (wire.position() < end) {
            int tag = tagWithin(end);
            int field = tag >>> 3;
            if (field <= 15 && field != 9 && field != 10 && (tag & 7) == WireReader.LENGTH_DELIMITED) {
                int length = lengthWithin(end);
                kind = field;
                start = wire.position();
                stop = start + length;
                wire.seek(stop);
            } else {
                skipWithin(tag, end);
            }
        }
        wire.seek(start);
        boolean event = dispatch(kind, stop, handler);
        wire.seek(end);
        return event;
    }

    private boolean dispatch(int kind, int end, PatchHandler<T> handler) {
        if (options == null && kind != 1) {
            throw error("P-40", "a first row that is not the options", "check that this is a Jelly-Patch file and is complete");
        }
        switch (kind) {
            case 1 -> readOptions(end);
            case 2 -> readStatement(Op.A, end, handler);
            case 3 -> readStatement(Op.D, end, handler);
            case 4 -> readPrefix(Op.PA, end, handler);
            case 5 -> readPrefix(Op.PD, end, handler);
            case 6 -> beginTransaction(end, handler);
            case 7 -> endTransaction(Op.TC, end, handler);
            case 8 -> endTransaction(Op.TA, end, handler);
            case 11 -> readName(end);
            case 12 -> readPrefixEntry(end);
            case 13 -> readDatatype(end);
            case 14 -> readHeader(end, handler);
            case 15 -> {
                readPunctuation(end, handler);
                return true;
            }
            default -> throw error("P-07", "a row of no kind that patch.proto knows",
                    "the file is damaged, or of a newer version of the format");
        }
        return isChangeRow(kind);
    }

    private static boolean isChangeRow(int kind) {
        return kind >= 2 && kind <= 8 || kind == 14;
    }

    private void readPunctuation(int end, PatchHandler<T> handler) {
        skipMessage(end);
        if (options.streamType() != StreamType.PUNCTUATED) {
            throw error(options.streamType() == StreamType.FLAT ? "P-18" : "P-14",
                    "a punctuation mark in a " + options.streamType() + " stream", WRITER_BUG);
        }
        endPatch(handler);
    }

    private void countRow(long ofTransaction, boolean endsTransaction) {
        patch = patches;
        tx = ofTransaction;
        row++;
        patchHasRows = true;
        lastRowEndsTransaction = endsTransaction;
    }

    private void countRow() {
        countRow(transactionOpen ? transactions - 1 : -1, false);
    }

    private void beginTransaction(int end, PatchHandler<T> handler) {
        skipMessage(end);
        if (transactionOpen && limits.strict()) {
            throw error("P-102", "TX within transaction " + (transactions - 1), READ_TOLERANTLY);
        }
        transactionOpen = true;
        lastTransactionOp = Op.TX;
        countRow(transactions++, false);
        handler.transaction(Op.TX);
    }

    private void endTransaction(Op op, int end, PatchHandler<T> handler) {
        skipMessage(end);
        if (!transactionOpen && limits.strict()) {
            throw error("P-101", op + (lastTransactionOp == null ? " before any TX" : " after " + lastTransactionOp),
                    READ_TOLERANTLY);
        }
        countRow(transactionOpen ? transactions - 1 : -1, true);
        transactionOpen = false;
        lastTransactionOp = op;
        handler.transaction(op);
    }

    private void readOptions(int end) {
        long statementType = 0;
        long streamType = 0;
        boolean generalized = false;
        boolean star = false;
        long names = 0;
        long prefixes = 0;
        long datatypesSize = 0;
        long version = 0;
        while (wire.position() < end) {
            int tag = tagWithin(end);
            if ((tag & 7) != WireReader.VARINT) {
                skipWithin(tag, end);
                continue;
            }
            long value = varintWithin(end);
            switch (tag >>> 3) {
                case 1 -> statementType = value;
                case 2 -> streamType = value;
                case 3 -> generalized = value != 0;
                case 4 -> star = value != 0;
                case 9 -> names = value & 0xFFFFFFFFL;
                case 10 -> prefixes = value & 0xFFFFFFFFL;
                case 11 -> datatypesSize = value & 0xFFFFFFFFL;
                case 15 -> version = value & 0xFFFFFFFFL;
                default -> { }
            }
        }
        if (version == 0) {
            throw error("P-55", "options without a version", WRITER_BUG);
        }
        if (version > PatchOptions.VERSION) {
            throw error("P-58", "version " + version + " of the format",
                    "this reader knows version " + PatchOptions.VERSION + "; read the file with a newer one");
        }
        StreamType stream = StreamType.of(streamType);
        if (stream == null) {
            throw error(streamType == 0 ? "P-11" : "P-12", "a stream type of " + streamType, WRITER_BUG);
        }
        StatementType statement = StatementType.of(statementType);
        if (statement == null) {
            throw error(statementType == 0 ? "P-30" : "P-31", "a statement type of " + statementType, WRITER_BUG);
        }
        if (names < PatchOptions.MIN_NAME_TABLE_SIZE) {
            throw error("P-48", "a name lookup of " + names + " entries, below " + PatchOptions.MIN_NAME_TABLE_SIZE, WRITER_BUG);
        }
        checkTableSize("maxNameTableSize", names, limits.maxNameTableSize());
        checkTableSize("maxPrefixTableSize", prefixes, limits.maxPrefixTableSize());
        checkTableSize("maxDatatypeTableSize", datatypesSize, limits.maxDatatypeTableSize());
        PatchOptions found = new PatchOptions(stream, statement, generalized, star,
                (int) names, (int) prefixes, (int) datatypesSize);
        if (options == null) {
            start(found);
        } else if (!options.equals(found)) {
            throw error("P-43", "options that differ from the first: " + found + " after " + options,
                    "two files were joined, or the file is damaged; read each by itself");
        }
    }

    private void checkTableSize(String option, long size, int limit) {
        if (size > limit) {
            throw error("P-126", "options that ask for " + option + "=" + size + ", above the limit of " + limit,
                    "if you trust the file, raise " + option);
        }
    }

    private void start(PatchOptions first) {
        options = first;
        iris = new IriReader<>(terms, first, this::error);
        datatypes = new ReadLookup<>("datatype", first.maxDatatypeTableSize(),
                first.maxDatatypeTableSize() == 0 ? "P-53" : "P-54", this::error);
        if (first.streamType() == StreamType.FRAME) {
            pendingPatchEnds = emptyFramesBeforeOptions;
        }
    }

    // --- lookup entries

    private void readEntry(int end) {
        entryId = 0;
        int start = 0;
        int length = 0;
        while (wire.position() < end) {
            int tag = tagWithin(end);
            if (tag == (1 << 3 | WireReader.VARINT)) {
                entryId = varintWithin(end) & 0xFFFFFFFFL;
            } else if (tag == (2 << 3 | WireReader.LENGTH_DELIMITED)) {
                length = lengthWithin(end);
                start = wire.position();
                checkUtf8(start, length);
                wire.seek(start + length);
            } else {
                skipWithin(tag, end);
            }
        }
        entryValue = Arrays.copyOfRange(wire.bytes(), start, start + length);
    }

    private void readName(int end) {
        readEntry(end);
        iris.setName(entryId, entryValue);
    }

    private void readPrefixEntry(int end) {
        readEntry(end);
        iris.setPrefix(entryId, entryValue);
    }

    private void readDatatype(int end) {
        readEntry(end);
        datatypes.set(datatypes.idToSet(entryId), terms.iri(NO_BYTES, entryValue));
    }

    // --- statements, prefixes, headers

    private void readStatement(Op op, int end, PatchHandler<T> handler) {
        findTerms(0, end, 16);
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if (spans[3 * position] != 0) {
                repeated[position] = readTerm(0, position);
                seen[position] = true;
            } else if (!seen[position]) {
                throw error("P-71", "a statement without " + POSITION_NAMES[position] + ", and none before it to repeat",
                        WRITER_BUG);
            }
        }
        readGraph();
        countRow();
        handler.statement(op, term(SUBJECT), term(PREDICATE), term(OBJECT), term(GRAPH));
    }

    @SuppressWarnings("unchecked")
    private T term(int position) {
        return (T) repeated[position];
    }

    /** Reads the graph whose span is known, or repeats the last one (P-37, P-76); in a TRIPLES stream drops it (P-34). */
    private void readGraph() {
        int member = spans[3 * GRAPH] - 1;
        if (options.statementType() == StatementType.TRIPLES) {
            if (member >= 0) {
                if (limits.strict()) {
                    throw error("P-33", "a graph in a TRIPLES stream", READ_TOLERANTLY);
                }
                graphTerm(member); // its ids count, whatever becomes of it
            }
        } else if (member >= 0) {
            repeated[GRAPH] = graphTerm(member);
            seen[GRAPH] = true;
        } else if (!seen[GRAPH]) {
            throw error("P-72", "a row of a QUADS stream without graph, and none before it to repeat", WRITER_BUG);
        }
    }

    private T graphTerm(int member) {
        int start = spans[3 * GRAPH + 1];
        int end = spans[3 * GRAPH + 2];
        wire.seek(start);
        switch (member) {
            case IRI:
                return readIri(end);
            case BLANK_NODE:
                return readBlankNode(end);
            case GRAPH_DEFAULT:
                skipMessage(end);
                return terms.defaultGraph();
            case GRAPH_LITERAL:
                checkGeneralized("a literal as graph");
                return readLiteral(end);
            default:
                throw new IllegalStateException("graph member " + member);
        }
    }

    /**
     * Finds the terms of a statement or triple term without reading them: on the wire they may come in any order, but
     * their ids count as subject, predicate, object, graph (P-79).
     *
     * @param base      where in {@link #spans} the positions of this level begin
     * @param lastField the last field of the message: 12 for a triple, 16 for a quad
     */
    private void findTerms(int base, int end, int lastField) {
        Arrays.fill(spans, base, base + 3 * POSITIONS, 0);
        while (wire.position() < end) {
            int tag = tagWithin(end);
            int field = tag >>> 3;
            if (field <= lastField && (tag & 7) == WireReader.LENGTH_DELIMITED) {
                setSpan(base + 3 * ((field - 1) >>> 2), (field - 1) & 3, end);
            } else {
                skipWithin(tag, end);
            }
        }
    }

    private void setSpan(int index, int member, int end) {
        int length = lengthWithin(end);
        int start = wire.position();
        spans[index] = member + 1;
        spans[index + 1] = start;
        spans[index + 2] = start + length;
        wire.seek(start + length);
    }

    /** Reads the subject, predicate or object whose span is known. */
    private T readTerm(int level, int position) {
        int index = 3 * (POSITIONS * level + position);
        int member = spans[index] - 1;
        int end = spans[index + 2];
        wire.seek(spans[index + 1]);
        if (position == PREDICATE && member != IRI || position == SUBJECT && member == LITERAL) {
            checkGeneralized("a " + POSITION_NAMES[position] + " that is not " + (position == PREDICATE ? "an IRI" : "a resource"));
        }
        return readTermMember(member, end, level);
    }

    private T readTermMember(int member, int end, int level) {
        return switch (member) {
            case IRI -> readIri(end);
            case BLANK_NODE -> readBlankNode(end);
            case LITERAL -> readLiteral(end);
            case TRIPLE_TERM -> readTripleTerm(end, level + 1);
            default -> throw new IllegalStateException("term member " + member);
        };
    }

    private void checkGeneralized(String found) {
        if (limits.strict() && !options.generalizedStatements()) {
            throw error("P-44", found + ", where the options do not announce generalized statements", READ_TOLERANTLY);
        }
    }

    private T readTripleTerm(int end, int level) {
        if (limits.strict() && !options.rdfStar()) {
            throw error("P-46", "a quoted triple, where the options do not announce rdf_star", READ_TOLERANTLY);
        }
        if (level > limits.maxNesting()) {
            throw error("P-126", "triple terms nested deeper than " + limits.maxNesting(),
                    "if you trust the file, raise maxNesting");
        }
        int base = 3 * POSITIONS * level;
        if (base == spans.length) {
            spans = Arrays.copyOf(spans, 2 * spans.length);
        }
        findTerms(base, end, 12);
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if (spans[base + 3 * position] == 0) {
                throw error("P-77", "a quoted triple without " + POSITION_NAMES[position], WRITER_BUG);
            }
        }
        T subject = readTerm(level, SUBJECT);
        T predicate = readTerm(level, PREDICATE);
        T object = readTerm(level, OBJECT);
        return terms.tripleTerm(subject, predicate, object);
    }

    private void readPrefix(Op op, int end, PatchHandler<T> handler) {
        int nameStart = 0;
        int nameLength = 0;
        int valueStart = 0;
        int valueEnd = -1;
        Arrays.fill(spans, 0, 3 * POSITIONS, 0);
        while (wire.position() < end) {
            int tag = tagWithin(end);
            int field = tag >>> 3;
            if (field > 6 || (tag & 7) != WireReader.LENGTH_DELIMITED) {
                skipWithin(tag, end);
            } else if (field >= 3) {
                setSpan(3 * GRAPH, field - 3, end);
            } else {
                int length = lengthWithin(end);
                int start = wire.position();
                if (field == 1) {
                    nameStart = start;
                    nameLength = length;
                } else {
                    valueStart = start;
                    valueEnd = start + length;
                }
                wire.seek(start + length);
            }
        }
        checkUtf8(nameStart, nameLength);
        T namespace = null;
        if (valueEnd >= 0) {
            wire.seek(valueStart);
            namespace = readIri(valueEnd);
        } else if (op == Op.PA) {
            throw error("P-87", "PA without a namespace", WRITER_BUG);
        }
        readGraph();
        countRow();
        handler.prefix(op, Arrays.copyOfRange(wire.bytes(), nameStart, nameStart + nameLength), namespace, term(GRAPH));
    }

    private void readHeader(int end, PatchHandler<T> handler) {
        int keyStart = 0;
        int keyLength = 0;
        int member = -1;
        int valueStart = 0;
        int valueEnd = 0;
        while (wire.position() < end) {
            int tag = tagWithin(end);
            int field = tag >>> 3;
            if (field > 5 || (tag & 7) != WireReader.LENGTH_DELIMITED) {
                skipWithin(tag, end);
                continue;
            }
            int length = lengthWithin(end);
            int start = wire.position();
            if (field == 1) {
                keyStart = start;
                keyLength = length;
            } else {
                member = field - 2;
                valueStart = start;
                valueEnd = start + length;
            }
            wire.seek(start + length);
        }
        checkUtf8(keyStart, keyLength);
        if (member < 0) {
            throw error("P-111", "a header without a value", WRITER_BUG);
        }
        wire.seek(valueStart);
        T value = readTermMember(member, valueEnd, 0);
        countRow();
        handler.header(Arrays.copyOfRange(wire.bytes(), keyStart, keyStart + keyLength), value);
    }

    // --- terms

    private T readIri(int end) {
        long prefixId = 0;
        long nameId = 0;
        while (wire.position() < end) {
            int tag = tagWithin(end);
            if (tag == (1 << 3 | WireReader.VARINT)) {
                prefixId = varintWithin(end) & 0xFFFFFFFFL;
            } else if (tag == (2 << 3 | WireReader.VARINT)) {
                nameId = varintWithin(end) & 0xFFFFFFFFL;
            } else {
                skipWithin(tag, end);
            }
        }
        return iris.iri(prefixId, nameId);
    }

    private T readBlankNode(int end) {
        int start = wire.position();
        checkUtf8(start, end - start);
        return terms.blankNode(wire.bytes(), start, end - start);
    }

    private T readLiteral(int end) {
        int lexStart = wire.position();
        int lexLength = 0;
        int langStart = 0;
        int langLength = -1;
        long datatype = -1;
        while (wire.position() < end) {
            int tag = tagWithin(end);
            if (tag == (1 << 3 | WireReader.LENGTH_DELIMITED)) {
                lexLength = lengthWithin(end);
                lexStart = wire.position();
                wire.seek(lexStart + lexLength);
            } else if (tag == (2 << 3 | WireReader.LENGTH_DELIMITED)) {
                langLength = lengthWithin(end);
                langStart = wire.position();
                datatype = -1;
                wire.seek(langStart + langLength);
            } else if (tag == (3 << 3 | WireReader.VARINT)) {
                datatype = varintWithin(end) & 0xFFFFFFFFL;
                langLength = -1;
            } else {
                skipWithin(tag, end);
            }
        }
        checkUtf8(lexStart, lexLength);
        if (langLength >= 0) {
            checkLanguageTag(langStart, langLength);
            return terms.langLiteral(wire.bytes(), lexStart, lexLength, langStart, langLength);
        }
        if (datatype < 0) {
            return terms.literal(wire.bytes(), lexStart, lexLength);
        }
        if (datatype == 0) {
            throw error("P-63", "a literal of datatype 0, which is not an id", WRITER_BUG);
        }
        return terms.typedLiteral(wire.bytes(), lexStart, lexLength, datatypes.get(datatype));
    }

    /** Tags are passed on as they are, but for those that no text form of the literal could hold (P-120). */
    private void checkLanguageTag(int start, int length) {
        byte[] bytes = wire.bytes();
        boolean legal = length > 0;
        for (int i = start; legal && i < start + length; i++) {
            legal = LanguageTags.isTagCharacter(bytes[i]);
        }
        if (!legal) {
            throw error("P-120", "a language tag that is empty or holds other characters than letters, digits, '-' and '_'",
                    WRITER_BUG);
        }
    }

    private void checkUtf8(int start, int length) {
        int invalid = Utf8.firstInvalid(wire.bytes(), start, length);
        if (invalid >= 0) {
            throw new WireException(invalid, "bytes in a string that are not UTF-8");
        }
    }

    // --- the bound of a message within its frame: what a nested field claims, its message must hold

    private int tagWithin(int end) {
        int tag = wire.tag();
        checkWithin(end);
        return tag;
    }

    private long varintWithin(int end) {
        long value = wire.varint();
        checkWithin(end);
        return value;
    }

    private int lengthWithin(int end) {
        int length = wire.length();
        if (length > end - wire.position()) {
            throw new WireException(wire.position(), "a field of " + length + " bytes in a message with "
                    + Math.max(0, end - wire.position()) + " left");
        }
        return length;
    }

    private void skipWithin(int tag, int end) {
        wire.skip(tag);
        checkWithin(end);
    }

    private void checkWithin(int end) {
        if (wire.position() > end) {
            throw new WireException(wire.position(), "a field that runs over the end of its message");
        }
    }

    private void skipMessage(int end) {
        while (wire.position() < end) {
            skipWithin(tagWithin(end), end);
        }
    }
}
