package io.jellybridge;

import com.google.gson.Gson;
import io.jellybridge.convert.BadStatementFile;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.Meter;
import io.jellybridge.convert.Place;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.DeletionLimit;
import io.jellybridge.sync.Publication;
import io.jellybridge.sync.PublishedFile;
import java.io.IOException;
import java.util.List;

/** What {@code Dataset.publish} calls. */
public final class PublishBridge {
    private static final Gson JSON = new Gson();

    private PublishBridge() {
    }

    /**
     * A file of statements.
     *
     * @param name           what errors call it
     * @param from           its format; null: by the suffix
     * @param namesAndValues how it is read, see {@link ConvertOptions#of}
     * @param bad            null: a statement that can't be read is an error
     */
    public static Snapshot file(String path, String name, String from, List<String> namesAndValues, BadStatementFile bad) {
        return new SnapshotFile(new Place(path, name), ConvertBridge.format(from), ConvertBridge.options(namesAndValues),
                new Meter(), ConvertBridge.statements(bad));
    }

    /**
     * A snapshot as the content of a graph.
     *
     * @param iri        empty: its statements say where they belong
     * @param mayBeEmpty see {@link PublishedFile}
     */
    public static PublishedFile ofGraph(Snapshot snapshot, String iri, boolean mayBeEmpty) {
        PublishedFile file = iri.isEmpty() ? new PublishedFile(snapshot, null) : PublishedFile.ofGraph(snapshot, iri);
        return file.mayBeEmpty(mayBeEmpty);
    }

    /**
     * A publication, see {@link Publication}.
     *
     * @param blankNodes see {@link BlankNodes#named}
     * @param maxDelete  see {@link DeletionLimit#of}
     * @param verify     whether all that a server has is read again afterwards, not only counted
     */
    public static Publication publication(OpenDataset dataset, List<PublishedFile> files, String blankNodes,
            String maxDelete, boolean verify, Bridge.Progress progress) {
        return new Publication(dataset, files, BlankNodes.named(blankNodes), DeletionLimit.of(maxDelete),
                verify ? Publication.Check.CONTENT : Publication.Check.COUNT, progress);
    }

    /**
     * Finds the difference alone, see {@link Publication#difference}.
     *
     * @param patch  null where nobody wants it
     * @param states whether what the dataset holds before and after is wanted
     */
    public static String difference(Publication publication, String patch, boolean states) throws IOException {
        return json(publication, publication.difference(patch == null ? null : new Place(patch), states));
    }

    /**
     * Publishes, see {@link Publication#publish}.
     *
     * @param name what errors call the difference
     */
    public static String publish(Publication publication, String patch, String name) throws IOException {
        return json(publication, publication.publish(new Place(patch, name)));
    }

    /** What was found; the states are not there where they were not asked for. */
    private record Found(long before, long deleted, long added, int unsettled, long positions, String stateBefore, String stateAfter) {
    }

    private static String json(Publication publication, Publication.Report report) {
        return JSON.toJson(new Found(report.before(), report.deleted(), report.added(), report.unsettled(),
                publication.positions(), publication.stateBefore(), publication.stateAfter()));
    }
}
