package io.jellybridge;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.LogDifference;
import io.jellybridge.checkpoint.LogVerification;
import io.jellybridge.checkpoint.NetPatch;
import io.jellybridge.checkpoint.PatchAlgebra;
import io.jellybridge.checkpoint.PatchFilter;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.checkpoint.State;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ReadableDifference;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.LogPositions;
import io.jellybridge.sync.LogComparison;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/**
 * The entry points that Python calls for the states of a log: checkpoints, pruning and verification, whose results are JSON;
 * and to compute with patches.
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
     * @param base the IRI of a download; null for a file
     * @param namesAndValues options for reading, names and values alternating
     */
    public static String begin(String address, String file, String name, String base, List<String> namesAndValues,
            Bridge.Progress progress) throws IOException {
        Checkpoint made = CheckpointFiles.begin(PatchLogs.store(address), new FileLocation(file, name, base),
                ConvertBridge.options(namesAndValues), progress);
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

    /** Returns the version at a time, or the one before the first, see {@link LogTimes#atOrBeforeFirst}. */
    public static long versionAtOrBeforeFirst(PatchLog log, long millis) throws IOException {
        return LogTimes.of(log.stored()).atOrBeforeFirst(Instant.ofEpochMilli(millis));
    }

    /** Returns the first version at a time or after it, see {@link LogTimes#after}. */
    public static long firstSince(PatchLog log, long millis) throws IOException {
        return LogTimes.of(log).after(Instant.ofEpochMilli(millis), true);
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
     * Sets the position of a dataset that equals a version of a log, see {@link LogPositions#adopt}.
     *
     * @param version 0 for the head
     */
    public static String adopt(PatchLog log, OpenDataset dataset, String key, long version, int shown, Bridge.Progress progress)
            throws IOException {
        return JSON.toJson(new LogPositions(log).adopt(dataset, key, version, shown, progress));
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

    /**
     * Computes a patch, see {@link PatchAlgebra#compute}.
     *
     * @param how    {@code squash}, {@code effective} or {@code invert}
     * @param inputs patches, see {@link ConvertBridge#places}
     * @param base   the state before the patches; null if it is not needed
     * @param output the file to write
     */
    public static void compute(String how, List<String> inputs, Snapshot base, String output) throws IOException {
        try (PatchAlgebra algebra = PatchAlgebra.of(base, ConvertBridge.places(inputs), List.of());
                NetPatch made = algebra.compute(how)) {
            made.writeFile(new FileLocation(output));
        }
    }

    /**
     * Merges two patches, see {@link PatchAlgebra#merge}.
     *
     * @param theirs    as {@code ours}; of a rebase, the patches that come behind ours
     * @param preferred the side that counts in conflicts, {@code ours} or {@code theirs}; null for neither
     * @param rebase    true for a patch that comes behind ours
     * @param conflicts a file for the changes in conflict: two patches, ours and theirs
     */
    public static void merge(List<String> ours, List<String> theirs, Snapshot base, String preferred, List<String> single,
            boolean rebase, String output, String conflicts) throws IOException {
        PatchAlgebra.Side side = preferred == null ? null : PatchAlgebra.Side.valueOf(preferred.toUpperCase(Locale.ROOT));
        try (PatchAlgebra algebra = PatchAlgebra.of(base, ConvertBridge.places(ours), ConvertBridge.places(theirs));
                PatchAlgebra.Merge merge = algebra.merge(new HashSet<>(canonical(single)), side, rebase)) {
            merge.writeFiles(new FileLocation(output), new FileLocation(conflicts));
        }
    }

    /** Splits patches, see {@link NetPatch#writeParts}. */
    public static void split(List<String> inputs, long rows, String output) throws IOException {
        try (PatchAlgebra algebra = PatchAlgebra.of(null, ConvertBridge.places(inputs), List.of());
                NetPatch net = algebra.effective()) {
            net.writeParts(rows, new FileLocation(output));
        }
    }

    /**
     * Selects statements of patches, see {@link PatchFilter}.
     *
     * @param base a snapshot that tells classes too; null for none
     */
    public static void filter(List<String> inputs, List<String> graphs, List<String> subjects, List<String> predicates,
            List<String> classes, Snapshot base, String output) throws IOException {
        PatchFilter filter = new PatchFilter(canonical(graphs), canonical(subjects), canonical(predicates), canonical(classes));
        filter.writeFile(ConvertBridge.places(inputs), base, new FileLocation(output));
    }

    /**
     * Groups the net effect of patches by subject for people.
     *
     * @param prefixes prefixes and namespaces alternating
     */
    public static ReadableDifference show(List<String> inputs, List<String> prefixes) throws IOException {
        try (Difference difference = LogDifference.ofFiles(ConvertBridge.places(inputs))) {
            return ConvertBridge.readable(difference, prefixes, null);
        }
    }

    private static List<String> canonical(List<String> terms) {
        return terms.stream().map(term -> new String(LogBridge.canonical(term), StandardCharsets.UTF_8)).toList();
    }
}
