package io.jellybridge.sync;

import io.jellybridge.checkpoint.State;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Compares the quads of a dataset with those of a log at the dataset's version. It first compares their number and hash. If
 * these differ, it compares quad by quad, as {@link Difference} does. TDB2 stores numbers in its own form ({@link StoredTerms}).
 * So for a dataset that may be a TDB2 the quads of the log are converted to that form. Prefixes are not compared. Not
 * thread-safe.
 */
public final class LogComparison {
    private static final int ROWS_BETWEEN_REPORTS = 1 << 12;

    private final OpenDataset dataset;
    private final int shown;
    private final ProgressListener progress;
    private long missing;
    private long surplus;
    private final List<String> missingLines = new ArrayList<>();
    private final List<String> surplusLines = new ArrayList<>();

    /**
     * The result of a comparison. Quads are lines of N-Quads.
     *
     * @param missing the number of quads that the dataset lacks
     * @param surplus the number of quads that only the dataset has
     * @param head    the newest version of the log
     */
    public record Report(long version, String position, long quads, String hash, long datasetQuads, String datasetHash,
            long missing, long surplus, List<String> missingQuads, List<String> surplusQuads, long head) {

        boolean isEqual() {
            return missing == 0 && surplus == 0;
        }
    }

    private LogComparison(OpenDataset dataset, int shown, ProgressListener progress) {
        this.dataset = dataset;
        this.shown = shown;
        this.progress = progress;
    }

    /**
     * Compares a dataset with a log.
     *
     * @param shown the number of quads of each kind to list
     * @throws IllegalStateException the dataset is at none of the log's versions, or moved on during the comparison
     */
    public static Report of(StoreLog log, OpenDataset dataset, String key, int shown, ProgressListener progress)
            throws IOException {
        String position = dataset.readPosition(key);
        Report report = at(log, new LogPositions(log).versionOf(position), position, dataset, shown, progress);
        if (!Objects.equals(position, dataset.readPosition(key))) {
            throw new IllegalStateException(
                    "the dataset went on from " + position + " while it was compared; compare it while nobody syncs it");
        }
        return report;
    }

    /** Compares a dataset with a version of a log, whatever the dataset's position is. */
    static Report at(StoreLog log, long version, String position, OpenDataset dataset, int shown, ProgressListener progress)
            throws IOException {
        return new LogComparison(dataset, shown, progress).compareWithLog(log, version, position);
    }

    private Report compareWithLog(StoreLog log, long version, String position) throws IOException {
        QuadsHash ofLog = new QuadsHash();
        QuadsHash ofDataset = new QuadsHash();
        try (State state = State.atOrEmpty(log, version, progress)) {
            ofLog.addAll(state.quads());
        }
        try (QuadCursor rows = dataset.rows()) {
            ofDataset.addAll(readQuads(rows));
        }
        if (ofLog.quads() != ofDataset.quads() || !ofLog.hash().equals(ofDataset.hash())) {
            try (State state = State.atOrEmpty(log, version, progress); QuadCursor rows = dataset.rows();
                    Difference difference = Difference.of(new Side("the dataset", readQuads(rows)),
                            new Side("the log", state.quads()), BlankNodes.LABEL, new ProgressMeter())) {
                missing = difference.added();
                surplus = difference.deleted();
                difference.read(new Lines());
            }
        }
        return new Report(version, position, ofLog.quads(), ofLog.hash(), ofDataset.quads(), ofDataset.hash(), missing,
                surplus, missingLines, surplusLines, log.headVersion());
    }

    private Items<CanonicalQuad> readQuads(QuadCursor rows) {
        Items<CanonicalQuad> quads = DatasetSnapshot.readQuads(rows);
        long[] read = {0};
        return () -> {
            if (++read[0] % ROWS_BETWEEN_REPORTS == 0) {
                progress.reading(read[0]);
            }
            return quads.next();
        };
    }

    /** Quads in the form in which the dataset would store them. */
    private final class Side implements Snapshot {
        private final String name;
        private final Items<CanonicalQuad> quads;
        private final StoredTerms kept = new StoredTerms();

        Side(String name, Items<CanonicalQuad> quads) {
            this.name = name;
            this.quads = quads;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void read(RdfHandler<byte[]> handler) throws IOException {
            boolean asGiven = StoredTerms.areAsGiven(dataset);
            for (CanonicalQuad given = quads.next(); given != null; given = quads.next()) {
                CanonicalQuad quad = asGiven ? given : kept.inTdb(given);
                handler.statement(quad.subject(), quad.predicate(), quad.object(), quad.graph());
            }
        }
    }

    /** A handler that keeps the quads to list. */
    private final class Lines extends PatchAdapter<byte[]> {

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            List<String> lines = op == Op.D ? surplusLines : missingLines;
            if (lines.size() < shown) {
                lines.add(new CanonicalQuad(subject, predicate, object, graph).text());
            }
        }
    }
}
