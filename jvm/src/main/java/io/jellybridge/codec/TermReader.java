package io.jellybridge.codec;

import io.jellybridge.wire.Utf8;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the terms of a stream's rows, and what they rest on: lookup entries, relative ids, repeated terms. The same for
 * both formats.
 *
 * <p>A method that reads a message takes all bytes up to the bound of the {@link WireReader}; where the bound is
 * afterwards is the caller's to set.
 *
 * @param <T> what a term is
 */
final class TermReader<T> {
    static final int SUBJECT = 0;
    static final int PREDICATE = 1;
    static final int OBJECT = 2;
    static final int GRAPH = 3;

    // The members of a position's oneof, in their order: fields 1 to 4 are the subject's, 5 to 8 the predicate's, ...
    static final int IRI = 0;
    static final int BLANK_NODE = 1;
    static final int LITERAL = 2;
    static final int TRIPLE_TERM = 3;
    // ... but a graph's are these.
    private static final int GRAPH_DEFAULT = 2;
    private static final int GRAPH_LITERAL = 3;

    private static final int POSITIONS = 4;
    /** The smallest key of a field that is a string or a message: that of field 1. */
    private static final int FIRST_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
    private static final int PREFIX_ID = 1 << 3 | WireReader.VARINT;
    private static final int NAME_ID = 2 << 3 | WireReader.VARINT;
    private static final String[] POSITION_NAMES = {"subject", "predicate", "object", "graph"};
    private static final byte[] NO_BYTES = new byte[0];

    private final WireReader wire;
    private final TermFactory<T> terms;
    private final ReadOptions limits;
    private final Place place;
    private final Tolerance tolerance;
    private final boolean generalized;
    private final boolean star;
    private final IriReader<T> iris;
    private final ReadLookup<T> datatypes;

    /** When the term of a position is made: as its row is read, when it is asked for, or never. */
    private enum Making { AT_ONCE, WHEN_ASKED, NEVER }

    private final Object[] repeated = new Object[POSITIONS];
    private final boolean[] seen = new boolean[POSITIONS];
    private final Making[] making = {Making.AT_ONCE, Making.AT_ONCE, Making.AT_ONCE, Making.AT_ONCE};
    /** For each level of nesting, where the terms of a statement are: member, start, end by position. */
    private int[] spans = new int[3 * POSITIONS * 4];
    /** Which positions the row has a term for: a bit for each. */
    private int found;

    // Terms that were read but not made yet: which positions (a bit for each), and what of, in the same form as spans or,
    // of an IRI, as name and prefix, since later rows may set their lookup entries anew.
    private int deferred;
    private final int[] deferredSpans = new int[3 * POSITIONS];
    private final Object[] deferredNames = new Object[POSITIONS];
    private final byte[][] deferredPrefixes = new byte[POSITIONS][];

    /** The lookup entry that {@link #readEntry} read. */
    private long entryId;
    private byte[] entryValue;

    /**
     * @param limits      nesting
     * @param tolerance   takes the broken MUSTs that reading can get over
     * @param generalized whether the stream's options announce generalized statements
     * @param star        whether they announce quoted triples
     */
    TermReader(WireReader wire, TermFactory<T> terms, ReadOptions limits, Place place, Tolerance tolerance,
            boolean generalized, boolean star, int names, int prefixes, int datatypes) {
        this.wire = wire;
        this.terms = terms;
        this.limits = limits;
        this.place = place;
        this.tolerance = tolerance;
        this.generalized = generalized;
        this.star = star;
        this.iris = new IriReader<>(terms, new ReadLookup<>("name", names, Rule.NAME_TABLE_SIZE, place),
                new ReadLookup<>("prefix", prefixes,
                        prefixes == 0 ? Rule.PREFIX_TABLE_UNUSED : Rule.PREFIX_TABLE_SIZE, place));
        this.datatypes = new ReadLookup<>("datatype", datatypes,
                datatypes == 0 ? Rule.DATATYPE_TABLE_UNUSED : Rule.DATATYPE_TABLE_SIZE, place);
    }

    /** Sets which terms are to be made: all others are null. */
    void select(Selection<T> selection) {
        making[SUBJECT] = making(selection, selection.subject(), false);
        making[PREDICATE] = making(selection, selection.predicate(), selection.statements() != null);
        making[OBJECT] = making(selection, selection.object(), false);
        making[GRAPH] = making(selection, selection.graph(), selection.statements() != null);
    }

    private Making making(Selection<T> selection, boolean wanted, boolean selectedBy) {
        if (limits.strict() || selectedBy || wanted && selection.takesAll()) {
            return Making.AT_ONCE;
        }
        return wanted ? Making.WHEN_ASKED : Making.NEVER;
    }

    /** Forgets all lookup entries and repeated terms. */
    void restart() {
        iris.clear();
        datatypes.clear();
        Arrays.fill(repeated, null);
        Arrays.fill(seen, false);
        deferred = 0;
    }

    /** Makes the terms that are not made yet but may be asked for: the bytes that they are in, or a datatype, change. */
    void settle() {
        while (deferred != 0) {
            term(Integer.numberOfTrailingZeros(deferred));
        }
    }

    // --- lookup entries

    void readName() {
        readEntry();
        iris.setName(entryId, entryValue);
    }

    void readPrefix() {
        readEntry();
        iris.setPrefix(entryId, entryValue);
    }

    void readDatatype() {
        settle();
        readEntry();
        datatypes.set(datatypes.idToSet(entryId), terms.iri(NO_BYTES, entryValue));
    }

    /** How names, prefixes and datatypes are used, in this order. */
    List<TableUse> tables() {
        return List.of(iris.nameUse(), iris.prefixUse(), datatypes.use());
    }

    private void readEntry() {
        entryId = 0;
        entryValue = NO_BYTES;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag == (1 << 3 | WireReader.VARINT)) {
                entryId = wire.uint32();
            } else if (tag == (2 << 3 | WireReader.LENGTH_DELIMITED)) {
                entryValue = readString(wire);
            } else {
                wire.skip(tag);
            }
        }
    }

    /** Reads a string field's value. */
    static byte[] readString(WireReader wire) {
        byte[] value = readBytes(wire);
        int invalid = Utf8.firstInvalid(value, 0, value.length);
        if (invalid >= 0) {
            throw notUtf8(wire.position() - value.length + invalid);
        }
        return value;
    }

    /** Reads a bytes field's value. */
    static byte[] readBytes(WireReader wire) {
        int length = wire.length();
        int start = wire.position();
        wire.skipBytes(length);
        return Arrays.copyOfRange(wire.bytes(), start, start + length);
    }

    // --- statements

    /**
     * Reads subject, predicate and object of a statement, and finds its graph, which {@link #readGraph} then reads.
     *
     * @param lastField 16 for {@code RdfQuad}, 12 for {@code RdfTriple}
     */
    void readStatement(int lastField) {
        found = findTerms(0, lastField);
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if ((found & 1 << position) != 0) {
                checkPosition(position, spans[3 * position]);
                read(position);
            } else if (!seen[position]) {
                throw place.error(Rule.TERM_SET, "a statement without " + POSITION_NAMES[position]
                        + ", and none before it to repeat", Advice.WRITER_BUG);
            }
        }
    }

    /** The term of the position in the last row that had one; null when it was not selected. */
    @SuppressWarnings("unchecked")
    T term(int position) {
        if ((deferred & 1 << position) != 0) {
            deferred &= ~(1 << position);
            repeated[position] = makeDeferred(position);
        }
        return (T) repeated[position];
    }

    /** Reads the term of a position that was found, and keeps it for repeats. */
    private void read(int position) {
        int index = 3 * position;
        int member = spans[index];
        int start = spans[index + 1];
        int end = spans[index + 2];
        seen[position] = true;
        if (member == IRI) {
            IriReader.Name<T> name = readIds(start, end);
            if (making[position] == Making.AT_ONCE) {
                repeated[position] = iris.iri(iris.prefix(), name);
            } else if (making[position] == Making.WHEN_ASKED) {
                deferred |= 1 << position;
                deferredSpans[index] = IRI;
                deferredNames[position] = name;
                deferredPrefixes[position] = iris.prefix();
            }
        } else if (making[position] == Making.AT_ONCE || member == TRIPLE_TERM && position != GRAPH) {
            // The ids in a triple term count for the IRIs after it, so it has to be read in its turn.
            wire.window(start, end);
            T term = position == GRAPH ? readGraphMember(member) : readMember(member, 0);
            deferred &= ~(1 << position);
            repeated[position] = making[position] == Making.NEVER ? null : term;
        } else if (making[position] == Making.WHEN_ASKED) {
            deferred |= 1 << position;
            System.arraycopy(spans, index, deferredSpans, index, 3);
        }
    }

    @SuppressWarnings("unchecked")
    private T makeDeferred(int position) {
        int index = 3 * position;
        int member = deferredSpans[index];
        if (member == IRI) {
            return iris.iri(deferredPrefixes[position], (IriReader.Name<T>) deferredNames[position]);
        }
        int before = wire.position();
        int limit = wire.limit();
        wire.window(deferredSpans[index + 1], deferredSpans[index + 2]);
        T term = position == GRAPH ? readGraphMember(member) : readMember(member, 0);
        wire.window(before, limit);
        return term;
    }

    /** Forgets where a graph was; for messages whose graph comes by {@link #foundGraph}. */
    void clearGraph() {
        found = 0;
    }

    /** Takes note of a graph field's value, from here; its member is the field's place in the oneof, from 0. */
    void foundGraph(int member) {
        int length = wire.length();
        setSpan(3 * GRAPH, member, wire.position(), length);
        wire.skipBytes(length);
        found |= 1 << GRAPH;
    }

    boolean hasGraph() {
        return (found & 1 << GRAPH) != 0;
    }

    /**
     * Reads the graph that was found, or repeats the last one (P-37, P-76).
     *
     * @param required the rule that a row without either breaks
     */
    void readGraph(Rule required) {
        if (hasGraph()) {
            read(GRAPH);
        } else if (!seen[GRAPH]) {
            throw place.error(required, "a row without graph, and none before it to repeat", Advice.WRITER_BUG);
        }
    }

    /** Reads the graph that was found, without keeping it for repeats; its ids count all the same. */
    T readFoundGraph() {
        wire.window(spans[3 * GRAPH + 1], spans[3 * GRAPH + 2]);
        return readGraphMember(spans[3 * GRAPH]);
    }

    private T readGraphMember(int member) {
        switch (member) {
            case GRAPH_DEFAULT:
                skipMessage();
                return terms.defaultGraph();
            case GRAPH_LITERAL:
                checkGeneralized("a literal as graph");
                return readLiteral();
            default:
                return readMember(member, 0);
        }
    }

    /** Reads a term whose message or string is all up to the bound. */
    T readTerm(int member) {
        return readMember(member, 0);
    }

    /**
     * Finds the terms of a statement or triple term without reading them: on the wire they may come in any order, but
     * their ids count as subject, predicate, object, graph (P-79). Of two members of a oneof the last counts.
     *
     * @param base where in {@link #spans} the positions of this level begin
     * @return which positions have a term: a bit for each
     */
    private int findTerms(int base, int lastField) {
        byte[] bytes = wire.bytes();
        int at = wire.position();
        int end = wire.limit();
        int positions = 0;
        while (at < end) {
            int tag = bytes[at];
            int field;
            int length;
            if (at + 1 < end && tag >= FIRST_TAG && (tag & 7) == WireReader.LENGTH_DELIMITED && bytes[at + 1] >= 0
                    && bytes[at + 1] <= end - at - 2 && tag >>> 3 <= lastField) {
                // Nearly always: a key and a length of one byte each.
                field = tag >>> 3;
                length = bytes[at + 1];
                at += 2;
            } else {
                wire.window(at, end);
                tag = wire.tag();
                field = tag >>> 3;
                if (field > lastField || (tag & 7) != WireReader.LENGTH_DELIMITED) {
                    wire.skip(tag);
                    at = wire.position();
                    continue;
                }
                length = wire.length();
                at = wire.position();
            }
            int position = (field - 1) >>> 2;
            setSpan(base + 3 * position, (field - 1) & 3, at, length);
            positions |= 1 << position;
            at += length;
        }
        return positions;
    }

    private void setSpan(int index, int member, int start, int length) {
        spans[index] = member;
        spans[index + 1] = start;
        spans[index + 2] = start + length;
    }

    /** Reads the subject, predicate or object of a triple term, whose span is known. */
    private T readSpan(int level, int position) {
        int index = 3 * (POSITIONS * level + position);
        int member = spans[index];
        checkPosition(position, member);
        wire.window(spans[index + 1], spans[index + 2]);
        return readMember(member, level);
    }

    private void checkPosition(int position, int member) {
        if (position == PREDICATE && member != IRI) {
            checkGeneralized("a predicate that is not an IRI");
        } else if (position == SUBJECT && member == LITERAL) {
            checkGeneralized("a subject that is a literal");
        }
    }

    private T readMember(int member, int level) {
        return switch (member) {
            case IRI -> readIri();
            case BLANK_NODE -> readBlankNode();
            case LITERAL -> readLiteral();
            case TRIPLE_TERM -> readTripleTerm(level + 1);
            default -> throw new IllegalStateException("member " + member);
        };
    }

    private void checkGeneralized(String found) {
        if (!generalized) {
            tolerance.tolerate(Rule.GENERALIZED_ANNOUNCED,
                    found + ", where the options do not announce generalized statements");
        }
    }

    // --- terms

    T readIri() {
        IriReader.Name<T> name = readIds(wire.position(), wire.limit());
        return iris.iri(iris.prefix(), name);
    }

    /** Reads an {@code RdfIri}, all but making the term. */
    private IriReader.Name<T> readIds(int start, int end) {
        byte[] bytes = wire.bytes();
        int at = start;
        int prefixId = 0;
        int nameId = 0;
        // Nearly always: at most one prefix id of one byte, then at most one name id of one or two.
        if (at + 1 < end && bytes[at] == PREFIX_ID && bytes[at + 1] >= 0) {
            prefixId = bytes[at + 1];
            at += 2;
        }
        if (at + 1 < end && bytes[at] == NAME_ID) {
            nameId = bytes[at + 1];
            at += 2;
            if (nameId < 0 && at < end && bytes[at] >= 0) {
                nameId = nameId & 0x7F | bytes[at++] << 7;
            }
        }
        return at == end && nameId >= 0 ? iris.name(prefixId, nameId) : readIdsOfAnyForm(start, end);
    }

    private IriReader.Name<T> readIdsOfAnyForm(int start, int end) {
        long prefixId = 0;
        long nameId = 0;
        wire.window(start, end);
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag == PREFIX_ID) {
                prefixId = wire.uint32();
            } else if (tag == NAME_ID) {
                nameId = wire.uint32();
            } else {
                wire.skip(tag);
            }
        }
        return iris.name(prefixId, nameId);
    }

    private T readBlankNode() {
        int start = wire.position();
        int length = wire.remaining();
        checkUtf8(start, length);
        return terms.blankNode(wire.bytes(), start, length);
    }

    private T readLiteral() {
        int lexStart = wire.position();
        int lexLength = 0;
        int langStart = 0;
        int langLength = -1;
        long datatype = -1;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag == (1 << 3 | WireReader.LENGTH_DELIMITED)) {
                lexLength = wire.length();
                lexStart = wire.position();
                wire.skipBytes(lexLength);
            } else if (tag == (2 << 3 | WireReader.LENGTH_DELIMITED)) {
                langLength = wire.length();
                langStart = wire.position();
                datatype = -1;
                wire.skipBytes(langLength);
            } else if (tag == (3 << 3 | WireReader.VARINT)) {
                datatype = wire.uint32();
                langLength = -1;
            } else {
                wire.skip(tag);
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
            throw place.error(Rule.DATATYPE_ID, "a literal of datatype 0, which is not an id", Advice.WRITER_BUG);
        }
        return terms.typedLiteral(wire.bytes(), lexStart, lexLength, datatypes.get(datatype));
    }

    private T readTripleTerm(int level) {
        if (!star) {
            tolerance.tolerate(Rule.STAR_ANNOUNCED, "a quoted triple, where the options do not announce rdf_star");
        }
        if (level > limits.maxNesting()) {
            throw place.error(Rule.NESTING, "triple terms nested deeper than " + limits.maxNesting(),
                    Advice.raise("maxNesting"));
        }
        int base = 3 * POSITIONS * level;
        if (base == spans.length) {
            spans = Arrays.copyOf(spans, 2 * spans.length);
        }
        int positions = findTerms(base, 12);
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if ((positions & 1 << position) == 0) {
                throw place.error(Rule.QUOTED_TRIPLE_WHOLE, "a quoted triple without " + POSITION_NAMES[position],
                        Advice.WRITER_BUG);
            }
        }
        T subject = readSpan(level, SUBJECT);
        T predicate = readSpan(level, PREDICATE);
        T object = readSpan(level, OBJECT);
        return terms.tripleTerm(subject, predicate, object);
    }

    /** Tags are passed on as they are, but for those that no text form of the literal could hold (P-120). */
    private void checkLanguageTag(int start, int length) {
        byte[] bytes = wire.bytes();
        boolean legal = length > 0;
        for (int i = start; legal && i < start + length; i++) {
            legal = LanguageTags.isTagCharacter(bytes[i]);
        }
        if (!legal) {
            throw place.error(Rule.LANGUAGE_TAG,
                    "a language tag that is empty or holds other characters than letters, digits, '-' and '_'",
                    Advice.WRITER_BUG);
        }
    }

    private void checkUtf8(int start, int length) {
        int invalid = Utf8.firstInvalid(wire.bytes(), start, length);
        if (invalid >= 0) {
            throw notUtf8(invalid);
        }
    }

    private static WireException notUtf8(int position) {
        return new WireException(position, "bytes in a string that are not UTF-8");
    }

    /** Goes over a message that has no fields, or none that matter. */
    void skipMessage() {
        while (!wire.atEnd()) {
            wire.skip(wire.tag());
        }
    }
}
