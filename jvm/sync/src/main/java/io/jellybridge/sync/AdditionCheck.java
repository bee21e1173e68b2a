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
 * A handler that checks that a dataset can store the additions of a publication, before the log or the dataset is changed, and
 * passes all events on. For a server it only rejects data that no dataset can store. Not thread-safe.
 */
final class AdditionCheck extends ForwardingHandler<byte[]> implements Closeable {
    private final TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
    private final DatasetTerms terms = new DatasetTerms();
    /** The database; null if it is not a TDB2, or not known. */
    private final DatasetGraph tdb2;
    private final String name;
    /** The few literals with a base direction, by their text without the direction. */
    private final Map<String, Node> directed = new HashMap<>();

    private AdditionCheck(DatasetGraph tdb2, String name) {
        this.tdb2 = tdb2;
        this.name = name;
        setTarget(new PatchAdapter<>());
    }

    /**
     * Opens a check. One of a TDB2 database reads it in a transaction until it is closed.
     *
     * @param name the name of the snapshot
     */
    static AdditionCheck open(OpenDataset dataset, String name) {
        DatasetGraph tdb2 = dataset instanceof DatasetStore store && TdbTerms.isTdb2(store.dataset()) ? store.dataset() : null;
        if (tdb2 != null) {
            tdb2.begin(TxnType.READ);
        }
        return new AdditionCheck(tdb2, name);
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
     * @throws FormatException the dataset can't store the statement; the message names it
     */
    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        if (op == Op.A) {
            checkAddition(subject, predicate, object, graph);
        }
        super.statement(op, subject, predicate, object, graph);
    }

    private void checkAddition(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        Node value = nodes.translate(object);
        String problem = UserDataView.findProblem(terms, tdb2 != null, graph == null ? null : nodes.translate(graph),
                nodes.translate(subject), nodes.translate(predicate), value);
        if (problem == null && tdb2 != null && TdbTerms.hasDirection(value)) {
            problem = directionProblem(value);
        }
        if (problem != null) {
            String line = new CanonicalQuad(subject, predicate, object, graph).text();
            throw FormatException.ofRow("apply", name, problem + ", in the statement " + line,
                    "correct it there; nothing of the snapshot was applied");
        }
    }

    private String directionProblem(Node literal) {
        Node other = directed.put(literal.getLiteralLexicalForm() + '@' + literal.getLiteralLanguage(), literal);
        return other != null && !other.equals(literal) ? TdbTerms.findAlike(literal, other) : TdbTerms.findProblem(tdb2, literal);
    }
}
