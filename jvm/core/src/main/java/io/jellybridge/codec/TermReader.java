package io.jellybridge.codec;

import io.jellybridge.codec.ReadLookup.EntryReader;
import io.jellybridge.codec.TermSpans.Pieces;
import io.jellybridge.wire.Utf8;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Reads the terms of a stream's rows, with lookup entries, relative ids and repeated terms. Both formats share it.
 *
 * <p>A method that reads a message reads all bytes up to the bound of the {@link WireReader}. The caller sets the bound
 * afterwards.
 * @param <T> the type of a term
 */
final class TermReader<T> {
    static final int SUBJECT = 0;
    static final int PREDICATE = 1;
    static final int OBJECT = 2;
    static final int GRAPH = 3;

    // The members of a position's oneof, in order: fields 1 to 4 are the subject's, 5 to 8 the predicate's, and so on.
    static final int IRI = 0;
    static final int BLANK_NODE = 1;
    static final int LITERAL = 2;
    static final int TRIPLE_TERM = 3;
    // The members of a graph's oneof are other ones.
    private static final int GRAPH_DEFAULT = 2;
    private static final int GRAPH_LITERAL = 3;

    static final int POSITIONS = 4;
    private static final int ALL_POSITIONS = 15;
    private static final int STATEMENT_POSITIONS = 7;
    /** The number of fields for a term before it is created: its member, and the start and end of its bytes. */
    private static final int PLACE = 3;
    // These stand in the place of the member: an IRI, given by prefix id and name id, and a term that was created.
    private static final int IDS = -1;
    private static final int MADE = -2;
    private static final int LEXICAL = 1 << 3 | WireReader.LENGTH_DELIMITED;
    private static final int LANGUAGE = 2 << 3 | WireReader.LENGTH_DELIMITED;
    private static final int DATATYPE = 3 << 3 | WireReader.VARINT;
    private static final int NO_LANGUAGE = -1;
    private static final int NO_DATATYPE = -1;
    private static final String[] POSITION_NAMES = {"subject", "predicate", "object", "graph"};
    private static final byte[] NO_BYTES = new byte[0];

    private final WireReader wire;
    private final TermFactory<T> terms;
    private final ReadOptions limits;
    private final ErrorSite site;
    private final Tolerance tolerance;
    private final TermSpans spans;
    private final EntryReader entry;
    private final boolean generalized;
    private final boolean star;
    /** True if the reader checks text, since the factory does not. */
    private final boolean checksText;
    private final IriReader<T> iris;
    private final ReadLookup<T> datatypes;
    private final TermBudget budget;
    /** The length of the last triple term, in bytes of its terms. */
    private long tripleLength;

    /** The last term of each position, if it was created. */
    private final Object[] made = new Object[POSITIONS];
    /** True if a term is created only when it is needed. Otherwise it is created when it is read. */
    private boolean defers;
    /** The source of the last term of each position, if creating it is deferred. */
    private final int[] last = new int[PLACE * POSITIONS];
    /**
     * The positions with a term in this row. The next fields hold those with a term in any row so far, and the selected ones.
     * Each has a bit a position.
     */
    private int found;
    private int seen;
    private int wanted = ALL_POSITIONS;

    /**
     * Creates a reader.
     *
     * @param limits      the limits, such as of nesting
     * @param tolerance   handles broken MUSTs that a tolerant reader accepts
     * @param pieces      joins messages that come in pieces
     * @param bytesRead   returns the number of bytes of the stream that were read so far
     * @param generalized true if the stream's options announce generalized statements
     * @param star        true if they announce quoted triples
     */
    TermReader(WireReader wire, TermFactory<T> terms, ReadOptions limits, ErrorSite site, Tolerance tolerance,
            Pieces pieces, LongSupplier bytesRead, boolean generalized, boolean star, int names, int prefixes, int datatypes) {
        this.budget = new TermBudget(limits, site, bytesRead);
        this.wire = wire;
        this.terms = terms;
        this.limits = limits;
        this.site = site;
        this.tolerance = tolerance;
        this.spans = new TermSpans(wire, pieces);
        this.entry = new EntryReader(wire);
        this.generalized = generalized;
        this.star = star;
        this.checksText = !terms.checksText();
        this.iris = new IriReader<>(wire, terms, new ReadLookup<>("name", names, Rule.NAME_TABLE_SIZE, site, budget),
                new ReadLookup<>("prefix", prefixes,
                        prefixes == 0 ? Rule.PREFIX_TABLE_UNUSED : Rule.PREFIX_TABLE_SIZE, site, budget), budget);
        this.datatypes = new ReadLookup<>("datatype", datatypes,
                datatypes == 0 ? Rule.DATATYPE_TABLE_UNUSED : Rule.DATATYPE_TABLE_SIZE, site, budget);
    }

    /** Selects the terms to create in the rows to come. All others are null. */
    void select(Selection<T> selection) {
        settle();
        for (int position = 0; position < POSITIONS; position++) {
            last[PLACE * position] = MADE;
        }
        defers = !limits.strict() && !selection.takesAll();
        boolean all = limits.strict();
        boolean selects = all || selection.filtersByTerms();
        wanted = (all || selection.subject() ? 1 << SUBJECT : 0)
                | (selects || selection.predicate() ? 1 << PREDICATE : 0)
                | (all || selection.object() ? 1 << OBJECT : 0)
                | (selects || selection.graph() ? 1 << GRAPH : 0);
    }

    /** Clears all lookup entries and repeated terms, at a restart point. */
    void restart() {
        iris.clear();
        datatypes.clear();
        seen = 0;
    }

    /** Creates the deferred terms that later rows may repeat, since their bytes or entries are about to change. */
    void settle() {
        if (!defers) {
            return;
        }
        int start = wire.position();
        int end = wire.limit();
        for (int position = 0; position < POSITIONS; position++) {
            if (isKept(position)) {
                keepTerm(position, lastTerm(position));
            }
        }
        wire.setWindow(start, end);
    }

    /** Returns true if the position has a term that may be needed. Rows other than statements may always need the graph. */
    private boolean isKept(int position) {
        return (seen & (wanted | 1 << GRAPH) & 1 << position) != 0;
    }

    private void keepTerm(int position, T term) {
        made[position] = term;
        last[PLACE * position] = MADE;
    }

    // --- lookup entries

    /**
     * Reads the row of an entry.
     *
     * @param table 0 for names, 1 for prefixes, 2 for datatypes
     */
    void readEntry(int table) {
        switch (table) {
            case 0 -> readName();
            case 1 -> readPrefix();
            case 2 -> readDatatype();
            default -> throw new IllegalStateException("lookup table " + table);
        }
    }

    private void readName() {
        entry.read();
        int id = iris.idOfName(entry.id());
        for (int position = 0; defers && position < POSITIONS; position++) {
            if (last[PLACE * position] == IDS && last[PLACE * position + 2] == id && isKept(position)) {
                keepTerm(position, lastTerm(position));
            }
        }
        iris.setName(id, entry.value());
    }

    private void readPrefix() {
        settle();
        entry.read();
        iris.setPrefix(entry.id(), entry.value());
    }

    private void readDatatype() {
        settle();
        entry.read();
        int id = datatypes.idToSet(entry.id());
        budget.checkBytes(entry.value().length);
        datatypes.set(id, terms.iri(NO_BYTES, entry.value()), entry.value().length);
    }

    /** Returns the use of names, prefixes and datatypes, in this order. */
    List<TableUse> tables() {
        return List.of(iris.nameUse(), iris.prefixUse(), datatypes.use());
    }

    // --- statements

    /**
     * Reads subject, predicate and object of a statement, and finds its graph, which {@link #readGraph} reads later.
     *
     * @param lastField 16 for {@code RdfQuad}, 12 for {@code RdfTriple}
     */
    void readStatement(int lastField) {
        int start = wire.position();
        int end = wire.limit();
        int prefixId = iris.prefixId();
        int nameId = iris.nameId();
        if (!readsInOrder(start, end, lastField)) {
            iris.restore(prefixId, nameId);
            wire.setWindow(start, end);
            readInAnyOrder(lastField);
        }
        if ((seen & STATEMENT_POSITIONS) != STATEMENT_POSITIONS) {
            throw site.newError(Rule.TERM_SET, "a statement without "
                    + POSITION_NAMES[Integer.numberOfTrailingZeros(~seen)] + ", and none before it to repeat",
                    Advice.WRITER_BUG);
        }
    }

    /**
     * Reads a statement as {@link #readInOrder} does. It also returns false on an error, since the fault may be in a term that
     * a later one of the same position replaces.
     */
    private boolean readsInOrder(int start, int end, int lastField) {
        try {
            return readInOrder(start, end, lastField);
        } catch (FormatException | WireException e) {
            return false;
        }
    }

    /**
     * Reads a statement in one pass, in the form of all known writers: each term once, in the order of the positions, with keys
     * of one byte.
     *
     * @return false if it has another form; the statement must then be read again
     */
    private boolean readInOrder(int start, int end, int lastField) {
        found = 0;
        // Not a loop, since a processor predicts separate branches for each position best.
        int at = readNext(SUBJECT, start, end);
        at = readNext(PREDICATE, at, end);
        at = readNext(OBJECT, at, end);
        if (lastField > TermSpans.LAST_OF_TRIPLE) {
            at = readNext(GRAPH, at, end);
        }
        return at == end;
    }

    /**
     * Reads the term of a position, if it comes next.
     *
     * @return the end of the term; an index beyond {@code end} if the statement has another form, and then nothing is read
     */
    private int readNext(int position, int start, int end) {
        byte[] bytes = wire.bytes();
        if (end - start < 2) {
            return start;
        }
        int field = bytes[start] - TermSpans.FIRST_TAG;
        if (field >>> 5 != position) {
            return start;
        }
        int length = bytes[start + 1];
        int at = start + 2;
        if (length < 0) {
            if (at == end || bytes[at] < 0) {
                return end + 1;
            }
            length = length & 0x7F | bytes[at++] << 7;
        }
        if ((field & 7) != 0 || length > end - at) {
            return end + 1;
        }
        if (position == GRAPH) {
            spans.set(0, GRAPH, field >>> 3 & 3, at, length);
            found |= 1 << GRAPH;
        } else {
            readTerm(position, field >>> 3 & 3, at, at + length);
        }
        return at + length;
    }

    private void readInAnyOrder(int lastField) {
        found = spans.find(0, lastField);
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if ((found & 1 << position) != 0) {
                readTerm(position);
            }
        }
    }

    /** Returns the term of the position in the last row that had one; null if the position is not selected. */
    T getTerm(int position) {
        return (wanted & 1 << position) == 0 ? null : lastTerm(position);
    }

    /**
     * Returns the graph of the last row that had one, even if graphs are not selected; null before the first. Rows that are not
     * statements use it.
     */
    T graph() {
        return lastTerm(GRAPH);
    }

    @SuppressWarnings("unchecked")
    private T lastTerm(int position) {
        if ((seen & 1 << position) == 0) {
            return null;
        }
        int index = PLACE * position;
        if (!defers || last[index] == MADE) {
            return (T) made[position];
        }
        if (last[index] == IDS) {
            return iris.iri(last[index + 1], last[index + 2]);
        }
        T term = readMember(position, last[index], last[index + 1], last[index + 2]);
        if ((found & 1 << position) == 0) {
            keepTerm(position, term); // repeated once, so perhaps again
        }
        return term;
    }

    /** Reads the term that was found for a position, without creating it. */
    private void readTerm(int position) {
        readTerm(position, spans.memberAt(0, position), spans.start(0, position), spans.end(0, position));
    }

    /** Reads a term of a position, without creating it. */
    private void readTerm(int position, int member, int start, int end) {
        seen |= 1 << position;
        checkPosition(position, member);
        if (defers) {
            deferTerm(position, member, start, end);
        } else {
            made[position] = readMember(position, member, start, end);
        }
    }

    private void deferTerm(int position, int member, int start, int end) {
        int index = PLACE * position;
        if (member == IRI) {
            iris.pass(start, end);
            last[index] = IDS;
            last[index + 1] = iris.prefixId();
            last[index + 2] = iris.nameId();
        } else if (member == TRIPLE_TERM && position != GRAPH) {
            // The ids in it affect later IRIs, so it is read now.
            keepTerm(position, readMember(position, member, start, end));
        } else {
            last[index] = member;
            last[index + 1] = start;
            last[index + 2] = end;
        }
    }

    /** Clears the positions that were found, for messages whose terms come by {@link #findTerm}. */
    void findNothing() {
        found = 0;
    }

    /**
     * Notes the position of a term whose length comes next, for a message that is not a statement. The term is treated like
     * that of a statement in the same position.
     *
     * @param member the field's place in the oneof, from 0
     */
    void findTerm(int position, int member) {
        int length = wire.length();
        int start = wire.position();
        wire.skipBytes(length);
        if (hasFound(position)) {
            spans.setAgain(0, position, member, start, length);
        } else {
            spans.set(0, position, member, start, length);
            found |= 1 << position;
        }
    }

    /** Checks whether the row has a term in the position. */
    boolean hasFound(int position) {
        return (found & 1 << position) != 0;
    }

    /**
     * Reads the graph that was found, or repeats the last one (P-37, P-76).
     *
     * @return false if there is neither
     */
    boolean readGraph() {
        if (hasFound(GRAPH)) {
            readTerm(GRAPH);
            return true;
        }
        return (seen & 1 << GRAPH) != 0;
    }

    /** Reads the graph of a quad, as {@link #readGraph} does. The first quad must have one (P-72). */
    void readGraphOfQuad() {
        if (!readGraph()) {
            throw site.newError(Rule.GRAPH_SET, "a quad without graph, and none before it to repeat", Advice.WRITER_BUG);
        }
    }

    /** Reads a term that was found. Later rows do not repeat it, but its ids still affect later IRIs. */
    T readFound(int position) {
        return readMember(position, spans.memberAt(0, position), spans.start(0, position), spans.end(0, position));
    }

    private T readMember(int position, int member, int start, int end) {
        return position == GRAPH ? readGraphMember(member, start, end) : readMember(member, start, end);
    }

    private T readGraphMember(int member, int start, int end) {
        switch (member) {
            case GRAPH_DEFAULT:
                wire.setWindow(start, end);
                wire.skipAll();
                return terms.defaultGraph();
            case GRAPH_LITERAL:
                checkGeneralized("a literal as graph");
                return readLiteral(start, end);
            default:
                return readMember(member, start, end);
        }
    }

    /** Reads the subject, predicate or object of a triple term whose span is known. */
    private T readSpan(int level, int position) {
        int member = spans.memberAt(level, position);
        int start = spans.start(level, position);
        int end = spans.end(level, position);
        checkPosition(position, member);
        if (member == TRIPLE_TERM) {
            wire.setWindow(start, end);
            return readTripleTerm(level + 1);
        }
        return readMember(member, start, end);
    }

    private void checkPosition(int position, int member) {
        if (position == PREDICATE && member != IRI) {
            checkGeneralized("a predicate that is not an IRI");
        } else if (position == SUBJECT && member == LITERAL) {
            checkGeneralized("a subject that is a literal");
        }
    }

    private T readMember(int member, int start, int end) {
        switch (member) {
            case IRI:
                return iris.readIri(start, end);
            case BLANK_NODE:
                budget.checkBytes(end - start);
                checkText(start, end - start);
                return terms.blankNode(wire.bytes(), start, end - start);
            case LITERAL:
                return readLiteral(start, end);
            case TRIPLE_TERM:
                wire.setWindow(start, end);
                return readTripleTerm(1);
            default:
                throw new IllegalStateException("member " + member);
        }
    }

    private void checkGeneralized(String found) {
        if (!generalized) {
            tolerance.tolerate(Rule.GENERALIZED_ANNOUNCED,
                    found + ", where the options do not announce generalized statements");
        }
    }

    // --- terms

    private T readLiteral(int at, int end) {
        byte[] bytes = wire.bytes();
        if (end - at >= 2 && bytes[at] == LEXICAL && bytes[at + 1] >= 0 && bytes[at + 1] <= end - at - 2) {
            // Nearly all literals: the lexical form, then nothing, a datatype of one byte, or a language.
            int start = at + 2;
            int length = bytes[at + 1];
            int rest = start + length;
            if (rest == end) {
                return readLiteral(start, length, 0, NO_LANGUAGE, NO_DATATYPE);
            }
            if (end - rest == 2 && bytes[rest] == DATATYPE && bytes[rest + 1] >= 0) {
                return readLiteral(start, length, 0, NO_LANGUAGE, bytes[rest + 1]);
            }
            if (end - rest >= 2 && bytes[rest] == LANGUAGE && bytes[rest + 1] == end - rest - 2) {
                return readLiteral(start, length, rest + 2, bytes[rest + 1], NO_DATATYPE);
            }
        }
        return readLiteralOfAnyForm(at, end);
    }

    private T readLiteralOfAnyForm(int at, int end) {
        wire.setWindow(at, end);
        int lexStart = at;
        int lexLength = 0;
        int langStart = 0;
        int langLength = NO_LANGUAGE;
        long datatype = NO_DATATYPE;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag == LEXICAL) {
                checkOverridden(lexStart, lexLength);
                lexLength = wire.length();
                lexStart = wire.position();
                wire.skipBytes(lexLength);
            } else if (tag == LANGUAGE) {
                checkOverridden(langStart, langLength);
                langLength = wire.length();
                langStart = wire.position();
                datatype = NO_DATATYPE;
                wire.skipBytes(langLength);
            } else if (tag == DATATYPE) {
                checkOverridden(langStart, langLength);
                datatype = wire.uint32();
                langLength = NO_LANGUAGE;
            } else {
                wire.skip(tag);
            }
        }
        return readLiteral(lexStart, lexLength, langStart, langLength, datatype);
    }

    /** Checks a string that is not used, since another member of its oneof follows. */
    private void checkOverridden(int start, int length) {
        if (length > 0) {
            Utf8.check(wire.bytes(), start, length);
        }
    }

    private T readLiteral(int lexStart, int lexLength, int langStart, int langLength, long datatype) {
        budget.checkBytes(lexLength);
        checkText(lexStart, lexLength);
        if (langLength >= 0) {
            checkLanguageTag(langStart, langLength);
            return terms.langLiteral(wire.bytes(), lexStart, lexLength, langStart, langLength);
        }
        if (datatype < 0) {
            return terms.literal(wire.bytes(), lexStart, lexLength);
        }
        if (datatype == 0) {
            throw site.newError(Rule.DATATYPE_ID, "a literal of datatype 0, which is not an id", Advice.WRITER_BUG);
        }
        T type = datatypes.get(datatype);
        budget.takeBytes(datatypes.bytesOf((int) datatype));
        return terms.typedLiteral(wire.bytes(), lexStart, lexLength, type);
    }

    private T readTripleTerm(int level) {
        if (!star) {
            tolerance.tolerate(Rule.STAR_ANNOUNCED, "a quoted triple, where the options do not announce rdf_star");
        }
        if (level > limits.maxNesting()) {
            throw site.newError(Rule.NESTING, "triple terms nested deeper than " + limits.maxNesting(),
                    Advice.raise("maxNesting"));
        }
        int positions = spans.find(level, TermSpans.LAST_OF_TRIPLE);
        for (int position = SUBJECT; position <= OBJECT; position++) {
            if ((positions & 1 << position) == 0) {
                throw site.newError(Rule.QUOTED_TRIPLE_WHOLE, "a quoted triple without " + POSITION_NAMES[position],
                        Advice.WRITER_BUG);
            }
        }
        T subject = readSpan(level, SUBJECT);
        long length = lengthOfLast(level, SUBJECT);
        T predicate = readSpan(level, PREDICATE);
        length += lengthOfLast(level, PREDICATE);
        T object = readSpan(level, OBJECT);
        length += lengthOfLast(level, OBJECT);
        budget.takeBytes(length);
        tripleLength = length;
        return terms.tripleTerm(subject, predicate, object);
    }

    /** Returns the length of the last term within a triple term, in bytes, without its datatype. */
    private long lengthOfLast(int level, int position) {
        return switch (spans.memberAt(level, position)) {
            case IRI -> iris.length();
            case TRIPLE_TERM -> tripleLength;
            default -> spans.end(level, position) - spans.start(level, position);
        };
    }

    /** Checks a language tag. It rejects only tags that no text form of the literal could hold (P-120). */
    private void checkLanguageTag(int start, int length) {
        byte[] bytes = wire.bytes();
        boolean legal = length > 0;
        for (int i = start; legal && i < start + length; i++) {
            legal = RdfTerms.isReadInTag(bytes[i]);
        }
        if (!legal) {
            throw site.newError(Rule.LANGUAGE_TAG,
                    "a language tag that is empty or holds other characters than letters, digits, '-' and '_'",
                    Advice.WRITER_BUG);
        }
    }

    private void checkText(int start, int length) {
        if (checksText) {
            Utf8.check(wire.bytes(), start, length);
        }
    }

    /** Handles broken MUSTs that a tolerant reader accepts. */
    @FunctionalInterface
    interface Tolerance {

        /**
         * Handles a fault.
         *
         * @param rule  the broken rule
         * @param found a clause without a full stop that says what was found
         * @throws FormatException the reading is strict
         */
        void tolerate(Rule rule, String found);
    }
}
