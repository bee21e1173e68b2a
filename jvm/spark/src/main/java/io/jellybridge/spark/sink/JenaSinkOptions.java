package io.jellybridge.spark.sink;

import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofText;

import io.jellybridge.codec.Io;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.SparkOptions;
import io.jellybridge.spark.staging.StagingOptions;
import io.jellybridge.sync.ServerLocation;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The options of {@code spark.read.format("jena")}, {@code df.write.format("jena")} and {@code df.writeStream.format("jena")}.
 *
 * @param target         the dataset
 * @param staging        the staging folder and the identity of a batch
 * @param txnConsecutive true if a batch must follow the one with the number before
 * @param checkChain     true if patches must follow each other by their headers {@code id} and {@code prev}
 */
record JenaSinkOptions(TargetLocation target, StagingOptions staging, boolean txnConsecutive, boolean checkChain) {
    private static final Option<String> TARGET = ofText("target", "`tdb2:DIR` or a URL", null,
            "the dataset: a folder of the driver's disk, the URL of a Fuseki's dataset, or the address of a"
                    + " [SPARQL store](sparql-stores.md); must be given");
    static final Option<Boolean> CHECK_CHAIN = ofFlag("checkChain", true,
            "whether patches must follow each other as their headers `id` and `prev` say");
    private static final Option<Boolean> TXN_CONSECUTIVE = ofFlag("txnConsecutive", false,
            "in batch: whether the numbers leave none out, as those of `foreachBatch`, so that a batch that does not follow"
                    + " the last one is refused");

    private static final String PATH = "path";

    static final OptionTable TABLE = SparkOptions.tableOf(JenaTableProvider.SHORT_NAME,
            OptionTable.join(List.of(TARGET, StagingOptions.STAGING_DIR), ServerLocation.OPTIONS), OptionTable.join(
            List.of(TARGET, CHECK_CHAIN), StagingOptions.OPTIONS, List.of(TXN_CONSECUTIVE), ServerLocation.OPTIONS), ofSpark());

    private static Set<String> ofSpark() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(SparkOptions.OF_QUERIES);
        names.add(PATH); // refused below
        return names;
    }

    /**
     * Parses options.
     *
     * @throws IllegalArgumentException an option is unknown, missing or wrong; the message names it
     */
    static JenaSinkOptions of(Map<String, String> options) {
        OptionValues given = TABLE.parseValues(options);
        if (given.getText(PATH) != null) {
            throw new IllegalArgumentException("a path is given, which " + JenaTableProvider.SHORT_NAME
                    + " does not take; leave it out, and name the dataset by the option '" + TARGET.name()
                    + "': tdb2:DIR or the address of one of Fuseki's");
        }
        if (!given.has(TARGET)) {
            throw new IllegalArgumentException("the option '" + TARGET.name()
                    + "' is missing: set it to the dataset, tdb2:DIR or the address of one of Fuseki's");
        }
        StagingOptions staging = StagingOptions.of(given);
        if (given.has(TXN_CONSECUTIVE) && staging.txnAppId() == null) {
            throw new IllegalArgumentException("the option '" + TXN_CONSECUTIVE.name() + "' goes with '"
                    + StagingOptions.TXN_APP_ID.name() + "' and '" + StagingOptions.TXN_VERSION.name()
                    + "'; give these, or leave it out");
        }
        TargetLocation target =
                new TargetLocation(given.get(TARGET), given.of(OptionTable.names(ServerLocation.OPTIONS)));
        return new JenaSinkOptions(target, staging, given.get(TXN_CONSECUTIVE), given.get(CHECK_CHAIN));
    }

    /** Returns the name of the dataset in plans and errors, without credentials. */
    String name() {
        return JenaTableProvider.SHORT_NAME + " " + target;
    }

    /** The location of a dataset, with the options to connect to it. */
    static final class TargetLocation {
        private static final String TDB2 = "tdb2:";
        /** A lock for each folder that sinks of this process write to. */
        private static final ConcurrentMap<Path, ReentrantLock> TURNS = new ConcurrentHashMap<>();

        private final String directory;
        private ServerLocation server;

        /**
         * @param location {@code tdb2:DIR}, or the location of a server's dataset
         * @param options  connection options, see {@link ServerLocation#of}
         * @throws IllegalArgumentException the location can't be read or written, or an option is wrong
         */
        TargetLocation(String location, Map<String, String> options) {
            boolean isServer = ServerLocation.isOne(location);
            if (!isServer && !(location.startsWith(TDB2) && location.length() > TDB2.length())) {
                throw new IllegalArgumentException("the target '" + Redaction.redactAddress(location)
                        + "' is none that Spark reads or writes; set it to "
                        + "tdb2:DIR, a TDB2 database on the driver's disk, to the URL of a Fuseki's dataset, or to "
                        + "sparql:http://host/update?query=http://host/query");
            }
            if (!isServer && !options.isEmpty()) {
                throw new IllegalArgumentException("the target '" + location + "' is of no server, and has no options "
                        + String.join(", ", options.keySet()) + "; leave these out");
            }
            if (isServer) {
                HttpOptions.checkWithoutUser(location, "target");
            }
            directory = isServer ? null : location;
            server = isServer ? ServerLocation.of(location, options) : null;
        }

        /**
         * Opens the dataset for some work. A process can open a TDB2 database only once at a time, so this waits for other sinks of
         * this process.
         *
         * @throws InterruptedIOException interrupted while waiting
         */
        void open(Io.Consumer<OpenDataset> work) throws IOException {
            if (server == null) {
                Path folder = folder();
                if (!Files.exists(folder)) {
                    Files.createDirectories(folder);
                }
                runInTurn(folder, () -> DatasetStore.open(directory), work);
                return;
            }
            try (OpenDataset dataset = server.dataset()) {
                server = server.withBreakLease(false); // later batches find a lease of our own
                work.accept(dataset);
            }
        }

        /**
         * Opens an existing dataset for reading, see {@link #open}.
         *
         * @throws FileNotFoundException there is no such database; none was created
         */
        void openThere(Io.Consumer<OpenDataset> work) throws IOException {
            if (server == null) {
                Path folder = folder();
                if (!Files.exists(folder)) {
                    throw new FileNotFoundException("there is no TDB2 database in " + folder + " on the driver's disk");
                }
                runInTurn(folder, () -> DatasetStore.openThere(directory), work);
            } else {
                open(work);
            }
        }

        private Path folder() {
            return Path.of(directory.substring(TDB2.length()));
        }

        private void runInTurn(Path folder, Io.Supplier<OpenDataset> opening, Io.Consumer<OpenDataset> work) throws IOException {
            ReentrantLock turn = TURNS.computeIfAbsent(folder.toRealPath(), path -> new ReentrantLock(true));
            try {
                turn.lockInterruptibly();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while another query had " + directory);
            }
            try (OpenDataset dataset = opening.get()) {
                work.accept(dataset);
            } finally {
                turn.unlock();
            }
        }

        /** Returns the location without credentials. */
        @Override
        public String toString() {
            return server == null ? directory : server.toString();
        }
    }
}
