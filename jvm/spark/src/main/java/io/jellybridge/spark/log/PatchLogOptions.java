package io.jellybridge.spark.log;

import static io.jellybridge.options.Option.choice;
import static io.jellybridge.options.Option.flag;
import static io.jellybridge.options.Option.large;
import static io.jellybridge.options.Option.text;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.SparkOptions;
import io.jellybridge.spark.staging.StagingOptions;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The options of reading {@code format("rdf-patch-log")}.
 *
 * @param address              of the log, see {@link io.jellybridge.log.PatchLogs}
 * @param startingVersion      the first version to read; {@link #LATEST}: what comes after the head of that moment
 * @param endingVersion        the last version of a batch read; beyond the head means up to the head
 * @param maxPatchesPerTrigger how many versions a micro-batch takes at most
 * @param patchesPerPartition  how many versions a task reads
 * @param committedOnly        whether the rows of aborted transactions are left out
 * @param server               how to speak to the log's server; null: it is a folder
 * @param quarantine           where the reasons go why patches can't be read; null: the read fails at one
 */
record PatchLogOptions(String address, long startingVersion, long endingVersion, long maxPatchesPerTrigger,
        long patchesPerPartition, boolean committedOnly, HttpOptions server, String quarantine) implements Serializable {
    private static final Option<String> PATH =
            text("path", "an address", null, "where the log is; also the argument of `load`");
    static final Option<String> STARTING_VERSION = text("startingVersion", "earliest, latest or a version", "earliest",
            "the first version to read; `latest`, in streams only: what comes after the head");
    static final Option<Long> ENDING_VERSION =
            large("endingVersion", null, 1, "the last version of a batch read; without, the head");
    static final Option<Long> MAX_PATCHES_PER_TRIGGER = large("maxPatchesPerTrigger", null, 1,
            "how many versions a micro-batch takes at most, also under `Trigger.AvailableNow`; without, all");
    private static final Option<Long> PATCHES_PER_PARTITION =
            large("patchesPerPartition", 256L, 1, "how many versions a task reads");
    private static final Option<OnError> ON_ERROR = choice("onError", OnError.class, OnError.STOP,
            "what to do at a patch that can't be read; `quarantine`: leave it out");
    private static final Option<String> QUARANTINE_PATH = text("quarantinePath", "a folder", null,
            "with `onError=quarantine`: the folder for the reasons, `VERSION.reason.txt`");

    /** The starting version that means after the head. */
    static final long LATEST = -1;

    private static final Option<Boolean> COMMITTED_ONLY =
            flag("committedOnly", false, "leave out the rows of transactions that were aborted (`TA`)");

    static final OptionTable TABLE = SparkOptions.table(PatchLogTableProvider.SHORT_NAME,
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

    /** @throws IllegalArgumentException an option is unknown, missing, or has a value that it can't have */
    static PatchLogOptions of(Map<String, String> options) {
        OptionValues given = TABLE.values(options);
        String address = address(given);
        return new PatchLogOptions(address, starting(given), orAll(given.get(ENDING_VERSION)),
                orAll(given.get(MAX_PATCHES_PER_TRIGGER)), given.get(PATCHES_PER_PARTITION), given.get(COMMITTED_ONLY),
                server(address, given), quarantine(given));
    }

    /**
     * Opens the log that is written to.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    static PatchLog open(OptionValues given) throws IOException {
        String address = address(given);
        return PatchLogs.open(address, server(address, given));
    }

    private static String address(OptionValues given) {
        String address = given.get(PATH);
        if (address == null) {
            throw new IllegalArgumentException(
                    PatchLogTableProvider.SHORT_NAME + " needs the log's address: load(\"…\"), save(\"…\"), "
                            + "start(\"…\"), or in SQL LOCATION '…'");
        }
        return address;
    }

    private static long orAll(Long number) {
        return number == null ? Long.MAX_VALUE : number;
    }

    /** How to speak to the log's server; read on the driver, files and environment included. */
    private static HttpOptions server(String address, OptionValues given) {
        Map<String, String> ofServer = given.of(OptionTable.names(HttpOptions.OPTIONS));
        if (!PatchLogs.isRemote(address)) {
            if (!ofServer.isEmpty()) {
                throw new IllegalArgumentException("the log " + Redaction.address(address) + " is on no server, and has no "
                        + "options " + String.join(", ", ofServer.keySet()) + "; leave these out");
            }
            return null;
        }
        HttpOptions.checkWithoutUser(address, PATH.name());
        return PatchLogs.server(address, ofServer);
    }

    /** Opens the log. */
    PatchLog open() throws IOException {
        return PatchLogs.open(address, server);
    }

    private static long starting(OptionValues given) {
        return switch (given.get(STARTING_VERSION).trim().toLowerCase(Locale.ROOT)) {
            case "earliest" -> 1;
            case "latest" -> LATEST;
            default -> given.get(large(STARTING_VERSION.name(), null, 1, STARTING_VERSION.meaning()));
        };
    }

    private static String quarantine(OptionValues given) {
        if ((given.get(ON_ERROR) == OnError.QUARANTINE) != given.has(QUARANTINE_PATH)) {
            throw new IllegalArgumentException("options '" + ON_ERROR.name() + "=quarantine' and '" + QUARANTINE_PATH.name()
                    + "' of " + PatchLogTableProvider.SHORT_NAME + " go together: give both or none");
        }
        return given.get(QUARANTINE_PATH);
    }
}
