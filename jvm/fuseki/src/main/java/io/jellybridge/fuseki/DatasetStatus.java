package io.jellybridge.fuseki;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * The state of a dataset that is recorded, follows a log, or both.
 *
 * @param name      the name of its service
 * @param logged    the recorded dataset; null if it is not recorded
 * @param following the following dataset; null if it follows nothing
 */
record DatasetStatus(String name, LoggedDataset logged, FollowingDataset following) {
    private static final int LAST_CHANGES = 5;

    /** Returns the states of all datasets of a server that have any. */
    static List<DatasetStatus> listAll(DataAccessPointRegistry services) {
        return services.accessPoints().stream().map(DatasetStatus::of).filter(Objects::nonNull).toList();
    }

    private static DatasetStatus of(DataAccessPoint service) {
        DatasetGraph dataset = service.getDataService().getDataset();
        LoggedDataset logged = LoggedDataset.of(dataset);
        FollowingDataset following = NamedDatasets.find(dataset, FollowingDataset.class);
        return logged == null && following == null ? null : new DatasetStatus(service.getName(), logged, following);
    }

    /** Returns false if the last change could not be recorded, or the follower has an error. */
    boolean isHealthy() {
        return isRecordingHealthy() && isFollowerHealthy();
    }

    /** Returns false if the last change could not be recorded. */
    boolean isRecordingHealthy() {
        return logged == null || !logged.isStopped() && logged.error() == null;
    }

    /** Returns false if the follower has an error. */
    boolean isFollowerHealthy() {
        return following == null || following.state().error() == null;
    }

    /**
     * Returns true if neither the recording nor the follower has stopped, and the dataset had all of the followed log within the
     * last seconds.
     */
    boolean isWithin(double longest) throws IOException {
        return (logged == null || !logged.isStopped())
                && (following == null || !following.state().isStopped() && following.secondsBehind() <= longest);
    }

    /** Returns the newest version of the followed log; null if the log has not been read since the start. */
    Long head() {
        long head = following.state().head();
        return head == FollowingDataset.State.UNKNOWN ? null : Long.valueOf(head);
    }

    /** Returns the number of patches of the followed log that the dataset lacks; null if it is unknown. */
    Long patchesBehind() throws IOException {
        Long head = head();
        return head == null ? null : Math.max(0, head - following.version());
    }

    /** Returns the size of the log's patches that readers see; null if it can't be read, or the log is on a server, which is not asked. */
    Long logBytes() {
        try {
            return logged.folder() == null ? null : Long.valueOf(StoreLog.countBytes(logged.store(), 1, Long.MAX_VALUE));
        } catch (IOException e) {
            return null; // the list of the last changes says why
        }
    }

    /** Returns the state as JSON. It contains no path of the server. */
    JsonObject json() throws IOException {
        JsonObject json = new JsonObject();
        json.addProperty("dataset", name);
        if (logged != null) {
            JsonObject log = new JsonObject();
            log.addProperty("version", logged.version());
            log.addProperty("captured", logged.patches());
            log.addProperty("bytes", logBytes());
            log.addProperty("stopped", logged.isStopped());
            log.addProperty("error", logged.error());
            log.add("last", lastChanges());
            json.add("log", log);
        }
        if (following != null) {
            FollowingDataset.State state = following.state();
            JsonObject follows = new JsonObject();
            follows.addProperty("log", following.shownAddress());
            follows.addProperty("version", following.version());
            follows.addProperty("head", head());
            follows.addProperty("behind", patchesBehind());
            follows.addProperty("seconds", following.secondsBehind());
            follows.addProperty("applied", state.patches());
            follows.addProperty("stopped", state.isStopped());
            follows.addProperty("error", state.error());
            follows.addProperty("errorTime", state.errorTime() == null ? null : state.errorTime().toString());
            json.add("follows", follows);
        }
        return json;
    }

    /** Returns the newest patches that readers of the log see, from the newest; none of a log on a server, which is not asked. */
    private JsonArray lastChanges() {
        JsonArray last = new JsonArray();
        if (logged.folder() == null) {
            return last;
        }
        try (StoreLog log = StoreLog.open(logged.store())) {
            long head = log.headVersion();
            for (long version = head; version > Math.max(0, head - LAST_CHANGES) && version >= log.first(); version--) {
                JsonObject change = LogVersions.readPatch(log, version, entry -> entry == null ? null : changeOf(entry));
                if (change != null) {
                    last.add(change);
                }
            }
        } catch (IOException | RuntimeException e) {
            JsonObject failed = new JsonObject();
            failed.addProperty("error", ExceptionMessages.toText(e).replace(logged.store().name(), "the log"));
            last.add(failed);
        }
        return last;
    }

    private static JsonObject changeOf(LogEntry entry) throws IOException {
        JsonObject change = new JsonObject();
        change.addProperty("version", entry.version());
        change.addProperty("id", entry.header().id());
        change.addProperty("time", entry.header().time() == null ? null : entry.header().time().toString());
        change.addProperty("rows", entry.rows());
        return change;
    }
}
