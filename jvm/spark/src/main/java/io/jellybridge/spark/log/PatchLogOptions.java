package io.jellybridge.spark.log;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import java.io.IOException;
import java.io.Serializable;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The options of {@code format("rdf-patch-log")}.
 *
 * @param address              of the log, see {@link io.jellybridge.log.PatchLogs}
 * @param startingVersion      the first version to read; {@link #LATEST}: what comes after the head of that moment
 * @param endingVersion        the last version of a batch read; beyond the head means up to the head
 * @param maxPatchesPerTrigger how many versions a micro-batch takes at most
 * @param patchesPerPartition  how many versions a task reads
 * @param server               how to speak to the log's server; null: it is a folder
 * @param quarantine           where the reasons go why patches can't be read; null: the read fails at one
 */
record PatchLogOptions(String address, long startingVersion, long endingVersion, long maxPatchesPerTrigger,
        long patchesPerPartition, HttpOptions server, String quarantine) implements Serializable {
    /** Where the log is; also the argument of {@code load}. */
    static final String PATH = "path";
    /** {@code earliest}, the default, {@code latest} (streams only), or a version. */
    static final String STARTING_VERSION = "startingVersion";
    /** A version; default: the head. For batch reads. */
    static final String ENDING_VERSION = "endingVersion";
    /** Default: all that there are. For streams. */
    static final String MAX_PATCHES_PER_TRIGGER = "maxPatchesPerTrigger";
    /** Default 256. */
    static final String PATCHES_PER_PARTITION = "patchesPerPartition";
    /** {@code stop}, the default, or {@code quarantine}. */
    static final String ON_ERROR = "onError";
    /** The folder of a quarantine, which {@code onError=quarantine} needs. */
    static final String QUARANTINE_PATH = "quarantinePath";

    /** The starting version that means after the head. */
    static final long LATEST = -1;

    private static final long DEFAULT_PATCHES_PER_PARTITION = 256;
    private static final Set<String> NAMES = Set.of(PATH, STARTING_VERSION, ENDING_VERSION, MAX_PATCHES_PER_TRIGGER,
            PATCHES_PER_PARTITION, ON_ERROR, QUARANTINE_PATH);
    /** Those of a log on a server; read on the driver, files and environment included. */
    private static final Set<String> OF_SERVERS = HttpOptions.NAMES;

    /** @throws IllegalArgumentException an option is unknown, missing, or has a value that it can't have */
    static PatchLogOptions of(CaseInsensitiveStringMap given) {
        Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        known.addAll(NAMES);
        known.addAll(OF_SERVERS);
        for (String name : given.keySet()) {
            if (!known.contains(name) && !name.contains(".") && !name.startsWith("__")) {
                throw new IllegalArgumentException("unknown option '" + name + "' of " + PatchLogTableProvider.SHORT_NAME
                        + "; it has " + String.join(", ", known));
            }
        }
        String address = given.get(PATH);
        if (address == null) {
            throw new IllegalArgumentException(PatchLogTableProvider.SHORT_NAME + " needs the log's address: load(\"…\")");
        }
        return new PatchLogOptions(address, starting(given), number(given, ENDING_VERSION, Long.MAX_VALUE),
                number(given, MAX_PATCHES_PER_TRIGGER, Long.MAX_VALUE),
                number(given, PATCHES_PER_PARTITION, DEFAULT_PATCHES_PER_PARTITION), server(address, given),
                quarantine(given));
    }

    private static HttpOptions server(String address, CaseInsensitiveStringMap given) {
        Map<String, String> settings = new TreeMap<>();
        OF_SERVERS.stream().filter(given::containsKey).forEach(name -> settings.put(name, given.get(name)));
        if (!PatchLogs.isRemote(address)) {
            if (!settings.isEmpty()) {
                throw new IllegalArgumentException("the log " + Redaction.address(address) + " is on no server, and has no "
                        + "options " + String.join(", ", settings.keySet()) + "; leave these out");
            }
            return null;
        }
        HttpOptions.checkWithoutUser(address, PATH);
        return PatchLogs.server(address, settings);
    }

    /** Opens the log. */
    PatchLog open() throws IOException {
        return PatchLogs.open(address, server);
    }

    private static long starting(CaseInsensitiveStringMap given) {
        String text = given.getOrDefault(STARTING_VERSION, "earliest").trim().toLowerCase(Locale.ROOT);
        return switch (text) {
            case "earliest" -> 1;
            case "latest" -> LATEST;
            default -> number(given, STARTING_VERSION, 1);
        };
    }

    private static String quarantine(CaseInsensitiveStringMap given) {
        String onError = given.getOrDefault(ON_ERROR, "stop").trim().toLowerCase(Locale.ROOT);
        String folder = given.get(QUARANTINE_PATH);
        if (!onError.equals("stop") && !onError.equals("quarantine")) {
            throw refused(ON_ERROR, given.get(ON_ERROR), "stop or quarantine");
        }
        if (onError.equals("quarantine") != (folder != null)) {
            throw new IllegalArgumentException("options '" + ON_ERROR + "=quarantine' and '" + QUARANTINE_PATH + "' of "
                    + PatchLogTableProvider.SHORT_NAME + " go together: give both or none");
        }
        return folder;
    }

    private static long number(CaseInsensitiveStringMap given, String name, long otherwise) {
        String text = given.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text.trim());
            if (value >= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw refused(name, text, "a whole number of at least 1");
        }
        throw refused(name, text, "a whole number of at least 1");
    }

    private static IllegalArgumentException refused(String name, String value, String allowed) {
        return new IllegalArgumentException("option '" + name + "' of " + PatchLogTableProvider.SHORT_NAME + " is '" + value
                + "'; it takes " + allowed);
    }
}
