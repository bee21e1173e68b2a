package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes the terms of a stream's rows, and what they rest on: lookup entries, relative ids, repeated terms. The same for
 * both formats.
 *
 * <p>A row goes in three steps. {@link #begin}, then {@code collect…} each term: a term that the stream may not hold is
 * refused, and nothing has changed. {@link #prepare}: what can't fit is refused, and nothing has changed; else lookup
 * entries are written. Then the row itself, by {@code write…}, and {@link #remember} of what later rows may repeat; that
 * can't fail but for I/O.
 *
 * @param <T> what a term is
 */
final class TermWriter<T> {
    /** How deep triple terms may be nested: what readers accept by default. */
    private static final int MAX_NESTING = 64;
    /** What a row may take beside its terms and strings: keys and lengths. */
    private static final int ROW_OVERHEAD = 64;

    static final int SUBJECT = 0;
    static final int PREDICATE = 1;
    static final int OBJECT = 2;
    static final int GRAPH = 3;
    static final int HEADER_VALUE = 4;
    static final int NAMESPACE = 5;
    private static final int REPEATABLE = 4;
    private static final String[] POSITION_NAMES = {"subject", "predicate", "object", "graph", "header value", "namespace"};
    /** The first field of a position's oneof, in RdfQuad and RdfTriple; the graph's, in RdfQuad. */
    private static final int[] FIRST_FIELD = {1, 5, 9};
    private static final int FIRST_GRAPH_FIELD = 13;

    /** A part of a token that goes into a lookup. */
    private enum Part { PREFIX, NAME, DATATYPE }

    private final FrameWriter out;
    private final WireWriter frame;
    private final TermSource<T> terms;
    private final Place place;
    private final boolean generalized;
    private final boolean star;
    /** The row fields of name, prefix and datatype entries are this and the two after it. */
    private final int firstEntryField;
    private final TermBuffer buffer = new TermBuffer(MAX_NESTING);

    private final WriteLookup names;
    private final WriteLookup prefixes;
    private final WriteLookup datatypes;
    private int lastPrefixId;
    private int lastNameId;

    /** What a repeated term would repeat: the token bytes, and the object they came from. */
    private final byte[][] lastBytes = {new byte[64], new byte[64], new byte[64], new byte[64]};
    private final int[] lastLength = {-1, -1, -1, -1};
    private final Object[] lastTerm = new Object[REPEATABLE];

    /** The first token of the position in this row, or -1 when it has none: a repeated term, or no term. */
    private final int[] firstToken = new int[POSITION_NAMES.length];
    private int[] prefixIds = new int[16];
    private int[] nameIds = new int[16];

    TermWriter(FrameWriter out, TermSource<T> terms, Place place, boolean generalized, boolean star,
            int names, int prefixes, int datatypes, int firstEntryField) {
        this.out = out;
        this.frame = out.frame;
        this.terms = terms;
        this.place = place;
        this.generalized = generalized;
        this.star = star;
        this.firstEntryField = firstEntryField;
        this.names = new WriteLookup(names);
        this.prefixes = new WriteLookup(prefixes);
        this.datatypes = new WriteLookup(datatypes);
    }

    // --- collecting a row

    /** Starts a row without terms. */
    void begin() {
        buffer.clear();
        Arrays.fill(firstToken, -1);
    }

    void collectTriple(T subject, T predicate, T object) {
        collect(SUBJECT, subject);
        collect(PREDICATE, predicate);
        collect(OBJECT, object);
    }

    /** Collects a term that a later row may repeat, or that repeats one. */
    private void collect(int position, T term) {
        if (term == null || term != lastTerm[position]) {
            collectWhole(position, term);
            dropIfRepeated(position);
        }
    }

    /** Collects a term that is written in full, whatever came before. */
    void collectWhole(int position, T term) {
        if (term == null) {
            throw place.error(position == HEADER_VALUE ? Rule.HEADER_VALUE_SET : Rule.TERM_SET,
                    "no " + POSITION_NAMES[position], "give the term");
        }
        int first = buffer.tokens;
        visit(position, term);
        checkLegal(first, position);
        firstToken[position] = first;
    }

    /** Collects the graph of a quad; null is the default graph (P-38). */
    void collectGraph(T graph) {
        if (graph == null) {
            collectDefaultGraph();
            dropIfRepeated(GRAPH);
        } else {
            collect(GRAPH, graph);
        }
    }

    /** As {@link #collectGraph}, but written in full. */
    void collectWholeGraph(T graph) {
        if (graph == null) {
            collectDefaultGraph();
        } else {
            collectWhole(GRAPH, graph);
        }
    }

    private void collectDefaultGraph() {
        firstToken[GRAPH] = buffer.tokens;
        buffer.defaultGraph();
    }

    /** Whether a graph is the default graph: null, or a term that says so. */
    boolean isDefaultGraph(T graph) {
        if (graph == null) {
            return true;
        }
        int first = buffer.tokens;
        visit(GRAPH, graph);
        boolean isDefault = buffer.kind[first] == TermBuffer.DEFAULT_GRAPH;
        buffer.truncate(first);
        return isDefault;
    }

    private void visit(int position, T term) {
        int first = buffer.tokens;
        try {
            terms.visit(term, buffer);
        } catch (IllegalArgumentException e) {
            throw place.error(Rule.RDF_TERM, "a " + POSITION_NAMES[position] + " that is no RDF term: " + e.getMessage(),
                    "correct the term");
        }
        if (buffer.nestedTooDeep()) {
            throw place.error(Rule.NESTING, "triple terms nested deeper than " + MAX_NESTING,
                    "readers refuse them; flatten the term");
        }
        if (buffer.tokens == first) {
            throw new IllegalStateException("the source of terms shows nothing of " + term);
        }
    }

    private void dropIfRepeated(int position) {
        int start = buffer.tokenStart(firstToken[position]);
        if (lastLength[position] == buffer.size - start
                && Arrays.equals(lastBytes[position], 0, lastLength[position], buffer.bytes, start, buffer.size)) {
            buffer.truncate(firstToken[position]);
            firstToken[position] = -1;
        }
    }

    /** Checks the term that begins with {@code token} and returns the token after it. */
    private int checkLegal(int token, int position) {
        byte kind = buffer.kind[token];
        boolean isLiteral = kind == TermBuffer.LITERAL || kind == TermBuffer.LANG_LITERAL || kind == TermBuffer.TYPED_LITERAL;
        boolean isTriple = kind == TermBuffer.START_TRIPLE;
        if (kind == TermBuffer.DEFAULT_GRAPH && position != GRAPH) {
            throw place.error(Rule.RDF_TERM, "the default graph as " + POSITION_NAMES[position], "correct the term");
        }
        if (position == NAMESPACE && kind != TermBuffer.IRI) {
            throw place.error(Rule.NAMESPACE_SET, "a namespace that is not an IRI", "give the namespace's IRI");
        }
        if (isTriple && position == GRAPH) {
            throw place.error(Rule.GRAPH_NODE, "a quoted triple as graph", "name the graph by an IRI or a blank node");
        }
        if (isTriple && !star) {
            throw place.error(Rule.STAR_ANNOUNCED, "a quoted triple, where the options rule them out", "set rdfStar=true");
        }
        boolean isGeneralized = position == PREDICATE && kind != TermBuffer.IRI
                || (position == SUBJECT || position == GRAPH) && isLiteral;
        if (isGeneralized && !generalized) {
            throw place.error(Rule.GENERALIZED_ANNOUNCED, "a " + POSITION_NAMES[position]
                    + (isLiteral ? " that is a literal" : " that is not an IRI")
                    + ", where the options rule out generalized statements", "correct it, or set generalizedStatements=true");
        }
        if (kind == TermBuffer.TYPED_LITERAL && datatypes.size() == 0) {
            throw place.error(Rule.DATATYPE_TABLE_UNUSED, "a literal with a datatype, where maxDatatypeTableSize is 0",
                    "raise maxDatatypeTableSize");
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

    /** @throws PatchFormatException the prefix has a colon, a space or another character that no prefix can have */
    void checkPrefixName(byte[] name) {
        int fault = PrefixNames.firstFault(name);
        if (fault >= 0) {
            throw place.error(Rule.PREFIX_NAME, PrefixNames.describeFault(name, fault), PrefixNames.ADVICE);
        }
    }

    // --- making room, and lookup entries

    /**
     * Checks that the row fits into the lookups, with all its entries at once (P-64), and into a frame; then writes the
     * entries it needs.
     *
     * @param moreBytes what the row holds beside terms
     */
    void prepare(int moreBytes) {
        decideSplits();
        long bound = buffer.bound() + moreBytes + ROW_OVERHEAD;
        if (!out.makeRoom(bound)) {
            throw place.error(Rule.FRAME_SIZE, out.noRoomFound(bound), out.noRoomAdvice());
        }
        writeEntries();
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
            throw place.error(Rule.ENTRIES_OF_A_ROW,
                    "a row of " + needed + " different " + what + ", where " + option + " is " + size, "raise " + option);
        }
    }

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
    private void writeEntries() {
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
                    prefixId = entry(prefixes, firstEntryField + 1, start, split - start);
                }
                prefixIds[token] = prefixId;
                nameIds[token] = entry(names, firstEntryField, split, textEnd - split);
            } else if (buffer.kind[token] == TermBuffer.TYPED_LITERAL) {
                nameIds[token] = entry(datatypes, firstEntryField + 2, textEnd, buffer.extraLength[token]);
            }
        }
    }

    private int entry(WriteLookup lookup, int field, int start, int length) {
        int id = lookup.find(buffer.bytes, start, length);
        if (id == 0) {
            id = lookup.add(buffer.bytes, start, length);
            int row = out.beginRow();
            int message = frame.beginMessage(field);
            frame.varintField(1, lookup.entryId(id));
            if (length > 0) {
                frame.bytesField(2, buffer.bytes, start, length);
            }
            frame.endMessage(message);
            out.endRow(row);
        }
        return id;
    }

    // --- writing a row

    /** Writes the terms of a statement that are not repeated, as the fields of RdfQuad or RdfTriple. */
    void writeStatement() {
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if (firstToken[position] >= 0) {
                writeTerm(firstToken[position], FIRST_FIELD[position]);
            }
        }
        writeGraph(FIRST_GRAPH_FIELD);
    }

    /** Writes the graph, unless it is repeated, into the oneof of four fields that begins with {@code firstField}. */
    void writeGraph(int firstField) {
        int token = firstToken[GRAPH];
        if (token < 0) {
            return;
        }
        switch (buffer.kind[token]) {
            case TermBuffer.DEFAULT_GRAPH -> frame.emptyMessageField(firstField + 2);
            case TermBuffer.IRI, TermBuffer.BLANK_NODE -> writeTerm(token, firstField);
            default -> writeLiteral(token, firstField + 3);
        }
    }

    /** Writes a term into the oneof that begins with {@code firstField}: IRI, blank node, literal, triple term. */
    void writeValue(int position, int firstField) {
        writeTerm(firstToken[position], firstField);
    }

    /** Writes the namespace's IRI, when there is one. */
    void writeNamespace(int field) {
        if (firstToken[NAMESPACE] >= 0) {
            writeIri(firstToken[NAMESPACE], field);
        }
    }

    private int writeTerm(int token, int firstField) {
        switch (buffer.kind[token]) {
            case TermBuffer.IRI -> writeIri(token, firstField);
            case TermBuffer.BLANK_NODE ->
                frame.bytesField(firstField + 1, buffer.bytes, buffer.text[token], buffer.textLength[token]);
            case TermBuffer.START_TRIPLE -> {
                return writeTriple(token, firstField + 3);
            }
            default -> writeLiteral(token, firstField + 2);
        }
        return token + 1;
    }

    private int writeTriple(int token, int field) {
        int message = frame.beginMessage(field);
        int next = token + 1;
        for (int position = SUBJECT; position <= OBJECT; position++) {
            next = writeTerm(next, FIRST_FIELD[position]);
        }
        frame.endMessage(message);
        return next + 1;
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

    /** Writes a string field; protobuf leaves out an empty one. */
    void writeString(int field, byte[] value) {
        if (value.length > 0) {
            frame.bytesField(field, value, 0, value.length);
        }
    }

    // --- keeping for repeats

    void rememberTriple(T subject, T predicate, T object) {
        remember(SUBJECT, subject);
        remember(PREDICATE, predicate);
        remember(OBJECT, object);
    }

    void rememberGraph(T graph) {
        remember(GRAPH, graph);
    }

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
}
