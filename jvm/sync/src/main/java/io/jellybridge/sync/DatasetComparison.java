package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.checkpoint.QuadsHash;
import io.jellybridge.checkpoint.State;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.FolderLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Compares the quads of a dataset with those of a log at the version that the dataset is at: by their number and hash and,
 * where these differ, quad by quad, sorted in temporary files. TDB2 keeps numbers in a form of its own ({@link KeptTerms}),
 * so for a dataset that may be of TDB2 those of the log count in that form. Prefixes are not compared. For one thread.
 */
public final class DatasetComparison {
    /** Of the heap, for each of the two sides. */
    private static final int HEAP_SHARE = 6;
    private static final int ROWS_BETWEEN_REPORTS = 1 << 12;
    private static final byte[] POSITIONS = ("<" + StoredPosition.GRAPH + ">").getBytes(UTF_8);

    private final OpenDataset dataset;
    private final int shown;
    private final ProgressListener progress;
    private final KeptTerms kept = new KeptTerms();
    private long missing;
    private long surplus;
    private final List<String> missingLines = new ArrayList<>();
    private final List<String> surplusLines = new ArrayList<>();

    /**
     * What was found. Quads are lines of N-Quads.
     *
     * @param missing how many quads the dataset lacks
     * @param surplus how many it should not have
     */
    public record Report(long version, String position, long quads, String hash, long datasetQuads, String datasetHash,
            long missing, long surplus, List<String> missingQuads, List<String> surplusQuads) {
    }

    private DatasetComparison(OpenDataset dataset, int shown, ProgressListener progress) {
        this.dataset = dataset;
        this.shown = shown;
        this.progress = progress;
    }

    /**
     * Compares.
     *
     * @param shown how many quads of each kind to name
     * @throws IllegalStateException the dataset is at none of the log's versions, or moved on meanwhile
     */
    public static Report of(FolderLog log, OpenDataset dataset, String key, int shown, ProgressListener progress)
            throws IOException {
        String position = dataset.position(key);
        long version = new Bootstrap(log).versionOf(position);
        DatasetComparison comparison = new DatasetComparison(dataset, shown, progress);
        Report report = comparison.compare(log, version, position);
        if (!Objects.equals(position, dataset.position(key))) {
            throw new IllegalStateException(
                    "the dataset went on from " + position + " while it was compared; compare it while nobody syncs it");
        }
        return report;
    }

    private Report compare(FolderLog log, long version, String position) throws IOException {
        QuadsHash ofLog = new QuadsHash();
        QuadsHash ofDataset = new QuadsHash();
        try (State state = version == 0 ? null : State.at(log, version, progress)) {
            addAll(state == null ? () -> null : state.quads(), ofLog);
        }
        try (QuadCursor rows = dataset.rows()) {
            addAll(quads(rows), ofDataset);
        }
        if (ofLog.quads() != ofDataset.quads() || !ofLog.hash().equals(ofDataset.hash())) {
            try (State state = version == 0 ? null : State.at(log, version, progress);
                    ExternalSorter<CanonicalQuad> one = sorter(); ExternalSorter<CanonicalQuad> other = sorter();
                    QuadCursor rows = dataset.rows()) {
                addAll(state == null ? () -> null : state.quads(), one);
                addAll(quads(rows), other);
                count(one.sorted(), other.sorted());
            }
        }
        return new Report(version, position, ofLog.quads(), ofLog.hash(), ofDataset.quads(), ofDataset.hash(), missing,
                surplus, missingLines, surplusLines);
    }

    private static ExternalSorter<CanonicalQuad> sorter() {
        return new ExternalSorter<>(CanonicalQuad.FORM, CanonicalQuad.BY_LINE,
                Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    private Items<CanonicalQuad> quads(QuadCursor rows) {
        long[] read = {0};
        return () -> {
            if (++read[0] % ROWS_BETWEEN_REPORTS == 0) {
                progress.reading(read[0]);
            }
            while (rows.hasNext()) {
                byte[][] row = rows.next();
                if (!Arrays.equals(row[3], POSITIONS)) { // which are shown where someone looks at them
                    return new CanonicalQuad(row[0], row[1], row[2], row[3]);
                }
            }
            return null;
        };
    }

    private static void addAll(Items<CanonicalQuad> quads, QuadsHash hash) throws IOException {
        for (CanonicalQuad quad = quads.next(); quad != null; quad = quads.next()) {
            hash.add(quad);
        }
    }

    private void addAll(Items<CanonicalQuad> quads, ExternalSorter<CanonicalQuad> sorter) throws IOException {
        boolean asGiven = KeptTerms.areAsGiven(dataset);
        for (CanonicalQuad quad = quads.next(); quad != null; quad = quads.next()) {
            sorter.add(asGiven ? quad : kept.inTdb(quad));
        }
    }

    private void count(Items<CanonicalQuad> expected, Items<CanonicalQuad> found) throws IOException {
        CanonicalQuad must = expected.next();
        CanonicalQuad is = found.next();
        while (must != null || is != null) {
            int order = must == null ? 1 : is == null ? -1 : CanonicalQuad.BY_LINE.compare(must, is);
            if (order < 0 && ++missing <= shown) {
                missingLines.add(new String(must.line(), UTF_8));
            } else if (order > 0 && ++surplus <= shown) {
                surplusLines.add(new String(is.line(), UTF_8));
            }
            must = order <= 0 ? expected.next() : must;
            is = order >= 0 ? found.next() : is;
        }
    }
}
