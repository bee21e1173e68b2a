package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the rows of a stream by their terms, and what those rest on: lookup entries, relative ids, repeated terms. The
 * same for both formats.
 *
 * <p>A row begins with {@link #begin}. Then its terms and strings, in the order of their fields: each is checked and
 * written into the row's content at once, and its lookup entries into the frame. {@link #take} puts the row behind them,
 * or asks for all of it once more. What an error leaves unfinished is taken back when the next row begins, so a row that
 * is refused leaves the stream as it was.
 *
 * @param <T> what a term is
 */
final class TermWriter<T> implements TermVisitor {
    /** How deep triple terms may be nested: what readers accept by default. */
    private static final int MAX_NESTING = 64;
    /** What a row may take beside its terms and strings, and each of those beside its text: keys, lengths, entries. */
    private static final int OVERHEAD = 64;

    static final int SUBJECT = TermPosition.SUBJECT.ordinal();
    static final int PREDICATE = TermPosition.PREDICATE.ordinal();
    static final int OBJECT = TermPosition.OBJECT.ordinal();
    static final int GRAPH = TermPosition.GRAPH.ordinal();
    static final int HEADER_VALUE = TermPosition.HEADER_VALUE.ordinal();
    static final int NAMESPACE = TermPosition.NAMESPACE.ordinal();
    private static final TermPosition[] POSITIONS = TermPosition.values();

    /** An id that was used last, where readers may have any: none is equal to it or comes after it. */
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
    /** The row fields of name, prefix and datatype entries are this and the two after it. */
    private final int firstEntryField;
    private final Runnable startRestart;

    private final WriteLookup names;
    private final WriteLookup prefixes;
    private final WriteLookup datatypes;
    private final KnownIris known;

    /** The ids that were used last, in this row too, */
    private int lastPrefixId;
    private int lastNameId;
    /** and before it. */
    private int prefixIdBefore;
    private int nameIdBefore;

    /** The row in the making. */
    private final WireWriter content = new WireWriter(1 << 8);
    /** Whether a row is in the making, or was refused. */
    private boolean unfinished;
    /** Whether this pass is to find out what the row takes in a restart point. */
    private boolean measures;
    /** What the row's terms may take at the most, with all their strings. */
    private long bound;
    /** Whether IRIs are written without prefixes, since those of the row don't fit into their table at once. */
    private boolean wholeNames;
    /** Whether this pass found that out, and is in vain. */
    private boolean inVain;

    /** What is being shown: the position of the term, the first field of its oneof, whether it is written in full; */
    private int position;
    private int field;
    private boolean inFull;
    /** whether anything came; */
    private boolean shown;
    /** the triple terms around it: of each, the mark of its message, its position and its field. */
    private int depth;
    private final int[] marks = new int[MAX_NESTING];
    private final int[] positions = new int[MAX_NESTING];
    private final int[] fields = new int[MAX_NESTING];

    /** What {@code iriAgain} was asked last and did not know: the object, or the text. */
    private Object askedKey;
    private byte[] askedText;
    private int askedHash;

    private final RepeatedTerms<T> repeated;

    /** @param startRestart begins the frame of a restart point, options included */
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
     * Forgets all that came before, as if the stream began here; but readers that do not know of it may not have
     * forgotten, so what follows says each first id.
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

    /** Takes back what a refused row left. */
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

    /** @param mayRestart whether the row may begin a restart point, if one is due */
    void begin(boolean mayRestart) {
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
        content.truncate(0);
        bound = 0;
        inVain = false;
        repeated.beginRow();
    }

    /**
     * Takes the row that was shown.
     *
     * @param rowField what kind of row it is
     * @return false when all of it is to be shown once more
     */
    boolean take(int rowField) {
        if (inVain || measures) {
            anotherPass();
            return false;
        }
        out.row(rowField, content);
        if (!out.take()) {
            throw noRoom(content.size());
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

    /** A string field; protobuf leaves out an empty one. */
    void string(int stringField, byte[] value) {
        room(value.length);
        if (value.length > 0) {
            content.bytesField(stringField, value, 0, value.length);
        }
    }

    /** @throws FormatException the prefix has a colon, a space or another character that no prefix can have */
    void checkPrefixName(byte[] name) {
        int fault = PrefixNames.firstFault(name);
        if (fault >= 0) {
            throw site.error(Rule.PREFIX_NAME, PrefixNames.describeFault(name, fault), PrefixNames.ADVICE);
        }
    }

    void triple(T subject, T predicate, T object) {
        term(SUBJECT, subject, fieldOf(SUBJECT));
        term(PREDICATE, predicate, fieldOf(PREDICATE));
        term(OBJECT, object, fieldOf(OBJECT));
    }

    /**
     * The graph of a row; the default graph has a field of its own (P-38).
     *
     * @param firstField the first of the four fields of its oneof
     */
    void graph(T graph, int firstField) {
        if (terms.isDefaultGraph(graph)) {
            defaultGraph(firstField, false);
        } else {
            term(GRAPH, graph, firstField);
        }
    }

    /** As {@link #graph}, but written in full. */
    void wholeGraph(T graph, int firstField) {
        if (terms.isDefaultGraph(graph)) {
            defaultGraph(firstField, true);
        } else {
            wholeTerm(GRAPH, graph, firstField);
        }
    }

    private void defaultGraph(int firstField, boolean whole) {
        show(GRAPH, firstField, whole);
        int from = content.size();
        content.emptyMessageField(firstField + 2);
        endTerm(from, RepeatedTerms.IS_DEFAULT_GRAPH);
    }

    boolean isDefaultGraph(T graph) {
        return terms.isDefaultGraph(graph);
    }

    /** A term that is written in full, whatever came before. */
    void wholeTerm(int termPosition, T term, int firstField) {
        show(termPosition, firstField, true);
        if (term == null) {
            throw site.error(termPosition == HEADER_VALUE ? Rule.HEADER_VALUE_SET : Rule.TERM_SET,
                    "no " + POSITIONS[termPosition], "give the term");
        }
        visit(term);
    }

    /** A term that a later row may repeat, or that repeats one. */
    private void term(int termPosition, T term, int firstField) {
        if (measures || term == null) {
            wholeTerm(termPosition, term, firstField);
        } else if (!repeated.isSame(termPosition, term)) {
            show(termPosition, firstField, false);
            visit(term);
        }
    }

    private void show(int termPosition, int firstField, boolean whole) {
        position = termPosition;
        field = firstField;
        inFull = whole;
        depth = 0;
    }

    private void visit(T term) {
        int termPosition = position;
        shown = false;
        askedText = null;
        askedKey = null;
        try {
            terms.visit(term, this);
        } catch (IllegalArgumentException e) {
            throw site.error(Rule.RDF_TERM, "no RDF term as " + POSITIONS[termPosition] + ": " + e.getMessage(),
                    "correct the term");
        }
        if (!shown) {
            throw new IllegalStateException("the source of terms shows nothing of " + term);
        }
    }

    /** The first field of a position's oneof, in RdfQuad and RdfTriple. */
    private static int fieldOf(int termPosition) {
        return 1 + 4 * termPosition;
    }

    // --- the terms

    @Override
    public void iri(byte[] iri, int offset, int length) {
        // Only what was asked for may become known: unescaped text may look like an IRI that nobody may write.
        boolean asked = iri == askedText && offset == 1 && length == iri.length - 2;
        shown = true;
        bound += length + OVERHEAD;
        int split = wholeNames ? offset : split(iri, offset, length);
        int prefixLength = split - offset;
        int nameLength = length - prefixLength;
        int prefixHash = WriteLookup.hash(iri, offset, prefixLength);
        int nameHash = WriteLookup.hash(iri, split, nameLength);
        int prefixId = prefixes.find(iri, offset, prefixLength, prefixHash);
        int nameId = names.find(iri, split, nameLength, nameHash);
        // What has an entry was checked when it got it. A name that stands alone may have got it behind a prefix.
        if (prefixId == 0 || nameId == 0 || prefixLength == 0) {
            // Text that was asked for is shown as it is, so its source has found all of its characters right.
            check(asked ? rules.startFault(iri, offset, length) : rules.iriFault(iri, offset, length));
        }
        if (prefixLength == 0 && lastPrefixId == 0) {
            prefixId = 0; // before any prefix was used, none is needed to have none; afterwards it takes an entry "" (P-68)
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
            throw noEntry("names", "maxNameTableSize", names);
        }
        if (prefixId != 0 || prefixes.size() == 0) {
            if (asked) {
                known.put(iri, askedHash, prefixId, nameId);
            } else if (askedKey != null) {
                known.put(askedKey, prefixId, nameId);
            }
        }
        askedKey = null;
        putIri(prefixId, nameId);
    }

    /** Where the name of an IRI begins: after its last {@code #} or {@code /}. */
    private static int split(byte[] iri, int offset, int length) {
        int at = offset + length;
        while (at > offset && iri[at - 1] != '#' && iri[at - 1] != '/') {
            at--;
        }
        return at;
    }

    @Override
    public boolean iriAgain(byte[] text) {
        if (wholeNames && prefixes.size() > 0) {
            return false;
        }
        int hash = KnownIris.hash(text);
        int found = known.find(text, hash);
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
    public boolean iriAgain(Object key) {
        // A row that is measured needs all texts.
        if (measures || wholeNames && prefixes.size() > 0) {
            return false;
        }
        int found = known.find(key);
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
        long numbers = (long) prefixes.serial(prefixId) << Integer.SIZE | names.serial(nameId) & 0xFFFF_FFFFL;
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
        room(length);
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
        check(rules.languageTagFault(lang, langOffset, langLength));
        int from = content.size();
        int message = beginLiteral(lex, offset, length);
        room(langLength);
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
            throw site.error(Rule.DATATYPE_TABLE_UNUSED, "a literal with a datatype, where maxDatatypeTableSize is 0",
                    "raise maxDatatypeTableSize");
        }
        int hash = WriteLookup.hash(datatype, dtOffset, dtLength);
        int id = datatypes.find(datatype, dtOffset, dtLength, hash);
        if (id == 0) {
            check(rules.datatypeFault(datatype, dtOffset, dtLength));
            id = newEntry(datatypes, firstEntryField + 2, datatype, dtOffset, dtLength, hash);
        }
        if (id == 0) {
            throw noEntry("datatypes", "maxDatatypeTableSize", datatypes);
        }
        bound += dtLength + OVERHEAD;
        content.varintField(3, id);
        content.endMessage(message);
        endTerm(from, RepeatedTerms.NO_IRI | datatypes.serial(id) & 0xFFFF_FFFFL);
    }

    /** Begins the message of a literal, with its text. */
    private int beginLiteral(byte[] lex, int offset, int length) {
        shown = true;
        if (!POSITIONS[position].takesLiteral()) {
            refuseUnlessGeneralized(" that is a literal");
        }
        room(length);
        int message = content.beginMessage(field + 2 + (position == GRAPH ? 1 : 0));
        if (length > 0) {
            content.bytesField(1, lex, offset, length);
        }
        return message;
    }

    private void check(RdfTerms.Fault fault) {
        if (fault != null) {
            throw site.error(Rule.RDF_TERM, "no RDF term as " + POSITIONS[position] + ": " + fault.found(), fault.advice());
        }
    }

    private void refuseUnlessGeneralized(String what) {
        if (position == NAMESPACE) {
            throw site.error(Rule.NAMESPACE_SET, "a namespace that is not an IRI", "give the namespace's IRI");
        }
        if (!generalized) {
            throw site.error(Rule.GENERALIZED_ANNOUNCED, "a " + POSITIONS[position] + what
                    + ", where the options rule out generalized statements",
                    "correct it, or set generalizedStatements=true");
        }
    }

    @Override
    public void startTriple() {
        shown = true;
        if (position == GRAPH) {
            throw site.error(Rule.GRAPH_NODE, "a quoted triple as graph", "name the graph by an IRI or a blank node");
        }
        if (!star && position != NAMESPACE) {
            throw site.error(Rule.STAR_ANNOUNCED, "a quoted triple, where the options rule them out", "set rdfStar=true");
        }
        if (!POSITIONS[position].takesTripleTerm()) {
            refuseUnlessGeneralized(" that is not an IRI");
        }
        if (depth == MAX_NESTING) {
            throw site.error(Rule.NESTING, "triple terms nested deeper than " + MAX_NESTING,
                    "readers refuse them; flatten the term");
        }
        room(0);
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

    /** Ends a term that was written from {@code from} on. Not within another, it is dropped where it is repeated. */
    private void endTerm(int from, long numbers) {
        if (depth > 0) {
            position++;
            field = fieldOf(position);
        } else if (position < RepeatedTerms.POSITIONS) {
            if (inFull) {
                repeated.takeWhole(position, from, numbers);
            } else {
                repeated.take(position, from, numbers);
            }
        }
    }

    // --- entries and room

    /** Gives a string an entry in the frame; 0 when the row uses the whole table. */
    private int newEntry(WriteLookup lookup, int entryField, byte[] bytes, int offset, int length, int hash) {
        room(length);
        int id = lookup.add(bytes, offset, length, hash);
        if (lookup.bytes() > ReadOptions.DEFAULT.maxTableBytes()) {
            throw site.error(Rule.LIMIT, "IRIs so long that the entries of a lookup take " + lookup.bytes()
                    + " bytes, more than the " + ReadOptions.DEFAULT.maxTableBytes() + " that are read", "ask for smaller lookups");
        }
        if (id != 0) {
            int row = out.beginRow();
            int message = frame.beginMessage(entryField);
            frame.varintField(1, lookup.entryId(id));
            if (length > 0) {
                frame.bytesField(2, bytes, offset, length);
            }
            frame.endMessage(message);
            out.endRow(row);
        }
        return id;
    }

    private FormatException noEntry(String what, String option, WriteLookup lookup) {
        return site.error(Rule.ENTRIES_OF_A_ROW,
                "a row of more different " + what + " than " + option + ", which is " + lookup.size(), "raise " + option);
    }

    /** Checks that so many bytes more can fit at all, before they are copied. */
    private void room(int bytes) {
        bound += bytes + OVERHEAD;
        if (!out.mayFit((long) content.size() + bytes)) {
            throw noRoom((long) content.size() + bytes);
        }
    }

    private FormatException noRoom(long bytes) {
        return site.error(Rule.FRAME_SIZE, "a row of at least " + out.noRoomFound(bytes), out.noRoomAdvice());
    }

    // --- keeping for repeats

    /** To be called with the terms of a row that was taken. */
    void rememberTriple(T subject, T predicate, T object) {
        repeated.remember(SUBJECT, subject);
        repeated.remember(PREDICATE, predicate);
        repeated.remember(OBJECT, object);
    }

    /** See {@link #rememberTriple}. */
    void rememberGraph(T graph) {
        repeated.remember(GRAPH, graph);
    }
}
