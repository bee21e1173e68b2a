package io.jellybridge;

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

    private PublishBridge() {
    }

    /**
     * A file of statements.
     *
     * @param name           what errors call it
     * @param from           its format; null: by the suffix
     * @param namesAndValues how it is read, see {@link ConvertOptions#of}
     */
    public static Snapshot file(String path, String name, String from, List<String> namesAndValues) {
        return new SnapshotFile(new Place(path, name), ConvertBridge.format(from), ConvertBridge.options(namesAndValues),
                new Meter());
    }

    /** A snapshot as the content of a graph; an empty IRI: its statements say where they belong. */
    public static PublishedFile ofGraph(Snapshot snapshot, String iri) {
        return iri.isEmpty() ? new PublishedFile(snapshot, null) : PublishedFile.ofGraph(snapshot, iri);
    }

    /**
     * A publication, see {@link Publication}.
     *
     * @param blankNodes see {@link BlankNodes#named}
     * @param maxDelete  see {@link DeletionLimit#of}
     */
    public static Publication publication(OpenDataset dataset, List<PublishedFile> files, String blankNodes,
            String maxDelete, Bridge.Progress progress) {
        return new Publication(dataset, files, BlankNodes.named(blankNodes), DeletionLimit.of(maxDelete), progress);
    }

    /** Finds the difference alone, see {@link Publication#difference}; {@code patch} is null where nobody wants it. */
    public static long[] difference(Publication publication, String patch) throws IOException {
        return counts(publication.difference(patch == null ? null : new Place(patch)));
    }

    /** Publishes, see {@link Publication#publish}. */
    public static long[] publish(Publication publication, String patch) throws IOException {
        return counts(publication.publish(new Place(patch)));
    }

    /** How many quads there were, how many are deleted and added, and how many nodes are unsettled. */
    private static long[] counts(Publication.Report report) {
        return new long[] {report.before(), report.deleted(), report.added(), report.unsettled()};
    }
}
