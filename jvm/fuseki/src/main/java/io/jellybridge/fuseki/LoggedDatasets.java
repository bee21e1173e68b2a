package io.jellybridge.fuseki;

import static io.jellybridge.options.Option.ofChoice;
import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofLarge;
import static io.jellybridge.options.Option.ofSeconds;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.log.CaptureWriter;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.FusekiConfigException;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * Records the datasets of a server that the system property {@value #PROPERTY} names. It has pairs of a dataset's name and the
 * folder or the address of its log: {@code /ds=/var/lib/logs/ds,/other=http://logs:3030/$/patch-logs/other}. For options see {@link LoggedOptions}.
 */
final class LoggedDatasets {
    static final String PROPERTY = "jellybridge.capture";
    static final NamedDatasets<LoggedDataset> NAMED = new NamedDatasets<>(PROPERTY, LoggedDataset.class,
            LoggedDataset::endCapture, "be recorded", "LOG");

    private LoggedDatasets() {
    }

    /**
     * Replaces the datasets of a server that is being built. A dataset that several services share is recorded for all of them.
     *
     * @param logs the folder of all other logs of the server; null if there is none
     * @throws FusekiConfigException a dataset can't be recorded, or could be changed past its log; then none is recorded
     */
    static void recordDatasets(DataAccessPointRegistry services, Path logs) {
        NAMED.wrapAll(services, () -> {
            LoggedOptions options = LoggedOptions.of(NAMED.options());
            NAMED.parseNames().forEach((name, log) -> {
                NAMED.wrap(services, name, base -> LoggedDataset.open(base, log, options, FollowingDatasets.areNamed(name)));
                Fuseki.serverLog.info("jellybridge: the changes of {} go to the log {}", name, Redaction.redactAddress(log));
            });
            services.accessPoints().forEach(service -> checkService(services, service, logs));
        });
    }

    /** Warns of datasets that were recorded before, are not recorded now, and can be changed. */
    static void warnOfUnrecorded(DataAccessPointRegistry services) {
        for (DataAccessPoint service : services.accessPoints()) {
            DatasetGraph dataset = service.getDataService().getDataset();
            if (LoggedDataset.of(dataset) == null && NamedDatasets.find(dataset, FollowingDataset.class) == null
                    && NamedDatasets.isChangedBy(service) && FollowedPosition.hasRecorded(LoggedDataset.findInnermost(dataset))) {
                Fuseki.serverLog.warn("jellybridge: {} was recorded into a log before, and this server does not record it. The log, "
                        + "and all that follow it, will lack its changes from now on. Name the log by -D{}={}=LOG", service.getName(),
                        PROPERTY, service.getName());
            }
        }
    }

    /** Checks that nothing changes the data of a recorded dataset past its log, and that its log hides no other one. */
    private static void checkService(DataAccessPointRegistry services, DataAccessPoint service, Path logs) {
        String name = service.getName();
        LoggedDataset logged = LoggedDataset.of(service.getDataService().getDataset());
        if (logged == null) {
            return;
        }
        NAMED.requireOneWay(services, service);
        Path hidden = logs == null || name.length() < 2 ? null : logs.resolve(name.substring(1));
        if (hidden != null && Files.exists(hidden) && !hidden.toAbsolutePath().normalize().equals(logged.folder())) {
            throw NAMED.refusalError(name, "this server has another log of that name, in " + hidden + "; record into that one, or "
                    + "move it away");
        }
    }

    /** Returns true if a folder is the log of a dataset. */
    static boolean isOfDataset(DataAccessPointRegistry services, Path folder) throws IOException {
        for (DataAccessPoint service : services.accessPoints()) {
            LoggedDataset logged = LoggedDataset.of(service.getDataService().getDataset());
            Path own = logged == null ? null : logged.folder();
            if (own != null && Files.exists(own) && Files.exists(folder) && Files.isSameFile(own, folder)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the recorded dataset of a service, whose log is on this machine; null if it has none. */
    static LoggedDataset findRecorded(DataAccessPointRegistry services, String name) {
        DataAccessPoint service = services.get("/" + name);
        LoggedDataset logged = service == null ? null : LoggedDataset.of(service.getDataService().getDataset());
        return logged == null || logged.folder() == null ? null : logged;
    }

    /**
     * The options of a {@link LoggedDataset}. As system properties they begin with {@value #PREFIX}, have hyphens, and apply to
     * each dataset that {@link LoggedDatasets#PROPERTY} names. As properties of an assembler description they apply to one
     * dataset.
     *
     * @param capture the options of the capture
     * @param server  the options of the log's server
     */
    record LoggedOptions(CaptureOptions capture, Map<String, String> server) {
        static final String PREFIX = LoggedDatasets.PROPERTY + ".";

        private static final Option<CaptureOptions.Start> START = ofChoice("start", CaptureOptions.Start.class,
                CaptureOptions.Start.WHOLE, "the first patch, see [Start a log](#start-a-log)");
        private static final Option<Boolean> FSYNC = ofFlag("fsync", true, "whether a commit waits for the disk");
        private static final Option<Boolean> EFFECTIVE_ONLY =
                ofFlag("effectiveOnly", false, "record only changes with an effect, so that the log can be undone");
        private static final Option<Duration> MAX_SECONDS =
                ofSeconds("maxSeconds", 10, "close a file of the log this long after its first patch");
        private static final Option<Long> MAX_BYTES =
                ofLarge("maxBytes", 64L << 20, 1, "close a file after the patch that makes it this large");
        private static final Option<Long> MAX_PATCHES = ofLarge("maxPatches", null, 1, "close a file after this many patches");

        static final OptionTable TABLE = new OptionTable("a logged dataset", OptionTable.join(
                List.of(START, FSYNC, EFFECTIVE_ONLY, MAX_SECONDS, MAX_BYTES, MAX_PATCHES), HttpOptions.OPTIONS), List.of());

        /**
         * Parses options.
         *
         * @param given the values by name
         * @throws IllegalArgumentException a name is unknown, or a value is invalid
         */
        static LoggedOptions of(Map<String, String> given) {
            OptionValues values = TABLE.parseValues(given);
            CaptureOptions capture = CaptureOptions.DEFAULT
                    .withStart(values.get(START))
                    .withFsync(values.get(FSYNC))
                    .withEffectiveOnly(values.get(EFFECTIVE_ONLY))
                    .withRotation(new CaptureWriter.Rotation(values.get(MAX_BYTES), values.get(MAX_PATCHES, Long.MAX_VALUE),
                            values.get(MAX_SECONDS).toMillis()));
            return new LoggedOptions(capture, values.of(OptionTable.names(HttpOptions.OPTIONS)));
        }
    }
}
