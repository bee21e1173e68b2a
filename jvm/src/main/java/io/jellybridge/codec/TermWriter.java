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

    private static final byte[] NOTHING = {};
    /** An id that was used last, where readers may have any: none is equal to it or comes after it. */
    private static final int UNKNOWN = -2;

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
    private final Runnable startRestart;
    private final TermBuffer buffer;

    private final WriteLookup names;
    private final WriteLookup prefixes;
    private final WriteLookup datatypes;
    private final KnownIris known;
    private int lastPrefixId;
    private int lastNameId;

    /** What a repeated term would repeat: the strings of an IRI in the lookups, else null and -1; */
    private final byte[][] lastPrefix = new byte[REPEATABLE][];
    private final byte[][] lastName = new byte[REPEATABLE][];
    /** the token bytes of another term; and the object that either came from. */
    private final byte[][] lastBytes = {new byte[64], new byte[64], new byte[64], new byte[64]};
    private final int[] lastLength = {-1, -1, -1, -1};
    private final Object[] lastTerm = new Object[REPEATABLE];

    /** The first token of the position in this row, or -1 when it has none: a repeated term, or no term. */
    private final int[] firstToken = new int[POSITION_NAMES.length];
    /** Whether the row is to begin a restart point, if it is taken. */
    private boolean restarts;

    /** @param startRestart begins the frame of a restart point, options included */
    TermWriter(FrameWriter out, TermSource<T> terms, Place place, boolean generalized, boolean star,
            int names, int prefixes, int datatypes, int firstEntryField, Runnable startRestart) {
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
        this.known = new KnownIris(this.prefixes, this.names);
        this.buffer = new TermBuffer(MAX_NESTING, known);
        this.startRestart = startRestart;
    }

    /**
     * Forgets all that came before, as if the stream began here; but readers that do not know of it may not have
     * forgotten, so what follows says each first id.
     */
    void forget() {
        names.forget();
        prefixes.forget();
        datatypes.forget();
        lastPrefixId = prefixes.size() > 0 ? UNKNOWN : 0;
        lastNameId = UNKNOWN;
        Arrays.fill(lastLength, -1);
        Arrays.fill(lastName, null);
        Arrays.fill(lastTerm, null);
    }

    // --- collecting a row

    /**
     * Starts a row without terms.
     *
     * @param restarting whether the row is to begin a restart point, if it is taken
     */
    void begin(boolean restarting) {
        restarts = restarting;
        buffer.clear(!restarting);
        Arrays.fill(firstToken, -1);
    }

    void collectTriple(T subject, T predicate, T object) {
        collect(SUBJECT, subject);
        collect(PREDICATE, predicate);
        collect(OBJECT, object);
    }

    /** Collects a term that a later row may repeat, or that repeats one. */
    private void collect(int position, T term) {
        if (restarts || term == null || lastTerm[position] == null || !isSame(term, lastTerm[position])) {
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

    @SuppressWarnings("unchecked")
    private boolean isSame(T term, Object last) {
        return terms.isSame(term, (T) last);
    }

    private void dropIfRepeated(int position) {
        if (!restarts && isRepeated(position, firstToken[position])) {
            buffer.truncate(firstToken[position]);
            firstToken[position] = -1;
        }
    }

    private boolean isRepeated(int position, int token) {
        if (buffer.kind[token] == TermBuffer.IRI) {
            return buffer.nameId[token] != 0 && lastName[position] == names.value(buffer.nameId[token])
                    && lastPrefix[position] == prefixes.value(buffer.prefixId[token]);
        }
        int start = buffer.start(token);
        return lastLength[position] == buffer.size - start
                && Arrays.equals(lastBytes[position], 0, lastLength[position], buffer.bytes, start, buffer.size);
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
     * Checks that the row fits into the lookups, with all its entries at once (P-64), and into a frame; then begins the
     * restart point that is to come with it, and writes the entries it needs.
     *
     * @param moreBytes what the row holds beside terms
     */
    void prepare(int moreBytes) {
        boolean allKnown = decideSplits();
        long bound = buffer.bound() + moreBytes + ROW_OVERHEAD;
        if (restarts && out.fitsAfterRestart(bound)) {
            startRestart.run();
            forget();
        } else if (!out.makeRoom(bound)) {
            throw place.error(Rule.FRAME_SIZE, out.noRoomFound(bound), out.noRoomAdvice());
        }
        names.beginRow();
        prefixes.beginRow();
        datatypes.beginRow();
        if (!allKnown) {
            writeEntries();
        }
    }

    /** Splits the IRIs that are not known; whether there are none, and no datatypes, so that no entry can be needed. */
    private boolean decideSplits() {
        int iris = 0;
        int unknown = 0;
        int typed = 0;
        for (int token = 0; token < buffer.tokens; token++) {
            if (buffer.kind[token] == TermBuffer.IRI) {
                iris++;
                if (!isKnown(token)) {
                    unknown++;
                    split(token);
                }
            } else if (buffer.kind[token] == TermBuffer.TYPED_LITERAL) {
                typed++;
            }
        }
        boolean manyIris = iris > names.size() || prefixes.size() > 0 && iris > prefixes.size();
        if (manyIris) {
            decideSplitsOfManyIris();
        }
        if (typed > datatypes.size()) {
            checkFits(distinct(Part.DATATYPE), datatypes.size(), "datatypes", "maxDatatypeTableSize");
        }
        return unknown == 0 && typed == 0 && !manyIris;
    }

    private void split(int token) {
        if (prefixes.size() > 0) {
            buffer.split(token);
        } else {
            buffer.splitAt[token] = buffer.text[token];
        }
    }

    /** Of a row with more IRIs than a table has entries. */
    private void decideSplitsOfManyIris() {
        spellKnown();
        if (prefixes.size() > 0 && distinct(Part.PREFIX) > prefixes.size()) {
            // Not all of its prefixes fit into the table at once, but the empty one does: so no prefixes in this row.
            for (int token = 0; token < buffer.tokens; token++) {
                buffer.splitAt[token] = buffer.text[token];
            }
        }
        checkFits(distinct(Part.NAME), names.size(), "names", "maxNameTableSize");
    }

    /** Makes IRIs of the row that are known to ones that are not, before the lookups change. */
    private void spellKnown() {
        for (int token = 0; token < buffer.tokens; token++) {
            if (isKnown(token)) {
                int prefixId = buffer.prefixId[token];
                buffer.spell(token, prefixId == 0 ? NOTHING : prefixes.value(prefixId), names.value(buffer.nameId[token]));
                split(token);
            }
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

    /**
     * Finds the ids of all IRIs and datatypes of the row, and writes entries for those that have none yet. The ids that
     * are known come first, so that no entry of this row takes the place of one that the row uses.
     */
    private void writeEntries() {
        for (int token = 0; token < buffer.tokens; token++) {
            if (isKnown(token)) {
                names.use(buffer.nameId[token]);
                prefixes.use(buffer.prefixId[token]);
            }
        }
        int prefixId = lastPrefixId;
        for (int token = 0; token < buffer.tokens; token++) {
            if (isKnown(token)) {
                prefixId = buffer.prefixId[token];
            } else if (buffer.kind[token] == TermBuffer.IRI) {
                prefixId = iriEntries(token, prefixId);
            } else if (buffer.kind[token] == TermBuffer.TYPED_LITERAL) {
                int textEnd = buffer.text[token] + buffer.textLength[token];
                buffer.nameId[token] = entry(datatypes, firstEntryField + 2, textEnd, buffer.extraLength[token]);
            }
        }
    }

    private boolean isKnown(int token) {
        return buffer.kind[token] == TermBuffer.IRI && buffer.nameId[token] != 0;
    }

    /**
     * Finds the ids of an IRI that was not known.
     *
     * @param before the id of the prefix that was used before
     * @return the id of its prefix
     */
    private int iriEntries(int token, int before) {
        int start = buffer.text[token];
        int split = buffer.splitAt[token];
        // Before any prefix was used, none is needed to have none; afterwards it takes an entry "" (P-68).
        int prefixId = split > start || before != 0 ? entry(prefixes, firstEntryField + 1, start, split - start) : 0;
        int nameId = entry(names, firstEntryField, split, start + buffer.textLength[token] - split);
        buffer.prefixId[token] = prefixId;
        buffer.nameId[token] = nameId;
        if (buffer.hash[token] != 0 && (prefixId != 0 || prefixes.size() == 0)) {
            known.put(buffer.hash[token], prefixId, nameId);
        }
        return prefixId;
    }

    private int entry(WriteLookup lookup, int field, int start, int length) {
        int hash = WriteLookup.hash(buffer.bytes, start, length);
        int id = lookup.find(buffer.bytes, start, length, hash);
        if (id == 0) {
            id = lookup.add(buffer.bytes, start, length, hash);
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
        int prefixId = buffer.prefixId[token];
        int nameId = buffer.nameId[token];
        names.use(nameId);
        prefixes.use(prefixId);
        frame.pairField(field, prefixId == lastPrefixId ? 0 : prefixId, nameId == lastNameId + 1 ? 0 : nameId);
        lastPrefixId = prefixId;
        lastNameId = nameId;
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
            frame.varintField(3, buffer.nameId[token]);
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
        lastTerm[position] = term;
        if (buffer.kind[first] == TermBuffer.IRI) {
            lastPrefix[position] = prefixes.value(buffer.prefixId[first]);
            lastName[position] = names.value(buffer.nameId[first]);
            lastLength[position] = -1;
            return;
        }
        int start = buffer.start(first);
        int length = buffer.endOfTerm(first) - start;
        if (lastBytes[position].length < length) {
            lastBytes[position] = new byte[Math.max(length, 2 * lastBytes[position].length)];
        }
        System.arraycopy(buffer.bytes, start, lastBytes[position], 0, length);
        lastLength[position] = length;
        lastName[position] = null;
    }
}
