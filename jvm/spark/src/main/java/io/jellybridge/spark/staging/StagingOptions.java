package io.jellybridge.spark.staging;

import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofFolder;
import static io.jellybridge.options.Option.ofLarge;
import static io.jellybridge.options.Option.ofText;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionValues;
import java.io.File;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The options of all sinks that stage batches.
 *
 * @param stagingDir the parent of the staging folder, as a Hadoop path
 * @param inOrder    true if the rows come in order over all partitions; false to sort them in one task
 * @param txnAppId   the id of the writer in batch mode; null for no id
 * @param txnVersion the number of the batch, with a {@code txnAppId}
 */
public record StagingOptions(String stagingDir, boolean inOrder, String txnAppId, long txnVersion) {
    public static final Option<String> STAGING_DIR = ofFolder("stagingDir",
            "a folder that driver and executors can write, where a batch waits to be applied; without, the setting"
                    + " `spark.jellybridge.stagingDir`, then one in `checkpointLocation`, and with a local master, where the JVM"
                    + " keeps temporary files");
    public static final Option<Boolean> IN_ORDER = ofFlag("inOrder", false,
            "your rows are sorted already, within each partition and from one to the next, as those of `diff` are: each task"
                    + " stages its own partition, and nothing is shuffled; rows out of order are refused");
    // The names are those of Delta Lake.
    public static final Option<String> TXN_APP_ID = ofText("txnAppId", "a text", null,
            "in batch: who writes, so that a batch comes once; goes with `txnVersion`");
    public static final Option<Long> TXN_VERSION = ofLarge("txnVersion", 0L, 0,
            "in batch: the number of the batch; one that comes again is skipped, and by `jena` one that is lower than the last");

    /** The setting of a session that stands for the option. */
    private static final String STAGING_DIR_SETTING = "spark.jellybridge." + STAGING_DIR.name();
    private static final String CHECKPOINT_LOCATION = "checkpointLocation";
    private static final String STAGING_IN_CHECKPOINT = "/jellybridge-staging";

    public static final List<Option<?>> OPTIONS = List.of(STAGING_DIR, IN_ORDER, TXN_APP_ID, TXN_VERSION);

    /**
     * Parses options.
     *
     * @throws IllegalArgumentException an option is missing or wrong; the message names it
     */
    public static StagingOptions of(OptionValues given) {
        if (given.has(TXN_APP_ID) != given.has(TXN_VERSION)) {
            throw new IllegalArgumentException("the options '" + TXN_APP_ID.name() + "' and '" + TXN_VERSION.name()
                    + "' go together: who writes, and the number of the batch");
        }
        return new StagingOptions(stagingDir(given), given.get(IN_ORDER), given.get(TXN_APP_ID), given.get(TXN_VERSION));
    }

    private static String stagingDir(OptionValues given) {
        if (given.has(STAGING_DIR)) {
            return given.get(STAGING_DIR);
        }
        String ofSession = SparkSession.active().conf().get(STAGING_DIR_SETTING, "");
        if (!ofSession.isEmpty()) {
            return ofSession;
        }
        if (given.getText(CHECKPOINT_LOCATION) != null) {
            return given.getText(CHECKPOINT_LOCATION) + STAGING_IN_CHECKPOINT;
        }
        if (SparkSession.active().sparkContext().isLocal()) {
            return new Path(new File(System.getProperty("java.io.tmpdir")).toURI()).toString();
        }
        throw new IllegalArgumentException("the option '" + STAGING_DIR.name()
                + "' is missing: set it, or " + STAGING_DIR_SETTING + ", to a folder that driver and executors can write");
    }
}
