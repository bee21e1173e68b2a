package io.jellybridge.jena.capture;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.WriteTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.vocabulary.RDF;

/**
 * Makes a captured folder and its dataset one again after a crash.
 *
 * <p>A transaction is appended to the log first, and committed by the dataset then, together with its id as the dataset's
 * position. A crash between the two leaves the log one patch ahead. The log has it, and others may have read it: so the
 * dataset gets it. Aborted transactions that were recorded are no difference. A log that is further ahead, or behind, is
 * another dataset's, or lost its end: that is an error, and nothing is touched.
 *
 * <p>A dataset whose log is empty still is at {@code rdf:nil}, which tells it from one that was never captured.
 */
final class CaptureRecovery {
    private static final Node START = RDF.nil.asNode();

    private final CaptureFolder log;
    private final DatasetGraph dataset;
    private final StoredPosition stored;

    CaptureRecovery(CaptureFolder log, DatasetGraph dataset, StoredPosition stored) {
        this.log = log;
        this.dataset = dataset;
        this.stored = stored;
    }

    /** @throws IllegalStateException the log is not this dataset's */
    void run() throws IOException {
        Node position = position();
        if (log.head() == null) {
            if (position == null) {
                set(START);
            } else if (!position.equals(START)) {
                log.continueAfter(position);
            }
        } else if (position == null) {
            throw new IllegalStateException(differs("the dataset was never captured into it"));
        } else if (!position.equals(log.head())) {
            catchUp(position.equals(START) ? null : position);
        }
    }

    /** A patch of the log, and where it is: the {@code index}th of its file. */
    private record Located(Path file, int index) {
    }

    private void catchUp(Node position) throws IOException {
        Located ahead = null;
        List<Path> files = log.files();
        for (int f = files.size() - 1; f >= 0; f--) {
            List<CapturedPatch> patches = CapturedPatch.readAll(files.get(f)).patches();
            for (int i = patches.size() - 1; i >= 0; i--) {
                CapturedPatch patch = patches.get(i);
                if (patch.commits()) {
                    if (ahead != null) {
                        throw new IllegalStateException(differs("the dataset is at " + (position == null ? "its start"
                                : position) + ", which is more than one patch behind, or not in it"));
                    }
                    ahead = new Located(files.get(f), i);
                }
                if (Objects.equals(patch.prev(), position)) {
                    apply(ahead);
                    return;
                }
            }
        }
        throw new IllegalStateException(differs("the dataset is at " + position + ", which is not in it"));
    }

    private String differs(String how) {
        return "the log in " + log.folder() + " ends with patch " + log.head() + " and is not that of this dataset: " + how
                + "; bring the dataset to the log's end first, or capture into a new folder";
    }

    private Node position() {
        dataset.begin(TxnType.READ);
        try {
            String position = stored.get(dataset);
            return position == null ? null : StoredPosition.parse(position);
        } finally {
            dataset.end();
        }
    }

    private void set(Node position) {
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            stored.set(dataset, StoredPosition.canonical(position));
            transaction.commit();
        }
    }

    private void apply(Located patch) throws IOException {
        if (patch == null) {
            return;
        }
        try (WriteTransaction transaction = WriteTransaction.begin(dataset);
                PatchReader<Node> reader = CapturedPatch.open(patch.file())) {
            Rows rows = new Rows(reader, patch.index());
            while (reader.numbers().patches() <= patch.index() && reader.next(rows)) {
                // the handler does the work
            }
            stored.set(dataset, StoredPosition.canonical(log.head()));
            transaction.commit();
        }
    }

    /** Applies the rows of one patch, all of which is one committed transaction. */
    private final class Rows extends PatchAdapter<Node> {
        private final PatchReader<Node> reader;
        private final int patch;

        Rows(PatchReader<Node> reader, int patch) {
            this.reader = reader;
            this.patch = patch;
        }

        @Override
        public void prefix(Op op, byte[] name, Node namespace, Node graph) {
            if (reader.patch() != patch) {
                return;
            }
            PatchApplier.apply(op, name, namespace, dataset);
        }

        @Override
        public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
            if (reader.patch() != patch) {
                return;
            }
            Quad quad = Quad.create(graph, subject, predicate, object);
            if (op == Op.A) {
                dataset.add(quad);
            } else {
                dataset.delete(quad);
            }
        }
    }
}
