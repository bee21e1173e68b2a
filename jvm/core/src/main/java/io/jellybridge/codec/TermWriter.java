package io.jellybridge.codec;

import io.jellybridge.wire.Utf8;
import io.jellybridge.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the rows of a stream from their terms, with lookup entries, relative ids and repeated terms. Both formats share it.
 *
 * <p>{@link #beginFrame} begins a row. Its terms and strings follow in the order of their fields. Each is checked and written to the
 * row's content at once, and its lookup entries to the frame. {@link #takeId} appends the row after its entries, or demands that
 * the whole row is shown again. An error leaves an unfinished row, which the next row removes, so a rejected row does not
 * change the stream.
 * @param <T> the type of a term
 */
final class TermWriter<T> implements TermVisitor {
    /** The depth limit of nested triple terms that readers have by default. */
    private static final int MAX_NESTING = 64;
    /**
     * An upper bound for the size of a row without its terms and strings, and for each of these without its text: keys,
     * lengths, entries.
     */
    private static final int OVERHEAD = 64;
    private static final int MAX_TABLE_BYTES = ReadOptions.DEFAULT.maxTableBytes();
    /** What a lookup keeps of long strings, so that readers with less memory than this writer take the stream. */
    private static final int KEPT_TABLE_BYTES = ReadOptions.SMALLEST_TABLE_BYTES;

    static final int SUBJECT = TermPosition.SUBJECT.ordinal();
    static final int PREDICATE = TermPosition.PREDICATE.ordinal();
    static final int OBJECT = TermPosition.OBJECT.ordinal();
    static final int GRAPH = TermPosition.GRAPH.ordinal();
    static final int HEADER_VALUE = TermPosition.HEADER_VALUE.ordinal();
    static final int NAMESPACE = TermPosition.NAMESPACE.ordinal();
    private static final TermPosition[] POSITIONS = TermPosition.values();

    /** A last id for readers that may have any last id. No id equals or follows it. */
    private static final int UNKNOWN = -2;
    private static final byte[] XSD_STRING =
            "http://www.w3.org/2001/XMLSchema#string".getBytes(StandardCharsets.US_ASCII);

    private final FrameWriter out;
    private final WireWriter frame;
    private final TermSource<T> terms;
    private final ErrorSite site;
    private final boolean generalized;
    private final boolean star;
    private final TermRules rules;
    /** The row field of name entries. Prefix and datatype entries have the next two. */
    private final int firstEntryField;
    private final Runnable startRestart;

    private final WriteLookup names;
    private final WriteLookup prefixes;
    private final WriteLookup datatypes;
    private final KnownIris known;

    /** The last ids, including those of this row. */
    private int lastPrefixId;
    private int lastNameId;
    /** The last ids before this row. */
    private int prefixIdBefore;
    private int nameIdBefore;

    /** The current row. */
    private final WireWriter content = new WireWriter(1 << 8);
    /** True if a row was begun and is not complete, or was rejected. */
    private boolean unfinished;
    /** True if this pass measures the size of the row in a restart point. */
    private boolean measures;
    /** An upper bound for the size of the row's terms, with all their strings. */
    private long bound;
    /** True if IRIs are written without prefixes, since the prefixes of the row do not fit into the table together. */
    private boolean wholeNames;
    /** True if this pass found that out and must be repeated. */
    private boolean inVain;

    /** The term that is being shown: its position, the first field of its oneof, and whether it is written in full. */
    private int position;
    private int field;
    private boolean inFull;
    /** True if any part of it was shown. */
    private boolean shown;
    /** The triple terms around it, with the mark of the message, the position and the field of each. */
    private int depth;
    private final int[] marks = new int[MAX_NESTING];
    private final int[] positions = new int[MAX_NESTING];
    private final int[] fields = new int[MAX_NESTING];

    /** The last key or text of {@code visitKnownIri} that was unknown. */
    private Object askedKey;
    private byte[] askedText;
    private int askedHash;

    private final RepeatedTerms<T> repeated;

    /**
     * Creates a writer.
     *
     * @param startRestart begins the frame of a restart point, with its options
     */
    TermWriter(FrameWriter out, TermSource<T> terms, ErrorSite site, boolean generalized, boolean star, TermRules rules,
            int names, int prefixes, int datatypes, int firstEntryField, Runnable startRestart) {
        this.out = out;
        this.frame = out.frame;
        this.terms = terms;
        this.site = site;
        this.generalized = generalized;
        this.star = star;
        this.rules = rules;
        this.firstEntryField = firstEntryField;
        this.names = new WriteLookup(names);
        this.prefixes = new WriteLookup(prefixes);
        this.datatypes = new WriteLookup(datatypes);
        this.known = new KnownIris(this.prefixes, this.names);
        this.startRestart = startRestart;
        this.repeated = new RepeatedTerms<>(terms, content);
    }

    /**
     * Clears all state, as if the stream began here. Readers that came from before may still have their state, so the next ids
     * are written in full.
     */
    void forget() {
        names.forget();
        prefixes.forget();
        datatypes.forget();
        lastPrefixId = prefixes.size() > 0 ? UNKNOWN : 0;
        lastNameId = UNKNOWN;
        repeated.forget();
    }

    // --- a row

    /** Removes the rest of a rejected row. */
    void rewind() {
        if (unfinished) {
            unfinished = false;
            out.rewind();
            names.rewind();
            prefixes.rewind();
            datatypes.rewind();
            lastPrefixId = prefixIdBefore;
            lastNameId = nameIdBefore;
        }
    }

    /**
     * Begins a row.
     *
     * @param mayRestart true if the row may begin a restart point, if one is due
     */
    void beginFrame(boolean mayRestart) {
        rewind();
        measures = mayRestart && out.restartIsDue();
        wholeNames = prefixes.size() == 0;
        beginPass();
    }

    private void beginPass() {
        unfinished = true;
        names.beginRow();
        prefixes.beginRow();
        datatypes.beginRow();
        prefixIdBefore = lastPrefixId;
        nameIdBefore = lastNameId;
        content.truncateTo(0);
        bound = 0;
        inVain = false;
        repeated.beginRow();
    }

    /**
     * Accepts the row.
     *
     * @param rowField the field of the row's kind
     * @return false if the whole row must be shown again
     */
    boolean takeId(int rowField) {
        if (inVain || measures) {
            anotherPass();
            return false;
        }
        out.row(rowField, content);
        if (!out.take()) {
            throw noRoomError(content.size());
        }
        unfinished = false;
        return true;
    }

    private void anotherPass() {
        boolean measured = !inVain;
        rewind();
        if (measured) {
            measures = false;
            if (out.fitsAfterRestart(bound + OVERHEAD)) {
                startRestart.run();
                forget();
            }
        }
        beginPass();
    }

    /**
     * Writes a string field. As protobuf does, it leaves out an empty string.
     *
     * @throws FormatException the bytes are not UTF-8
     */
    void writeString(int stringField, byte[] value) {
        if (Utf8.firstInvalid(value, 0, value.length) >= 0) {
            throw site.newError(Rule.WHOLE_BYTES, "bytes that are not UTF-8", "write text that is valid Unicode");
        }
        ensureRoom(value.length);
        if (value.length > 0) {
            content.bytesField(stringField, value, 0, value.length);
        }
    }

    /**
     * Checks the characters of a prefix.
     *
     * @throws FormatException the prefix has a colon, a space or another character that no prefix can have
     */
    void checkPrefixName(byte[] name) {
        RdfTerms.Fault fault = RdfTerms.prefixFault(name);
        if (fault != null) {
            throw site.newError(Rule.PREFIX_NAME, fault.found(), fault.advice());
        }
    }

    void writeTriple(T subject, T predicate, T object) {
        writeTerm(SUBJECT, subject, fieldOf(SUBJECT));
        writeTerm(PREDICATE, predicate, fieldOf(PREDICATE));
        writeTerm(OBJECT, object, fieldOf(OBJECT));
    }

    /**
     * Writes the graph of a row. The default graph has a field of its own (P-38).
     *
     * @param firstField the first of the four fields of its oneof
     */
    void writeGraph(T graph, int firstField) {
        if (terms.isDefaultGraph(graph)) {
            defaultGraph(firstField, false);
        } else {
            writeTerm(GRAPH, graph, firstField);
        }
    }

    /** Writes a graph as {@link #writeGraph} does, but always in full. */
    void wholeGraph(T graph, int firstField) {
        if (terms.isDefaultGraph(graph)) {
            defaultGraph(firstField, true);
        } else {
            wholeTerm(GRAPH, graph, firstField);
        }
    }

    private void defaultGraph(int firstField, boolean whole) {
        showTerm(GRAPH, firstField, whole);
        int from = content.size();
        content.emptyMessageField(firstField + 2);
        endTerm(from, RepeatedTerms.IS_DEFAULT_GRAPH);
    }

    boolean isDefaultGraph(T graph) {
        return terms.isDefaultGraph(graph);
    }

    /** Writes a term in full, even if it is repeated. */
    void wholeTerm(int termPosition, T term, int firstField) {
        showTerm(termPosition, firstField, true);
        if (term == null) {
            throw site.newError(termPosition == HEADER_VALUE ? Rule.HEADER_VALUE_SET : Rule.TERM_SET,
                    "no " + POSITIONS[termPosition], "give the term");
        }
        visitTerm(term);
    }

    /** Writes a term that may repeat the term of an earlier row, and that a later row may repeat. */
    private void writeTerm(int termPosition, T term, int firstField) {
        if (measures || term == null) {
            wholeTerm(termPosition, term, firstField);
        } else if (!repeated.isSame(termPosition, term)) {
            showTerm(termPosition, firstField, false);
            visitTerm(term);
        }
    }

    private void showTerm(int termPosition, int firstField, boolean whole) {
        position = termPosition;
        field = firstField;
        inFull = whole;
        depth = 0;
    }

    private void visitTerm(T term) {
        int termPosition = position;
        shown = false;
        askedText = null;
        askedKey = null;
        try {
            terms.visit(term, this);
        } catch (IllegalArgumentException e) {
            throw site.newError(Rule.RDF_TERM, "no RDF term as " + POSITIONS[termPosition] + ": " + e.getMessage(),
                    "correct the term");
        }
        if (!shown) {
            throw new IllegalStateException("the source of terms shows nothing of " + term);
        }
    }

    /** Returns the first field of a position's oneof, in RdfQuad and RdfTriple. */
    private static int fieldOf(int termPosition) {
        return 1 + 4 * termPosition;
    }

    // --- the terms

    @Override
    public void iri(byte[] iri, int offset, int length) {
        // Only an IRI after visitKnownIri may become known, since other text may look like an IRI that is not allowed.
        boolean asked = iri == askedText && offset == 1 && length == iri.length - 2;
        shown = true;
        bound += length + OVERHEAD;
        int split = wholeNames ? offset : splitIri(iri, offset, length);
        int prefixLength = split - offset;
        int nameLength = length - prefixLength;
        int prefixHash = WriteLookup.hashOf(iri, offset, prefixLength);
        int nameHash = WriteLookup.hashOf(iri, split, nameLength);
        int prefixId = prefixes.findString(iri, offset, prefixLength, prefixHash);
        int nameId = names.findString(iri, split, nameLength, nameHash);
        // An existing entry was checked when it was added. A name without a prefix may have been added after a prefix.
        if (prefixId == 0 || nameId == 0 || prefixLength == 0) {
            // After visitKnownIri the text is shown unchanged, so its source has checked all its characters.
            checkFault(asked ? rules.iriStartFault(iri, offset, length) : rules.iriFault(iri, offset, length));
        }
        if (prefixLength == 0 && lastPrefixId == 0) {
            prefixId = 0; // before the first prefix, an IRI without one needs no entry; afterwards it needs the entry "" (P-68)
        } else if (prefixId == 0 && !inVain) {
            prefixId = newEntry(prefixes, firstEntryField + 1, iri, offset, prefixLength, prefixHash);
            inVain = prefixId == 0;
            wholeNames |= inVain;
        }
        if (inVain) {
            endTerm(content.size(), RepeatedTerms.NOT_COMPARED);
            return;
        }
        if (nameId == 0) {
            nameId = newEntry(names, firstEntryField, iri, split, nameLength, nameHash);
        }
        if (nameId == 0) {
            throw noEntryError("maxNameTableSize", "names", names);
        }
        if (prefixId != 0 || prefixes.size() == 0) {
            if (asked) {
                known.putIri(iri, askedHash, prefixId, nameId);
            } else if (askedKey != null) {
                known.putIri(askedKey, prefixId, nameId);
            }
        }
        askedKey = null;
        putIri(prefixId, nameId);
    }

    /** Returns the start of the name of an IRI: after its last {@code #} or {@code /}. */
    private static int splitIri(byte[] iri, int offset, int length) {
        int at = offset + length;
        while (at > offset && iri[at - 1] != '#' && iri[at - 1] != '/') {
            at--;
        }
        return at;
    }

    @Override
    public boolean visitKnownIri(byte[] text) {
        if (wholeNames && prefixes.size() > 0) {
            return false;
        }
        int hash = KnownIris.hashOf(text);
        int found = known.findIri(text, hash);
        if (found < 0) {
            askedText = text;
            askedHash = hash;
            return false;
        }
        bound += text.length + OVERHEAD;
        putKnown(found);
        return true;
    }

    @Override
    public boolean visitKnownIri(Object key) {
        // A row that is measured needs all texts.
        if (measures || wholeNames && prefixes.size() > 0) {
            return false;
        }
        int found = known.findIri(key);
        if (found < 0) {
            askedKey = key;
            return false;
        }
        putKnown(found);
        return true;
    }

    private void putKnown(int found) {
        shown = true;
        putIri(known.prefixId(found), known.nameId(found));
    }

    private void putIri(int prefixId, int nameId) {
        names.use(nameId);
        prefixes.use(prefixId);
        long numbers = (long) prefixes.serialOf(prefixId) << Integer.SIZE | names.serialOf(nameId) & 0xFFFF_FFFFL;
        if (depth == 0 && !inFull && repeated.isSame(position, numbers)) {
            return;
        }
        int from = content.size();
        content.pairField(field, prefixId == lastPrefixId ? 0 : prefixId, nameId == lastNameId + 1 ? 0 : nameId);
        lastPrefixId = prefixId;
        lastNameId = nameId;
        endTerm(from, numbers);
    }

    @Override
    public void blankNode(byte[] label, int offset, int length) {
        shown = true;
        if (!POSITIONS[position].takesBlankNode()) {
            refuseUnlessGeneralized(" that is not an IRI");
        }
        ensureRoom(length);
        int from = content.size();
        content.bytesField(field + 1, label, offset, length);
        endTerm(from, RepeatedTerms.NO_IRI);
    }

    @Override
    public void literal(byte[] lex, int offset, int length) {
        int from = content.size();
        int message = beginLiteral(lex, offset, length);
        content.endMessage(message);
        endTerm(from, RepeatedTerms.NO_IRI);
    }

    @Override
    public void langLiteral(byte[] lex, int offset, int length, byte[] lang, int langOffset, int langLength) {
        checkFault(rules.languageTagFault(lang, langOffset, langLength));
        int from = content.size();
        int message = beginLiteral(lex, offset, length);
        ensureRoom(langLength);
        content.bytesField(2, lang, langOffset, langLength);
        content.endMessage(message);
        endTerm(from, RepeatedTerms.NO_IRI);
    }

    @Override
    public void typedLiteral(byte[] lex, int offset, int length, byte[] datatype, int dtOffset, int dtLength) {
        if (Arrays.equals(XSD_STRING, 0, XSD_STRING.length, datatype, dtOffset, dtOffset + dtLength)) {
            literal(lex, offset, length);
            return;
        }
        int from = content.size();
        int message = beginLiteral(lex, offset, length);
        if (datatypes.size() == 0) {
            throw site.newError(Rule.DATATYPE_TABLE_UNUSED, "a literal with a datatype, where maxDatatypeTableSize is 0",
                    "raise maxDatatypeTableSize");
        }
        int hash = WriteLookup.hashOf(datatype, dtOffset, dtLength);
        int id = datatypes.findString(datatype, dtOffset, dtLength, hash);
        if (id == 0) {
            checkFault(rules.datatypeFault(datatype, dtOffset, dtLength));
            id = newEntry(datatypes, firstEntryField + 2, datatype, dtOffset, dtLength, hash);
        }
        if (id == 0) {
            throw noEntryError("maxDatatypeTableSize", "datatypes", datatypes);
        }
        bound += dtLength + OVERHEAD;
        content.varintField(3, id);
        content.endMessage(message);
        endTerm(from, RepeatedTerms.NO_IRI | datatypes.serialOf(id) & 0xFFFF_FFFFL);
    }

    /** Begins the message of a literal, with its text. */
    private int beginLiteral(byte[] lex, int offset, int length) {
        shown = true;
        if (!POSITIONS[position].takesLiteral()) {
            refuseUnlessGeneralized(" that is a literal");
        }
        ensureRoom(length);
        int message = content.beginMessage(field + 2 + (position == GRAPH ? 1 : 0));
        if (length > 0) {
            content.bytesField(1, lex, offset, length);
        }
        return message;
    }

    private void checkFault(RdfTerms.Fault fault) {
        if (fault != null) {
            throw site.newError(Rule.RDF_TERM, "no RDF term as " + POSITIONS[position] + ": " + fault.found(), fault.advice());
        }
    }

    private void refuseUnlessGeneralized(String what) {
        if (position == NAMESPACE) {
            throw site.newError(Rule.NAMESPACE_SET, "a namespace that is not an IRI", "give the namespace's IRI");
        }
        if (!generalized) {
            throw site.newError(Rule.GENERALIZED_ANNOUNCED, "a " + POSITIONS[position] + what
                    + ", where the options rule out generalized statements",
                    "correct it, or set generalizedStatements=true");
        }
    }

    @Override
    public void startTriple() {
        shown = true;
        if (position == GRAPH) {
            throw site.newError(Rule.GRAPH_NODE, "a quoted triple as graph", "name the graph by an IRI or a blank node");
        }
        if (!star && position != NAMESPACE) {
            throw site.newError(Rule.STAR_ANNOUNCED, "a quoted triple, where the options rule them out", "set rdfStar=true");
        }
        if (!POSITIONS[position].takesTripleTerm()) {
            refuseUnlessGeneralized(" that is not an IRI");
        }
        if (depth == MAX_NESTING) {
            throw site.newError(Rule.NESTING, "triple terms nested deeper than " + MAX_NESTING,
                    "readers refuse them; flatten the term");
        }
        ensureRoom(0);
        marks[depth] = content.beginMessage(field + 3);
        positions[depth] = position;
        fields[depth] = field;
        depth++;
        position = SUBJECT;
        field = fieldOf(SUBJECT);
    }

    @Override
    public void endTriple() {
        depth--;
        int message = marks[depth];
        position = positions[depth];
        field = fields[depth];
        content.endMessage(message);
        endTerm(message, RepeatedTerms.NOT_COMPARED);
    }

    /** Ends a term that was written from {@code from} on. If it is not within another term and is repeated, it is removed. */
    private void endTerm(int from, long numbers) {
        if (depth > 0) {
            position++;
            field = fieldOf(position);
        } else if (position < RepeatedTerms.POSITIONS) {
            if (inFull) {
                repeated.takeWhole(position, from, numbers);
            } else {
                repeated.takeTerm(position, from, numbers);
            }
        }
    }

    // --- entries and room

    /** Adds an entry for a string to the frame. Returns 0 if the row uses the whole table. */
    private int newEntry(WriteLookup lookup, int entryField, byte[] bytes, int offset, int length, int hash) {
        ensureRoom(length);
        int id = lookup.addString(bytes, offset, length, hash);
        if (lookup.bytes() > KEPT_TABLE_BYTES) {
            makeRoom(lookup, entryField);
        }
        if (id != 0) {
            writeEntry(entryField, lookup.entryId(id), bytes, offset, length);
        }
        return id;
    }

    /** Empties long entries that the row does not use, until the rest and some more are within the limit of each reader. */
    private void makeRoom(WriteLookup lookup, int entryField) {
        int enough = KEPT_TABLE_BYTES - KEPT_TABLE_BYTES / 4;
        for (int length = lookup.averageLength(); length > 0 && lookup.bytes() > enough; length /= 2) {
            int id = lookup.emptyNext(0, length);
            while (id != 0) {
                writeEntry(entryField, lookup.entryId(id), WriteLookup.NO_BYTES, 0, 0);
                id = lookup.bytes() > enough ? lookup.emptyNext(id, length) : 0;
            }
        }
        if (lookup.bytes() > MAX_TABLE_BYTES) {
            throw site.newError(Rule.LIMIT, "a row of IRIs so long that their entries in a lookup take " + lookup.bytes()
                    + " bytes, more than the " + MAX_TABLE_BYTES + " that are read", "shorten them");
        }
    }

    private void writeEntry(int entryField, int id, byte[] bytes, int offset, int length) {
        int row = out.beginRow();
        int message = frame.beginMessage(entryField);
        frame.varintField(1, id);
        if (length > 0) {
            frame.bytesField(2, bytes, offset, length);
        }
        frame.endMessage(message);
        out.endRow(row);
    }

    private FormatException noEntryError(String option, String what, WriteLookup lookup) {
        return site.newError(Rule.ENTRIES_OF_A_ROW,
                "a row of more different " + what + " than " + option + ", which is " + lookup.size(), "raise " + option);
    }

    /** Checks that so many more bytes can fit at all, before they are copied. */
    private void ensureRoom(int bytes) {
        bound += bytes + OVERHEAD;
        if (!out.mayFit((long) content.size() + bytes)) {
            throw noRoomError((long) content.size() + bytes);
        }
    }

    private FormatException noRoomError(long bytes) {
        return site.newError(Rule.FRAME_SIZE, "a row of at least " + out.noRoomFound(bytes), out.noRoomAdvice());
    }

    // --- keeping for repeats

    /** Stores the terms of an accepted row, which later rows may repeat. */
    void rememberTriple(T subject, T predicate, T object) {
        repeated.rememberTerm(SUBJECT, subject);
        repeated.rememberTerm(PREDICATE, predicate);
        repeated.rememberTerm(OBJECT, object);
    }

    /** Stores the graph of an accepted row, which later rows may repeat. */
    void rememberGraph(T graph) {
        repeated.rememberTerm(GRAPH, graph);
    }
}
