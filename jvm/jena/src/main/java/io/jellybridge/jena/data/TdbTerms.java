package io.jellybridge.jena.data;

import java.math.BigInteger;
import java.util.Iterator;
import java.util.Set;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.atlas.lib.tuple.Tuple;
import org.apache.jena.datatypes.BaseDatatype;
import org.apache.jena.datatypes.RDFDatatype;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.thrift.ThriftConvert;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.store.NodeId;
import org.apache.jena.tdb2.store.NodeIdInline;
import org.apache.jena.tdb2.store.nodetable.NodeTable;
import org.apache.jena.tdb2.store.nodetupletable.NodeTupleTable;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * Converts terms to the form in which TDB2 returns them. TDB2 stores the values of numbers, dates and similar in the id of the
 * term, and returns a canonical form: {@code "042"^^xsd:integer} becomes {@code "42"}. Some terms with different ids even look
 * the same: {@code 1.50} and {@code 1.5} are two decimals in TDB2, but both are returned as {@code 1.5}. A quad with the first
 * can't be deleted by the returned form. We therefore store terms in the form in which they are returned.
 */
public final class TdbTerms {
    /** A text with no more digits fits into 64 bits. */
    private static final int DIGITS_OF_ANY_LONG = 18;

    private TdbTerms() {
    }

    /** Checks whether a dataset is a TDB2 database, or a wrapper of one. */
    public static boolean isTdb2(DatasetGraph dataset) {
        return tdb2(dataset) != null;
    }

    /** Returns the TDB2 database that a dataset is or wraps; null if there is none. */
    static DatasetGraphTDB tdb2(DatasetGraph dataset) {
        DatasetGraph inner = dataset;
        while (TDBInternal.getDatasetGraphTDB(inner) == null && inner instanceof DatasetGraphWrapper wrapper) {
            inner = wrapper.getWrapped();
        }
        return TDBInternal.getDatasetGraphTDB(inner);
    }

    /**
     * Checks whether a term is a literal with a base direction, which TDB2 may confuse with another, see {@link #keptInstead}.
     */
    public static boolean hasDirection(Node term) {
        return term != null && term.isLiteral() && term.getLiteralBaseDirection() != null;
    }

    /**
     * Returns the literal that a TDB2 database has in place of this one; null if it has this one, or neither. TDB2 finds
     * literals by text, language and datatype. Of two that differ only in base direction, the first one stored therefore stands
     * for both. Its caches return the one used last, so the table beneath them is read.
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
     * Returns the term that TDB2 returns for one that was stored by {@link #keep}. It differs if the value is in the id, and
     * for some decimals. A term with a {@link #findProblem} is returned unchanged.
     */
    public static Node asStored(Node term) {
        if (!NodeIdInline.hasInlineDatatype(term) && !term.isTripleTerm() || findProblem(term) != null) {
            return term;
        }
        NodeId id = NodeIdInline.inline(term);
        return id == null ? onDisk(asText(term)) : NodeIdInline.extract(id);
    }

    /**
     * Stores a term unchanged in a TDB2 database, before a quad with it is added. TDB2 finds terms on the disk by text and
     * datatype, but writes the value of some numbers there. An {@code xsd:int} in a triple term would become an {@code
     * xsd:integer}, and two terms would look the same. With this method, the term is already there when TDB2 looks for it. It
     * needs a write transaction.
     *
     * @param term a result of {@link #asStored}
     */
    public static void keep(DatasetGraph dataset, Node term) {
        if (isAltered(term)) {
            tdb2(dataset).getTripleTable().getNodeTupleTable().getNodeTable().baseNodeTable().getAllocateNodeId(asText(term));
        }
    }

    /** Checks whether TDB2 may return this term for several ids, if a program bypassed {@link #keep}. */
    public static boolean hasSeveralIds(Node term) {
        return term.isTripleTerm() || isA(XSDDatatype.XSDdecimal, term)
                || NodeIdInline.hasInlineDatatype(term) && NodeIdInline.inline(term) == null;
    }

    /** Finds the quads that a dataset returns with this object, under whichever ids, see {@link #hasSeveralIds}. Each is there once. */
    public static Set<Quad> findAllIds(DatasetGraph dataset, Node graph, Node subject, Node predicate, Node object) {
        return Iter.toSet(Iter.filter(dataset.find(graph, subject, predicate, Node.ANY), quad -> quad.getObject().equals(object)));
    }

    /**
     * Deletes a quad under all ids that TDB2 returns as this object, see {@link #hasSeveralIds}.
     *
     * @param graph null for the default graph
     */
    static void deleteAllIds(DatasetGraph dataset, Node graph, Node subject, Node predicate, Node object) {
        DatasetGraphTDB database = tdb2(dataset);
        boolean isTriple = graph == null || Quad.isDefaultGraph(graph);
        NodeTupleTable quads = (isTriple ? database.getTripleTable() : database.getQuadTable()).getNodeTupleTable();
        NodeTable nodes = quads.getNodeTable();
        Iterator<Tuple<NodeId>> found = isTriple ? quads.findAsNodeIds(subject, predicate, Node.ANY)
                : quads.findAsNodeIds(graph, subject, predicate, Node.ANY);
        if (found != null) { // null: a term is not in the database
            quads.getTupleTable().deleteAll(Iter.toList(Iter.filter(found,
                    ids -> nodes.getNodeForNodeId(ids.get(ids.len() - 1)).equals(object))));
        }
    }

    /** Checks whether TDB2 itself would write another term to the disk. */
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

    /** Returns the term that TDB2 reads after it has written this one to the disk. */
    private static Node onDisk(Node term) {
        return ThriftConvert.convert(ThriftConvert.convert(term, true));
    }

    /**
     * Returns a term with the same text and datatype, but with a datatype object whose values TDB2 does not know. It is only
     * for writing to the disk.
     */
    private static Node asText(Node term) {
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return NodeFactory.createTripleTerm(asText(triple.getSubject()), triple.getPredicate(), asText(triple.getObject()));
        }
        return isAlteredPart(term)
                ? NodeFactory.createLiteralDT(term.getLiteralLexicalForm(), new BaseDatatype(term.getLiteralDatatypeURI())) : term;
    }

    /**
     * Returns the reason why a TDB2 database can't store a term beside its other terms, as a clause without a full stop; null
     * if it can.
     */
    public static String findProblem(DatasetGraph dataset, Node term) {
        Node kept = keptInstead(dataset, term);
        return kept == null ? null : findAlike(term, kept);
    }

    /**
     * Returns the reason why TDB2 can't store two literals that differ only in base direction, as a clause without a full stop.
     */
    public static String findAlike(Node term, Node other) {
        return term + ", which TDB2 does not tell from " + other + ": they differ in base direction alone, and it keeps one of "
                + "them; a dataset in memory keeps both";
    }

    /** Returns the reason why TDB2 can't store a term, as a clause without a full stop; null if it can. */
    static String findProblem(Node term) {
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
        String problem = findProblem(triple.getSubject());
        return problem == null ? findProblem(triple.getObject()) : problem;
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
