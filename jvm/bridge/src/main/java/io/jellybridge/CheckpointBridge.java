package io.jellybridge;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.LogVerification;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.checkpoint.State;
import io.jellybridge.convert.InputLocation;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.InitialLoad;
import io.jellybridge.sync.LogComparison;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * The entry points that Python calls for the states of a log: checkpoints, pruning and verification. Results are
 * JSON.
 */
public final class CheckpointBridge {
    /** Writes reports as Python has them: each field, by its name in Python. */
    static final Gson JSON = new GsonBuilder().serializeNulls()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES).create();

    private CheckpointBridge() {
    }

    private record Made(long version, String id, String time, long quads, String hash, boolean isNew) {
    }

    /**
     * Creates the checkpoint of a version, or returns the existing one.
     *
     * @param version 0 for the head
     */
    public static String checkpoint(PatchLog log, long version, Bridge.Progress progress) throws IOException {
        StoreLog stored = log.stored();
        long wanted = version == 0 ? stored.headVersion() : version;
        Checkpoint there = new Checkpoints(stored).at(wanted);
        Checkpoint found = there == null ? CheckpointFiles.make(stored, wanted, progress) : there;
        return JSON.toJson(new Made(found.version(), found.id(), text(found.time()), found.quads(), found.hash(),
                there == null));
    }

    /**
     * Creates the first version of a log from the statements of a file, see {@link CheckpointFiles#begin}.
     *
     * @param name the file's name in errors
     */
    public static String begin(String address, String file, String name, Bridge.Progress progress) throws IOException {
        Checkpoint made = CheckpointFiles.begin(PatchLogs.store(address), new InputLocation(file, name), progress);
        return JSON.toJson(new Made(made.version(), made.id(), text(made.time()), made.quads(), made.hash(), true));
    }

    private static String text(Instant time) {
        return time == null ? null : time.toString();
    }

    private record Written(long version, String id, String time, long quads) {
    }

    /**
     * Writes the state of a version to a file, see {@link State#write}.
     *
     * @param version 0 for the head
     */
    public static String state(PatchLog log, String file, long version, Bridge.Progress progress) throws IOException {
        StoreLog stored = log.stored();
        try (State state = State.at(stored, version == 0 ? stored.headVersion() : version, progress)) {
            long quads = state.write(file);
            return JSON.toJson(new Written(state.version(), state.id(), text(state.time()), quads));
        }
    }

    /**
     * Finds a version by the id of its patch (see {@link LogVersions}) or by a time (see {@link LogTimes}).
     *
     * @param id     null to use the time
     * @param millis since 1970
     * @throws IllegalArgumentException there is no such version
     */
    public static long version(PatchLog log, String id, long millis) throws IOException {
        StoreLog stored = log.stored();
        return id == null ? LogTimes.of(stored).at(Instant.ofEpochMilli(millis)) : LogVersions.withId(stored, id);
    }

    /** Returns a sentence about the patches of a log whose clock was wrong; null if there are none. */
    public static String wrongClocks(PatchLog log) throws IOException {
        return LogTimes.of(log).wrongClocks();
    }

    /**
     * Deletes old patches, see {@link Pruning}.
     *
     * @param version the first version to keep; 0 to use the age
     * @param millis  the age of the patches to delete
     */
    public static String prune(PatchLog log, long version, long millis) throws IOException {
        StoreLog stored = log.stored();
        return JSON.toJson(version > 0 ? Pruning.before(stored, version)
                : Pruning.olderThan(stored, Instant.now().minus(Duration.ofMillis(millis))));
    }

    /** Verifies a log, see {@link LogVerification}. */
    public static String verify(PatchLog log, Bridge.Progress progress) throws IOException {
        return JSON.toJson(LogVerification.of(log.stored(), progress));
    }

    /**
     * Sets the position of a dataset that equals a version of a log, see {@link InitialLoad#adopt}.
     *
     * @param version 0 for the head
     */
    public static String adopt(PatchLog log, OpenDataset dataset, String key, long version, int shown, Bridge.Progress progress)
            throws IOException {
        return JSON.toJson(new InitialLoad(log).adopt(dataset, key, version, shown, progress));
    }

    /**
     * Compares a dataset with a log, see {@link LogComparison}.
     *
     * @param shown the largest number of differing quads in the result
     */
    public static String compare(PatchLog log, OpenDataset dataset, String key, int shown, Bridge.Progress progress)
            throws IOException {
        return JSON.toJson(LogComparison.of(log.stored(), dataset, key, shown, progress));
    }
}
