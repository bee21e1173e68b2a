package io.jellybridge;

import com.google.gson.Gson;
import io.jellybridge.convert.BadStatementFile;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.Place;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.DatasetSnapshot;
import io.jellybridge.sync.DeletionLimit;
import io.jellybridge.sync.Publication;
import io.jellybridge.sync.PublicationGuard;
import io.jellybridge.sync.PublishedFile;
import java.io.IOException;
import java.util.List;

/** The entry points that Python calls for {@code Dataset.publish}. */
public final class PublishBridge {
    private static final Gson JSON = new Gson();

    private PublishBridge() {
    }

    /**
     * Creates a snapshot from a file of statements.
     *
     * @param name           the name in errors
     * @param from           the format; null for that of the suffix
     * @param namesAndValues reading options, names and values alternating, see {@link ConvertOptions#of}
     * @param bad            null to throw an error for the first bad statement
     */
    public static Snapshot file(String path, String name, String from, List<String> namesAndValues, BadStatementFile bad) {
        return new SnapshotFile(new Place(path, name), ConvertBridge.format(from), ConvertBridge.options(namesAndValues),
                new ProgressMeter(), ConvertBridge.statements(bad));
    }

    /** Creates a snapshot of an open dataset. */
    public static Snapshot dataset(OpenDataset dataset) {
        return new DatasetSnapshot(dataset, null);
    }

    /**
     * Creates the content of a graph from a snapshot.
     *
     * @param iri        the graph; empty if the statements name their graphs
     * @param mayBeEmpty see {@link PublishedFile}
     */
    public static PublishedFile ofGraph(Snapshot snapshot, String iri, boolean mayBeEmpty) {
        PublishedFile file = iri.isEmpty() ? new PublishedFile(snapshot, null) : PublishedFile.ofGraph(snapshot, iri);
        return file.mayBeEmpty(mayBeEmpty);
    }

    /**
     * Creates a publication, see {@link Publication}.
     *
     * @param blankNodes see {@link BlankNodes#named}
     * @param maxDelete  see {@link DeletionLimit#of}
     * @param guards     see {@link PublicationGuard#of}
     * @param verify     true to read all of a server's data again afterwards; false to compare only their number
     */
    public static Publication publication(OpenDataset dataset, List<PublishedFile> files, String blankNodes,
            String maxDelete, List<String> guards, boolean verify, Bridge.Progress progress) {
        return new Publication(dataset, files, BlankNodes.named(blankNodes), DeletionLimit.of(maxDelete),
                guards.stream().map(PublicationGuard::of).toList(),
                verify ? Publication.Check.CONTENT : Publication.Check.COUNT, progress);
    }

    /**
     * Computes the difference without publishing it, see {@link Publication#difference}.
     *
     * @param patch  the file for the difference; null for none
     * @param states true to return the dataset's states before and after
     */
    public static String difference(Publication publication, String patch, boolean states) throws IOException {
        return json(publication, publication.difference(patch == null ? null : new Place(patch), states));
    }

    /**
     * Publishes the difference, see {@link Publication#publish}.
     *
     * @param name the name of the difference in errors
     */
    public static String publish(Publication publication, String patch, String name) throws IOException {
        return json(publication, publication.publish(new Place(patch, name)));
    }

    /** The result as JSON. The states are null if they were not requested. */
    private record Found(long before, long deleted, long added, int unsettled, int prefixes, long positions, String stateBefore, String stateAfter) {
    }

    private static String json(Publication publication, Publication.Report report) {
        return JSON.toJson(new Found(report.before(), report.deleted(), report.added(), report.unsettled(), report.prefixes(),
                publication.positions(), publication.stateBefore(), publication.stateAfter()));
    }
}
