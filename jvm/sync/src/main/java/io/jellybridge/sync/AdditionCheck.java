package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * Checks that a dataset can store the additions of a publication, before the log or the dataset is changed. For a server it
 * only rejects data that no dataset can store. Not thread-safe.
 */
final class AdditionCheck extends PatchAdapter<byte[]> {
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
    }

    /**
     * Checks a difference.
     *
     * @param name the name of the snapshot
     * @throws FormatException the dataset can't store a statement of the snapshot; the message names it
     * @throws IOException     the difference can't be read
     */
    static void checkAdditions(Difference difference, OpenDataset dataset, String name) throws IOException {
        if (!(dataset instanceof DatasetStore store) || !TdbTerms.isTdb2(store.dataset())) {
            difference.read(new AdditionCheck(null, name));
            return;
        }
        DatasetGraph tdb2 = store.dataset();
        tdb2.begin(TxnType.READ);
        try {
            difference.read(new AdditionCheck(tdb2, name));
        } finally {
            tdb2.end();
        }
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        if (op != Op.A) {
            return;
        }
        Node value = nodes.translate(object);
        String problem = UserDataView.findProblem(terms, tdb2 != null, graph == null ? null : nodes.translate(graph),
                nodes.translate(subject), nodes.translate(predicate), value);
        if (problem == null && tdb2 != null && TdbTerms.hasDirection(value)) {
            problem = directionProblem(value);
        }
        if (problem != null) {
            String line = new String(new CanonicalQuad(subject, predicate, object, graph).line(), UTF_8).stripTrailing();
            throw FormatException.ofRow("apply", name, problem + ", in the statement " + line,
                    "correct it there; nothing of the snapshot was applied");
        }
    }

    private String directionProblem(Node literal) {
        Node other = directed.put(literal.getLiteralLexicalForm() + '@' + literal.getLiteralLanguage(), literal);
        return other != null && !other.equals(literal) ? TdbTerms.findAlike(literal, other) : TdbTerms.findProblem(tdb2, literal);
    }
}
