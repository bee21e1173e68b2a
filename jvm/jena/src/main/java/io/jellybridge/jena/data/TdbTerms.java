package io.jellybridge.jena.data;

import java.math.BigInteger;
import org.apache.jena.datatypes.BaseDatatype;
import org.apache.jena.datatypes.RDFDatatype;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.thrift.ThriftConvert;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.store.NodeId;
import org.apache.jena.tdb2.store.NodeIdInline;
import org.apache.jena.tdb2.store.nodetable.NodeTable;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * What TDB2 makes of terms. It keeps the values of numbers, dates and the like in the id of the term,
 * and gives back a form of its own: {@code "042"^^xsd:integer} comes back as {@code "42"}. Of some that it shows alike
 * it even keeps several: {@code 1.50} and {@code 1.5} are two decimals to it, both shown as {@code 1.5}, and a quad with the
 * one can't be deleted by what is shown. So what is shown is what is to be stored.
 */
public final class TdbTerms {
    /** A text that is not longer is of 64 bits. */
    private static final int DIGITS_OF_ANY_LONG = 18;

    private TdbTerms() {
    }

    /** Whether a dataset is a TDB2 database, or a wrapper of one. */
    public static boolean isTdb2(DatasetGraph dataset) {
        return tdb2(dataset) != null;
    }

    /** The TDB2 database that a dataset is, or is a wrapper of; null when there is none. */
    static DatasetGraphTDB tdb2(DatasetGraph dataset) {
        DatasetGraph inner = dataset;
        while (TDBInternal.getDatasetGraphTDB(inner) == null && inner instanceof DatasetGraphWrapper wrapper) {
            inner = wrapper.getWrapped();
        }
        return TDBInternal.getDatasetGraphTDB(inner);
    }

    /** Whether a term is a literal with a base direction, which TDB2 may take for another, see {@link #keptInstead}. */
    public static boolean hasDirection(Node term) {
        return term != null && term.isLiteral() && term.getLiteralBaseDirection() != null;
    }

    /**
     * The literal that a database of TDB2 has in the place of this one; null when it has this one, or neither. TDB2 finds
     * literals by their text, language and datatype, so that of two that differ in base direction alone the first that came
     * stands for both. Its caches answer with whichever was asked for last, so what is beneath them is asked.
     */
    static Node keptInstead(DatasetGraph dataset, Node term) {
        if (!hasDirection(term)) {
            return null;
        }
        NodeTable nodes = tdb2(dataset).getTripleTable().getNodeTupleTable().getNodeTable().baseNodeTable();
        NodeId id = nodes.getNodeIdForNode(term);
        Node kept = NodeId.isDoesNotExist(id) ? term : nodes.getNodeForNodeId(id);
        return kept.equals(term) ? null : kept;
    }

    /**
     * The term that TDB2 shows for one that it is given and was told to {@link #keep}: another where it has its value in its id, or of
     * some decimals; the term itself where {@link #problem} has one with it.
     */
    public static Node stored(Node term) {
        if (!NodeIdInline.hasInlineDatatype(term) && !term.isTripleTerm() || problem(term) != null) {
            return term;
        }
        NodeId id = NodeIdInline.inline(term);
        return id == null ? onDisk(asText(term)) : NodeIdInline.extract(id);
    }

    /**
     * Has a database of TDB2 keep a term that is about to be added as it is. TDB2 finds what it has on the disk by its text and
     * datatype, but by itself writes the value of some numbers there: an {@code xsd:int} in a triple term would come back as an
     * {@code xsd:integer}, and two terms would be shown as one. So it is there before TDB2 looks for it. In a write transaction.
     *
     * @param term as {@link #stored}
     */
    public static void keep(DatasetGraph dataset, Node term) {
        if (isAltered(term)) {
            tdb2(dataset).getTripleTable().getNodeTupleTable().getNodeTable().baseNodeTable().getAllocateNodeId(asText(term));
        }
    }

    /** Whether TDB2 by itself would write another term on the disk. */
    public static boolean isAltered(Node term) {
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return isAlteredPart(triple.getSubject()) || isAlteredPart(triple.getObject());
        }
        return NodeIdInline.hasInlineDatatype(term) && NodeIdInline.inline(term) == null && isAlteredPart(term);
    }

    private static boolean isAlteredPart(Node term) {
        return term.isTripleTerm() ? isAltered(term)
                : term.isLiteral() && !onDisk(term).equals(term);
    }

    /** What comes back of a term that is written on the disk. */
    private static Node onDisk(Node term) {
        return ThriftConvert.convert(ThriftConvert.convert(term, true));
    }

    /** The same to all who go by text and datatype; but of a datatype that TDB2 knows no values of. For the disk alone. */
    private static Node asText(Node term) {
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return NodeFactory.createTripleTerm(asText(triple.getSubject()), triple.getPredicate(), asText(triple.getObject()));
        }
        return isAlteredPart(term)
                ? NodeFactory.createLiteralDT(term.getLiteralLexicalForm(), new BaseDatatype(term.getLiteralDatatypeURI())) : term;
    }

    /** Why a database of TDB2 can't keep a term beside those that it has, as a clause without a full stop; null when it can. */
    public static String problem(DatasetGraph dataset, Node term) {
        Node kept = keptInstead(dataset, term);
        return kept == null ? null : alike(term, kept);
    }

    /** Why TDB2 can't keep two literals that differ in base direction alone, likewise. */
    public static String alike(Node term, Node other) {
        return term + ", which TDB2 does not tell from " + other + ": they differ in base direction alone, and it keeps one of "
                + "them; a dataset in memory keeps both";
    }

    /** Why TDB2 can't keep a term, as a clause without a full stop; null when it can. */
    static String problem(Node term) {
        if (isTooLong(term)) {
            return term + ", an integer of more than 64 bits, which TDB2 would give back as another number";
        }
        if (!term.isTripleTerm()) {
            return null;
        }
        Triple triple = term.getTriple();
        if (isInfinite(triple.getObject())) {
            return triple.getObject() + " in a triple term, which TDB2 would give back as no number";
        }
        String problem = problem(triple.getSubject());
        return problem == null ? problem(triple.getObject()) : problem;
    }

    private static boolean isTooLong(Node term) {
        return isA(XSDDatatype.XSDinteger, term) && term.getLiteralLexicalForm().length() > DIGITS_OF_ANY_LONG
                && new BigInteger(term.getLiteralLexicalForm().trim()).bitLength() >= Long.SIZE;
    }

    private static boolean isInfinite(Node term) {
        return isA(XSDDatatype.XSDdouble, term) && Double.isInfinite((Double) term.getLiteralValue());
    }

    private static boolean isA(RDFDatatype type, Node term) {
        return term.isLiteral() && type.equals(term.getLiteralDatatype()) && term.getLiteral().isWellFormed();
    }
}
