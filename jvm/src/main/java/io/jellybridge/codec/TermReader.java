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

    private final Object[] repeated = new Object[POSITIONS];
    private final boolean[] seen = new boolean[POSITIONS];
    /** For each level of nesting, where the terms of a statement are: member + 1 (0 = unset), start, end by position. */
    private int[] spans = new int[3 * POSITIONS * 4];

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
        findTerms(0, lastField);
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if (spans[3 * position] != 0) {
                repeated[position] = readSpan(0, position);
                seen[position] = true;
            } else if (!seen[position]) {
                throw place.error(Rule.TERM_SET, "a statement without " + POSITION_NAMES[position]
                        + ", and none before it to repeat", Advice.WRITER_BUG);
            }
        }
    }

    /** The term of the position in the last row that had one. */
    @SuppressWarnings("unchecked")
    T term(int position) {
        return (T) repeated[position];
    }

    /** Forgets where a graph was; for messages whose graph comes by {@link #foundGraph}. */
    void clearGraph() {
        spans[3 * GRAPH] = 0;
    }

    /** Takes note of a graph field's value, from here; its member is the field's place in the oneof, from 0. */
    void foundGraph(int member) {
        setSpan(3 * GRAPH, member);
    }

    boolean hasGraph() {
        return spans[3 * GRAPH] != 0;
    }

    /**
     * Reads the graph that was found, or repeats the last one (P-37, P-76).
     *
     * @param required the rule that a row without either breaks
     */
    void readGraph(Rule required) {
        if (hasGraph()) {
            repeated[GRAPH] = readFoundGraph();
            seen[GRAPH] = true;
        } else if (!seen[GRAPH]) {
            throw place.error(required, "a row without graph, and none before it to repeat", Advice.WRITER_BUG);
        }
    }

    /** Reads the graph that was found, without keeping it for repeats; its ids count all the same. */
    T readFoundGraph() {
        int member = spans[3 * GRAPH] - 1;
        wire.window(spans[3 * GRAPH + 1], spans[3 * GRAPH + 2]);
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
     */
    private void findTerms(int base, int lastField) {
        Arrays.fill(spans, base, base + 3 * POSITIONS, 0);
        while (!wire.atEnd()) {
            int tag = wire.tag();
            int field = tag >>> 3;
            if (field <= lastField && (tag & 7) == WireReader.LENGTH_DELIMITED) {
                setSpan(base + 3 * ((field - 1) >>> 2), (field - 1) & 3);
            } else {
                wire.skip(tag);
            }
        }
    }

    private void setSpan(int index, int member) {
        int length = wire.length();
        int start = wire.position();
        spans[index] = member + 1;
        spans[index + 1] = start;
        spans[index + 2] = start + length;
        wire.skipBytes(length);
    }

    /** Reads the subject, predicate or object whose span is known. */
    private T readSpan(int level, int position) {
        int index = 3 * (POSITIONS * level + position);
        int member = spans[index] - 1;
        if (position == PREDICATE && member != IRI) {
            checkGeneralized("a predicate that is not an IRI");
        } else if (position == SUBJECT && member == LITERAL) {
            checkGeneralized("a subject that is a literal");
        }
        wire.window(spans[index + 1], spans[index + 2]);
        return readMember(member, level);
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
        long prefixId = 0;
        long nameId = 0;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag == (1 << 3 | WireReader.VARINT)) {
                prefixId = wire.uint32();
            } else if (tag == (2 << 3 | WireReader.VARINT)) {
                nameId = wire.uint32();
            } else {
                wire.skip(tag);
            }
        }
        return iris.iri(prefixId, nameId);
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
        findTerms(base, 12);
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if (spans[base + 3 * position] == 0) {
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
