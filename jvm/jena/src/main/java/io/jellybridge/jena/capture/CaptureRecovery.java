package io.jellybridge.jena.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import java.io.IOException;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.vocabulary.RDF;

/**
 * Reconciles a captured folder and its dataset after a crash.
 *
 * <p>A transaction is first appended to the log. Then the dataset commits it, with its id as the dataset's position. After a
 * crash between the two, the log is one patch ahead. Others may have read that patch, so it is applied to the dataset. Recorded
 * aborted transactions make no difference. If the log is further ahead, or behind, it belongs to another dataset or lost its
 * end. That is an error, and nothing is changed.
 * <p>A dataset whose log is still empty has the position {@code rdf:nil}, which distinguishes it from one that was never
 * captured.
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

    /**
     * Runs the recovery.
     *
     * @throws IllegalStateException the log does not belong to this dataset
     */
    void run() throws IOException {
        Node position = position();
        if (log.head() == null) {
            if (position == null || log.isNew()) {
                set(START);
            } else if (!position.equals(START)) {
                throw new IllegalStateException("the log in " + log.folder() + " is empty, and the dataset is at " + position
                        + ", the last patch that was captured of it; put the log's files back, or capture into a new "
                        + "folder");
            }
        } else if (position == null) {
            throw new IllegalStateException(differs("the dataset was never captured into it"));
        } else if (!position.equals(log.head())) {
            catchUp(position);
        }
    }

    private void catchUp(Node position) throws IOException {
        FolderLog patches = log.log();
        boolean isAtStart = position.equals(START);
        long at = isAtStart ? patches.first() - 1 : patches.versionWith(StoredPosition.canonical(position).getBytes(UTF_8));
        if (at == 0 && !isAtStart) {
            throw new IllegalStateException(differs("the dataset is at " + position + ", which is not in it"));
        }
        LogEntry ahead = null;
        try (LogEntries behind = patches.fetch(at + 1, Long.MAX_VALUE)) {
            for (LogEntry patch = behind.next(); patch != null; patch = behind.next()) {
                if (!changes(patch)) {
                    continue;
                }
                if (ahead != null) {
                    throw new IllegalStateException(differs("the dataset is at " + (isAtStart ? "its start" : position)
                            + ", which is more than one patch behind"));
                }
                ahead = patch;
            }
        }
        if (ahead != null) {
            apply(ahead);
        }
    }

    /** Checks whether a patch has an effect: it has rows outside of aborted transactions. */
    private static boolean changes(LogEntry patch) throws IOException {
        Changes changes = new Changes();
        try (PatchSource<byte[]> source = patch.open(new Utf8Terms())) {
            source.readAll(changes);
        }
        return changes.found;
    }

    private static final class Changes extends PatchAdapter<byte[]> {
        boolean found;
        private boolean inTransaction;
        private boolean pending;

        @Override
        public void transaction(Op op) {
            found |= op == Op.TC && pending;
            pending = false;
            inTransaction = op == Op.TX;
        }

        private void change() {
            found |= !inTransaction;
            pending = true;
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            change();
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            change();
        }
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

    private void apply(LogEntry patch) throws IOException {
        new PatchApplier(dataset, ProgressListener.NONE).applyTogether(() -> patch.open(new NodeTerms()),
                new PatchApplier.Step() {
                    @Override
                    public void before(DatasetGraph view) {
                        // nobody else uses the dataset yet
                    }

                    @Override
                    public void after(DatasetGraph view) {
                        stored.set(dataset, StoredPosition.canonical(log.head()));
                    }
                });
    }
}
