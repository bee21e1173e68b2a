package io.jellybridge.spark.sink;

import io.jellybridge.spark.FileOptions;
import io.jellybridge.sync.FusekiOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.SparkSession;

/**
 * The options of {@code df.write.format("jena")} and {@code df.writeStream.format("jena")}.
 *
 * @param target         the dataset
 * @param stagingDir     the folder below which a batch waits to be applied, in Hadoop's form
 * @param txnAppId       who writes, in batch; null: nobody in particular
 * @param txnVersion     the number of the batch, when there is a {@code txnAppId}
 * @param txnConsecutive whether the batch must follow the one with the number before
 * @param checkChain     whether patches must follow each other as their headers {@code id} and {@code prev} say
 */
record JenaSinkOptions(TargetLocation target, String stagingDir, String txnAppId, long txnVersion, boolean txnConsecutive,
        boolean checkChain) {
    /** The dataset: {@code tdb2:DIR}, of the driver's disk, or the address of a Fuseki's dataset. Must be given. */
    static final String TARGET = "target";
    /**
     * A folder that driver and executors can write, where a batch waits to be applied; by default a folder in the
     * {@code checkpointLocation}, and with a local master one for temporary files.
     */
    static final String STAGING_DIR = "stagingDir";
    /** In batch: who writes, so that a batch comes once; goes with {@value #TXN_VERSION}. As in Delta Lake. */
    static final String TXN_APP_ID = "txnAppId";
    /** In batch: the number of the batch; one that is not above the last one that was applied is skipped. */
    static final String TXN_VERSION = "txnVersion";
    /**
     * In batch: whether the numbers leave none out, as those of {@code foreachBatch}; then one that does not follow what the
     * dataset has is refused. By default they only grow.
     */
    static final String TXN_CONSECUTIVE = "txnConsecutive";
    /** Whether patches are refused that come out of the order of their headers {@code id} and {@code prev}; default true. */
    static final String CHECK_CHAIN = "checkChain";

    /** All of them, with those of a Fuseki. */
    static final Set<String> NAMES = union(FusekiOptions.NAMES,
            Set.of(TARGET, STAGING_DIR, TXN_APP_ID, TXN_VERSION, TXN_CONSECUTIVE, CHECK_CHAIN));

    private static final String PATH = "path";
    private static final String CHECKPOINT_LOCATION = "checkpointLocation";
    private static final String STAGING_IN_CHECKPOINT = "/jena-staging";

    /** @throws IllegalArgumentException an option is unknown, missing or wrong; the message names it */
    static JenaSinkOptions of(Map<String, String> options) {
        FileOptions given = new FileOptions(options, JenaTableProvider.SHORT_NAME, NAMES);
        if (given.has(PATH)) {
            throw new IllegalArgumentException("a path is given, which " + JenaTableProvider.SHORT_NAME
                    + " does not write to; leave it out, and name the dataset by the option '" + TARGET
                    + "': tdb2:DIR or the address of one of Fuseki's");
        }
        if (!given.has(TARGET)) {
            throw new IllegalArgumentException("the option '" + TARGET
                    + "' is missing: set it to the dataset, tdb2:DIR or the address of one of Fuseki's");
        }
        if (given.has(TXN_APP_ID) != given.has(TXN_VERSION)) {
            throw new IllegalArgumentException("the options '" + TXN_APP_ID + "' and '" + TXN_VERSION
                    + "' go together: who writes, and the number of the batch");
        }
        if (given.has(TXN_CONSECUTIVE) && !given.has(TXN_APP_ID)) {
            throw new IllegalArgumentException("the option '" + TXN_CONSECUTIVE + "' goes with '" + TXN_APP_ID + "' and '"
                    + TXN_VERSION + "'; give these, or leave it out");
        }
        Map<String, String> settings = new TreeMap<>();
        FusekiOptions.NAMES.stream().filter(given::has).forEach(name -> settings.put(name, given.string(name, null)));
        return new JenaSinkOptions(new TargetLocation(given.string(TARGET, null), settings), stagingDir(given),
                given.string(TXN_APP_ID, null), version(given), given.bool(TXN_CONSECUTIVE, false),
                given.bool(CHECK_CHAIN, true));
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }

    private static String stagingDir(FileOptions given) {
        if (given.has(STAGING_DIR)) {
            return given.string(STAGING_DIR, null);
        }
        if (given.has(CHECKPOINT_LOCATION)) {
            return given.string(CHECKPOINT_LOCATION, null) + STAGING_IN_CHECKPOINT;
        }
        if (SparkSession.active().sparkContext().isLocal()) {
            return Path.of(System.getProperty("java.io.tmpdir")).toUri().toString();
        }
        throw new IllegalArgumentException("the option '" + STAGING_DIR
                + "' is missing: set it to a folder that driver and executors can write");
    }

    private static long version(FileOptions given) {
        String text = given.string(TXN_VERSION, "0").trim();
        try {
            long version = Long.parseLong(text);
            if (version >= 0) {
                return version;
            }
        } catch (NumberFormatException e) {
            throw noVersion(text);
        }
        throw noVersion(text);
    }

    private static IllegalArgumentException noVersion(String text) {
        return new IllegalArgumentException(
                "option '" + TXN_VERSION + "' is '" + text + "'; it takes a whole number of at least 0");
    }
}
