package io.jellybridge.spark.log;

import static io.jellybridge.options.Option.ofChoice;
import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofFolder;
import static io.jellybridge.options.Option.ofLarge;
import static io.jellybridge.options.Option.ofText;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.HadoopFiles;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.SparkOptions;
import io.jellybridge.spark.staging.StagingOptions;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The options for reading {@code format("rdf-patch-log")}.
 *
 * @param address              the log, see {@link io.jellybridge.log.PatchLogs}
 * @param startingVersion      the first version to read, or {@link #LATEST}, {@link #EARLIEST} or {@link #STATE}
 * @param endingVersion        the last version of a batch read; larger than the head = up to the head, unless {@code exact}
 * @param exact                true if the log must have {@code endingVersion}
 * @param maxPatchesPerTrigger the largest number of versions in a micro-batch
 * @param patchesPerPartition  the number of versions per task
 * @param committedOnly        true to leave out rows of aborted transactions
 * @param server               the connection options of the log's server; null for a folder
 * @param quarantine           the folder for the reasons that patches can't be read; null to fail at such a patch
 */
record PatchLogOptions(String address, long startingVersion, long endingVersion, boolean exact, long maxPatchesPerTrigger,
        long patchesPerPartition, boolean committedOnly, HttpOptions server, String quarantine) implements Serializable {
    private static final Option<String> PATH =
            ofText("path", "an address", null, "where the log is; also the argument of `load`");
    static final Option<String> STARTING_VERSION = ofText("startingVersion", "earliest, state, latest or a version", null,
            "the first version to read; without, version 1. `earliest`: the oldest patch that is there, whatever came before "
                    + "it; `state`: the newest checkpoint, as a patch that adds it, and the patches behind it; `latest`, in "
                    + "streams only: what comes after the head");
    static final Option<Long> ENDING_VERSION =
            ofLarge("endingVersion", null, 1, "the last version of a batch read; without, the head");
    static final Option<Long> MAX_PATCHES_PER_TRIGGER = ofLarge("maxPatchesPerTrigger", null, 1,
            "how many versions a micro-batch takes at most, also under `Trigger.AvailableNow`; without, all");
    private static final Option<Long> PATCHES_PER_PARTITION =
            ofLarge("patchesPerPartition", 256L, 1, "how many versions a task reads");
    private static final Option<OnError> ON_ERROR = ofChoice("onError", OnError.class, OnError.STOP,
            "what to do at a patch that can't be read; `quarantine`: leave it out");
    private static final Option<String> QUARANTINE_PATH = ofFolder("quarantinePath",
            "with `onError=quarantine`: the folder for the reasons, `VERSION.reason.txt`");

    /** The starting version after the head. */
    static final long LATEST = -1;
    /** The starting version of the oldest patch in the log. */
    static final long EARLIEST = -2;
    /** The starting version of the newest checkpoint, if there is one. */
    static final long STATE = -3;

    private static final Option<Boolean> COMMITTED_ONLY =
            ofFlag("committedOnly", false, "leave out the rows of transactions that were aborted (`TA`)");

    static final OptionTable TABLE = SparkOptions.tableOf(PatchLogTableProvider.SHORT_NAME,
            OptionTable.join(
                    List.of(PATH, STARTING_VERSION, ENDING_VERSION, MAX_PATCHES_PER_TRIGGER, PATCHES_PER_PARTITION,
                            COMMITTED_ONLY, ON_ERROR, QUARANTINE_PATH),
                    HttpOptions.OPTIONS),
            OptionTable.join(List.of(PATH), StagingOptions.OPTIONS, HttpOptions.OPTIONS), SparkOptions.OF_QUERIES);

    private enum OnError {
        STOP, QUARANTINE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Parses options.
     *
     * @throws IllegalArgumentException an option is unknown, missing, or has an invalid value
     */
    static PatchLogOptions of(Map<String, String> options) {
        OptionValues given = TABLE.parseValues(options);
        String address = addressOf(given);
        return new PatchLogOptions(address, startingVersion(given), orAll(given.get(ENDING_VERSION)),
                given.getText(PatchLogTableProvider.EXACT) != null,
                orAll(given.get(MAX_PATCHES_PER_TRIGGER)), given.get(PATCHES_PER_PARTITION), given.get(COMMITTED_ONLY),
                serverOptions(address, given), quarantineFolder(given));
    }

    /**
     * Opens the log to write to.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    static PatchLog openLog(OptionValues given) throws IOException {
        String address = addressOf(given);
        return PatchLogs.open(address, serverOptions(address, given));
    }

    private static String addressOf(OptionValues given) {
        String address = given.get(PATH);
        if (address == null) {
            throw new IllegalArgumentException(
                    PatchLogTableProvider.SHORT_NAME + " needs the log's address: load(\"…\"), save(\"…\"), "
                            + "start(\"…\"), or in SQL LOCATION '…'");
        }
        return PatchLogs.absoluteAddress(address); // executors may have another working directory
    }

    private static long orAll(Long number) {
        return number == null ? Long.MAX_VALUE : number;
    }

    /**
     * Returns the connection options of the log's server. They are resolved on the driver, including files and environment
     * variables.
     */
    private static HttpOptions serverOptions(String address, OptionValues given) {
        Map<String, String> ofServer = given.of(OptionTable.names(HttpOptions.OPTIONS));
        if (!PatchLogs.isRemote(address)) {
            if (!ofServer.isEmpty()) {
                throw new IllegalArgumentException("the log " + Redaction.redactAddress(address) + " is on no server, and has no "
                        + "options " + String.join(", ", ofServer.keySet()) + "; leave these out");
            }
            return null;
        }
        HttpOptions.checkWithoutUser(address, PATH.name());
        return PatchLogs.serverOptions(address, ofServer);
    }

    /** Returns the options that decide about the partitions. The same range of a log is equal, however its server is asked. */
    PatchLogOptions range() {
        return new PatchLogOptions(address, startingVersion, endingVersion, exact, Long.MAX_VALUE, patchesPerPartition, false, null,
                null);
    }

    PatchLog open() throws IOException {
        return PatchLogs.open(address, server);
    }

    private static long startingVersion(OptionValues given) {
        String said = given.get(STARTING_VERSION);
        return switch (said == null ? "1" : said.trim().toLowerCase(Locale.ROOT)) {
            case "1" -> 1;
            case "earliest" -> EARLIEST;
            case "state" -> STATE;
            case "latest" -> LATEST;
            default -> given.get(ofLarge(STARTING_VERSION.name(), null, 1, STARTING_VERSION.meaning()));
        };
    }

    /**
     * Returns the offset where a read starts.
     *
     * @param upTo the last version to read
     * @throws IllegalArgumentException the log no longer has the first version to read
     */
    PatchLogOffset startOffset(PatchLog log, long upTo) throws IOException {
        if (startingVersion == LATEST) {
            return PatchLogOffset.at(log, log.head().version());
        }
        if (startingVersion == EARLIEST) {
            requirePatches(log, Math.min(log.first(), upTo), upTo);
            return PatchLogOffset.at(log, log.first() - 1);
        }
        Checkpoint state = startingVersion == STATE ? log.findCheckpoint(upTo) : null;
        if (state != null && state.version() >= log.first() - 1) {
            return PatchLogOffset.before(state);
        }
        long from = Math.max(startingVersion, 1);
        requirePatches(log, from, upTo);
        return PatchLogOffset.at(log, from - 1);
    }

    /**
     * Checks that a range of versions still has its patches.
     *
     * @throws IllegalArgumentException it does not
     */
    void requirePatches(PatchLog log, long from, long to) throws IOException {
        if (isLacking(log, from, to)) {
            throw lackError(log, from, to, "begin with what is there by " + STARTING_VERSION.name() + "=" + log.first()
                    + (startingVersion == STATE
                            ? ", as there is no checkpoint to begin with that can be read from here"
                            : ", have the state come first by " + STARTING_VERSION.name()
                                    + "=state, or read the state at a version by the format rdf-dataset"));
        }
    }

    /**
     * Checks that the patches of a planned range are still there. A stream has planned it by its checkpoint.
     *
     * @throws IllegalArgumentException they are not
     */
    static void requirePlanned(PatchLog log, long from, long to) throws IOException {
        if (isLacking(log, from, to)) {
            throw lackError(log, from, to, "read again in batch; a stream needs a new checkpoint: begin it with an empty target "
                    + "and " + STARTING_VERSION.name() + "=state, or with " + STARTING_VERSION.name() + "=" + log.first()
                    + " if the target may lack these versions");
        }
    }

    private static boolean isLacking(PatchLog log, long from, long to) throws IOException {
        return from < log.first() && from <= to;
    }

    private static IllegalArgumentException lackError(PatchLog log, long from, long to, String advice) throws IOException {
        long first = log.first();
        long last = Math.min(first - 1, to);
        return new IllegalArgumentException(log.name() + " has no patch of "
                + (last > from ? "the versions " + from + " to " + last : "version " + from)
                + ": its patches begin with version " + first + ", and what was before is a state, or pruned; " + advice);
    }

    private static String quarantineFolder(OptionValues given) {
        if ((given.get(ON_ERROR) == OnError.QUARANTINE) != given.has(QUARANTINE_PATH)) {
            throw new IllegalArgumentException("options '" + ON_ERROR.name() + "=quarantine' and '" + QUARANTINE_PATH.name()
                    + "' of " + PatchLogTableProvider.SHORT_NAME + " go together: give both or none");
        }
        return given.has(QUARANTINE_PATH) ? SparkCall.unchecked(
                () -> HadoopFiles.absoluteFolder(given.get(QUARANTINE_PATH), HadoopFiles.configuration())) : null;
    }
}
