package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.Closeable;
import java.util.HashMap;
import java.util.Map;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * A handler that checks that a dataset can take the difference of a publication, before the log or the dataset is changed, and
 * passes all events on. It rejects additions that the dataset can't store, and statements that a SPARQL store has no name for.
 * It knows that a server uses TDB2 if that tells a version, but not which base directions its literals have. Not thread-safe.
 */
final class DifferenceCheck extends ForwardingHandler<byte[]> implements Closeable {
    private final TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
    private final DatasetTerms terms = new DatasetTerms();
    /** The database; null if it is not a TDB2, or that of a server. */
    private final DatasetGraph tdb2;
    private final boolean isTdb2;
    /** The terms of a SPARQL store; null for other datasets. */
    private final SkolemTerms skolem;
    private final String name;
    /** The few literals with a base direction, by their text without the direction. */
    private final Map<String, Node> directed = new HashMap<>();

    private DifferenceCheck(DatasetGraph tdb2, boolean isTdb2, SkolemTerms skolem, String name) {
        this.tdb2 = tdb2;
        this.isTdb2 = isTdb2;
        this.skolem = skolem;
        this.name = name;
        setTarget(new PatchAdapter<>());
    }

    /**
     * Opens a check. One of a TDB2 database reads it in a transaction until it is closed.
     *
     * @param version the version of the dataset that was compared; null if it does not tell
     * @param name    the name of the snapshot
     */
    static DifferenceCheck open(OpenDataset dataset, String version, String name) {
        DatasetGraph tdb2 = dataset instanceof DatasetStore store && TdbTerms.isTdb2(store.dataset()) ? store.dataset() : null;
        if (tdb2 != null) {
            tdb2.begin(TxnType.READ);
        }
        SkolemTerms skolem = dataset instanceof SparqlDataset sparql ? sparql.skolem() : null;
        return new DifferenceCheck(tdb2, tdb2 != null || version != null, skolem, name);
    }

    /** Makes this check pass what it accepts on to a handler, and returns it. */
    PatchHandler<byte[]> passTo(PatchHandler<byte[]> handler) {
        setTarget(handler);
        return this;
    }

    @Override
    public void close() {
        if (tdb2 != null) {
            tdb2.end();
        }
    }

    /**
     * Checks a statement, and passes it on.
     *
     * @throws FormatException the dataset can't store or delete the statement; the message names it
     */
    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        if (op == Op.A || skolem != null) {
            checkStatement(op, subject, predicate, object, graph);
        }
        super.statement(op, subject, predicate, object, graph);
    }

    private void checkStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        String problem = findProblem(op, nodes.translate(subject), nodes.translate(predicate), nodes.translate(object),
                graph == null ? null : nodes.translate(graph));
        if (problem != null) {
            String found = problem + ", in the statement " + new CanonicalQuad(subject, predicate, object, graph).text();
            throw op == Op.A
                    ? FormatException.ofRow("apply", name, found, "correct it there; nothing of the snapshot was applied")
                    : FormatException.ofRow("apply", "the dataset", found + ", which the snapshot does not have",
                            "delete it by an update; nothing of the snapshot was applied");
        }
    }

    private String findProblem(Op op, Node subject, Node predicate, Node object, Node graph) {
        String problem = op == Op.A ? UserDataView.findProblem(terms, isTdb2, graph, subject, predicate, object) : null;
        if (problem == null && skolem != null) {
            problem = skolem.findProblem(subject, predicate, object, graph);
        }
        return problem == null && tdb2 != null && TdbTerms.hasDirection(object) ? directionProblem(object) : problem;
    }

    private String directionProblem(Node literal) {
        Node other = directed.put(literal.getLiteralLexicalForm() + '@' + literal.getLiteralLanguage(), literal);
        return other != null && !other.equals(literal) ? TdbTerms.findAlike(literal, other) : TdbTerms.findProblem(tdb2, literal);
    }
}
