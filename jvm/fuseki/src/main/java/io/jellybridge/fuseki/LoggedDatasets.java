package io.jellybridge.fuseki;

import static io.jellybridge.options.Option.ofChoice;
import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofLarge;
import static io.jellybridge.options.Option.ofSeconds;

import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.log.LogWriter;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.FusekiConfigException;
import org.apache.jena.fuseki.access.DataAccessCtl;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * Records the datasets of a server that the system property {@value #PROPERTY} names. It has pairs of a dataset's name and the
 * folder of its log: {@code /ds=/var/lib/logs/ds,/other=/var/lib/logs/other}. For options see {@link LoggedOptions}.
 */
final class LoggedDatasets {
    static final String PROPERTY = "jellybridge.capture";
    private static final Set<Operation> CHANGES = Set.of(Operation.Update, Operation.GSP_RW, Operation.Upload, Operation.Patch,
            Operation.PREFIXES_RW);

    private LoggedDatasets() {
    }

    /**
     * Replaces the datasets of a server that is being built. A dataset that several services share is recorded for all of them.
     *
     * @param logs the folder of all other logs of the server; null if there is none
     * @throws FusekiConfigException a dataset can't be recorded, or could be changed past its log; then none is recorded
     */
    static void recordDatasets(DataAccessPointRegistry services, Path logs) {
        try {
            CaptureOptions options = LoggedOptions.ofProperties();
            for (Map.Entry<String, Path> dataset : parseNames(System.getProperty(PROPERTY)).entrySet()) {
                recordDatasets(services, dataset.getKey(), dataset.getValue(), options);
            }
            services.accessPoints().forEach(service -> checkEndpoints(services, service, logs));
        } catch (IllegalArgumentException e) {
            endAll(services);
            throw new FusekiConfigException("jellybridge: the properties " + LoggedOptions.PREFIX + "*: " + e.getMessage());
        } catch (RuntimeException e) {
            endAll(services);
            throw e;
        }
    }

    /** Returns true if the property names datasets. */
    static boolean areNamed() {
        return !parseNames(System.getProperty(PROPERTY)).isEmpty();
    }

    private static Map<String, Path> parseNames(String property) {
        Map<String, Path> named = new LinkedHashMap<>();
        for (String pair : property == null || property.isBlank() ? new String[0] : property.split(",")) {
            String[] parts = pair.split("=", 2);
            if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
                throw new FusekiConfigException("jellybridge: the property " + PROPERTY + " has '" + pair.strip()
                        + "'; write /DATASET=FOLDER, and a comma before the next");
            }
            if (named.put(DataAccessPoint.canonical(parts[0].strip()), Path.of(parts[1].strip())) != null) {
                throw new FusekiConfigException("jellybridge: the property " + PROPERTY + " names " + parts[0].strip()
                        + " twice");
            }
        }
        return named;
    }

    private static void recordDatasets(DataAccessPointRegistry services, String name, Path log, CaptureOptions options) {
        if (!services.isRegistered(name)) {
            throw refusalError(name, "this server has no such dataset; a dataset that is made later can be recorded by a "
                    + "jb:LoggedDataset in its description");
        }
        DatasetGraph base = services.get(name).getDataService().getDataset();
        if (DataAccessCtl.isAccessControlled(base)) {
            throw refusalError(name, "it has access rights to graphs, which have to stay above the log; put a jb:LoggedDataset "
                    + "beneath them in the configuration");
        }
        LoggedDataset logged;
        try {
            logged = LoggedDataset.open(base, log, options);
        } catch (IOException | UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
            throw refusalError(name, e.getMessage());
        }
        for (DataAccessPoint service : services.accessPoints()) {
            if (service.getDataService().getDataset() == base) {
                services.remove(service.getName());
                services.register(new DataAccessPoint(service.getName(),
                        DataService.newBuilder(service.getDataService()).dataset(logged).build()));
            }
        }
        Fuseki.serverLog.info("jellybridge: the changes of {} go to the log {}", name, log);
    }

    /** Checks that nothing changes the data of a recorded dataset past its log, and that its log hides no other one. */
    private static void checkEndpoints(DataAccessPointRegistry services, DataAccessPoint service, Path logs) {
        String name = service.getName();
        LoggedDataset logged = LoggedDataset.of(service.getDataService().getDataset());
        if (logged == null) {
            return;
        }
        for (DataAccessPoint other : services.accessPoints()) {
            DatasetGraph found = other.getDataService().getDataset();
            if (LoggedDataset.of(found) == null && LoggedDataset.findInnermost(found) == LoggedDataset.findInnermost(logged)
                    && CHANGES.stream().anyMatch(other.getDataService()::hasOperation)) {
                throw refusalError(name, other.getName() + " changes the same data in another way, which would not be recorded; put "
                        + "a jb:LoggedDataset beneath both in the configuration");
            }
        }
        Path hidden = logs == null || name.length() < 2 ? null : logs.resolve(name.substring(1));
        if (hidden != null && Files.exists(hidden) && !hidden.toAbsolutePath().normalize().equals(logged.log())) {
            throw refusalError(name, "this server has another log of that name, in " + hidden + "; record into that one, or move it "
                    + "away");
        }
    }

    /** Creates an exception without a cause, since Fuseki would show the cause instead. */
    private static FusekiConfigException refusalError(String name, String why) {
        return new FusekiConfigException("jellybridge: the dataset " + name + " can't be recorded: " + why);
    }

    /** Ends the recording of all datasets of a server. */
    static void endAll(DataAccessPointRegistry services) {
        for (DataAccessPoint service : services.accessPoints()) {
            LoggedDataset logged = LoggedDataset.of(service.getDataService().getDataset());
            if (logged != null) {
                logged.endCapture();
            }
        }
    }

    /** Returns the recorded dataset of a service; null if it has none. */
    static LoggedDataset findRecorded(DataAccessPointRegistry services, String name) {
        DataAccessPoint service = services.get("/" + name);
        return service == null ? null : LoggedDataset.of(service.getDataService().getDataset());
    }

    /**
     * The options of a {@link LoggedDataset}. As system properties they begin with {@value #PREFIX}, have hyphens, and apply to
     * each dataset that {@link LoggedDatasets#PROPERTY} names. As properties of an assembler description they apply to one
     * dataset.
     */
    static final class LoggedOptions {
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

        static final OptionTable TABLE = new OptionTable("a logged dataset",
                List.of(START, FSYNC, EFFECTIVE_ONLY, MAX_SECONDS, MAX_BYTES, MAX_PATCHES), List.of());

        private LoggedOptions() {
        }

        /**
         * Parses options.
         *
         * @param given the values by name
         * @throws IllegalArgumentException a name is unknown, or a value is invalid
         */
        static CaptureOptions of(Map<String, String> given) {
            OptionValues values = TABLE.parseValues(given);
            return CaptureOptions.DEFAULT
                    .withStart(values.get(START))
                    .withFsync(values.get(FSYNC))
                    .withEffectiveOnly(values.get(EFFECTIVE_ONLY))
                    .withRotation(new LogWriter.Rotation(values.get(MAX_BYTES), values.get(MAX_PATCHES, Long.MAX_VALUE),
                            values.get(MAX_SECONDS).toMillis()));
        }

        /** Parses the system properties. */
        static CaptureOptions ofProperties() {
            Map<String, String> given = new TreeMap<>();
            for (String name : System.getProperties().stringPropertyNames()) {
                if (name.startsWith(PREFIX)) {
                    given.put(name.substring(PREFIX.length()).replace("-", "").toLowerCase(Locale.ROOT), System.getProperty(name));
                }
            }
            return of(given);
        }
    }
}
