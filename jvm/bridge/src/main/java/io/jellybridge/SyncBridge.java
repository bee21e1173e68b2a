package io.jellybridge;

import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.ChangedShapes;
import io.jellybridge.sync.DatasetSnapshot;
import io.jellybridge.sync.DeletionLimit;
import io.jellybridge.sync.Follower;
import io.jellybridge.sync.Publication;
import io.jellybridge.sync.PublicationGuard;
import io.jellybridge.sync.PublishedFile;
import io.jellybridge.sync.SyncOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The entry points that Python calls for {@code Dataset.sync} and {@code Dataset.publish}. A report is JSON: that of a {@link
 * Follower}, or that of a {@link Publication}.
 */
public final class SyncBridge {
    private SyncBridge() {
    }

    /** Returns whether a folder is a patch log. */
    public static boolean isLog(String folder) throws IOException {
        return StoreLog.isLog(new FolderStore(Path.of(folder)));
    }

    /** Creates the options of a run, see {@link SyncOptions}. */
    public static SyncOptions options(String key, boolean dryRun, long batchRows, long batchBytes, double batchSeconds,
            boolean netEffect) {
        return new SyncOptions(key, dryRun, batchRows, batchBytes, batchSeconds, netEffect);
    }

    /** Creates a follower, see {@link Follower}. */
    public static Follower follower(OpenDataset dataset, SyncOptions options, String until, String untilId, String quarantine) {
        return new Follower(dataset, options, until, untilId, quarantine == null ? null : Path.of(quarantine));
    }

    /** Follows a folder or a file that is not a log, see {@link Follower#followFiles}. */
    public static String files(Follower follower, String path, boolean allowEmpty, Bridge.Progress progress) throws IOException {
        return CheckpointBridge.JSON.toJson(follower.followFiles(Path.of(path), allowEmpty, progress));
    }

    /** Follows a log, see {@link Follower#followLog}. */
    public static String log(Follower follower, PatchLog log, Bridge.Progress progress) throws IOException {
        boolean hasCheckpoints = !(log instanceof StoreLog folder) || !folder.store().list("checkpoints").isEmpty();
        return CheckpointBridge.JSON.toJson(follower.followLog(log, hasCheckpoints, progress));
    }

    /** Waits until a log has a newer version, see {@link PatchLog#awaitNewer}. */
    public static boolean awaitNewer(PatchLog log, long after, long seconds) throws IOException {
        return log.awaitNewer(after, Duration.ofSeconds(seconds));
    }

    /** Follows the patches of a DataFrame, see {@link Follower#followChanges}. */
    public static String changes(Follower follower, String file, String behind, Bridge.Progress progress) throws IOException {
        return CheckpointBridge.JSON.toJson(follower.followChanges(Path.of(file), behind, progress));
    }

    // --- publications

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
     * @param blankNodes see {@link BlankNodes#byName}
     * @param maxDelete  see {@link DeletionLimit#of}
     * @param guards     see {@link PublicationGuard#of}
     * @param shapes     a file of shapes; null for none
     * @param report     the file for what they find; null for none
     * @param verify     true to read all of a server's data again afterwards; false to compare only their number
     */
    public static Publication publication(OpenDataset dataset, List<PublishedFile> files, String blankNodes,
            String maxDelete, List<String> guards, Snapshot shapes, String report, boolean verify, Bridge.Progress progress)
            throws IOException {
        return new Publication(dataset, files, BlankNodes.byName(blankNodes), DeletionLimit.of(maxDelete),
                guards.stream().map(PublicationGuard::of).toList(), shapes == null ? null : new ChangedShapes(shapes, report),
                verify ? Publication.Check.CONTENT : Publication.Check.COUNT, progress);
    }

    /**
     * Computes the difference without publishing it, see {@link Publication#computeDifference}.
     *
     * @param patch  the file for the difference; null for none
     * @param states true to return the dataset's states before and after
     */
    public static String difference(Publication publication, String patch, boolean states) throws IOException {
        return json(publication, publication.computeDifference(patch == null ? null : new FileLocation(patch), states));
    }

    /**
     * Publishes the difference, see {@link Publication#publish}.
     *
     * @param name the name of the difference in errors
     */
    public static String publish(Publication publication, String patch, String name) throws IOException {
        return json(publication, publication.publish(new FileLocation(patch, name)));
    }

    /** The result as JSON. The states are null if they were not requested. */
    private record Found(long before, long deleted, long added, int unsettled, int prefixes, long positions, String stateBefore,
            String stateAfter, List<String> warnings) {
    }

    private static String json(Publication publication, Publication.Report report) {
        return CheckpointBridge.JSON.toJson(new Found(report.before(), report.deleted(), report.added(), report.unsettled(),
                report.prefixes(),
                publication.positions(), publication.stateBefore(), publication.stateAfter(), publication.warnings()));
    }
}
