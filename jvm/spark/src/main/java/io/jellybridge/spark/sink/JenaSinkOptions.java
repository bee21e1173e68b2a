package io.jellybridge.spark.sink;

import static io.jellybridge.options.Option.flag;
import static io.jellybridge.options.Option.large;
import static io.jellybridge.options.Option.text;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.SparkOptions;
import io.jellybridge.sync.FusekiOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    private static final Option<String> TARGET = text("target", "`tdb2:DIR` or a URL", null,
            "the dataset: a folder of the driver's disk, or the URL of a Fuseki's dataset; must be given");
    private static final Option<String> STAGING_DIR = text("stagingDir", "a folder", null,
            "a folder that driver and executors can write, where a batch waits to be applied; without, one in"
                    + " `checkpointLocation`, and with a local master, where the JVM keeps temporary files");
    static final Option<Boolean> CHECK_CHAIN = flag("checkChain", true,
            "whether patches must follow each other as their headers `id` and `prev` say");
    // As in Delta Lake.
    static final Option<String> TXN_APP_ID = text("txnAppId", "a text", null,
            "in batch: who writes, so that a batch comes once; goes with `txnVersion`");
    private static final Option<Long> TXN_VERSION = large("txnVersion", 0L, 0,
            "in batch: the number of the batch; one that is not above the last one that was applied is skipped");
    private static final Option<Boolean> TXN_CONSECUTIVE = flag("txnConsecutive", false,
            "in batch: whether the numbers leave none out, as those of `foreachBatch`, so that a batch that does not follow"
                    + " the last one is refused");

    static final OptionTable TABLE = SparkOptions.table(JenaTableProvider.SHORT_NAME, List.of(), OptionTable.join(
            List.of(TARGET, STAGING_DIR, CHECK_CHAIN, TXN_APP_ID, TXN_VERSION, TXN_CONSECUTIVE),
            FusekiOptions.OPTIONS));

    private static final String PATH = "path";
    private static final String CHECKPOINT_LOCATION = "checkpointLocation";
    private static final String STAGING_IN_CHECKPOINT = "/jena-staging";

    /** @throws IllegalArgumentException an option is unknown, missing or wrong; the message names it */
    static JenaSinkOptions of(Map<String, String> options) {
        OptionValues given = TABLE.values(options);
        if (given.text(PATH) != null) {
            throw new IllegalArgumentException("a path is given, which " + JenaTableProvider.SHORT_NAME
                    + " does not write to; leave it out, and name the dataset by the option '" + TARGET.name()
                    + "': tdb2:DIR or the address of one of Fuseki's");
        }
        if (!given.has(TARGET)) {
            throw new IllegalArgumentException("the option '" + TARGET.name()
                    + "' is missing: set it to the dataset, tdb2:DIR or the address of one of Fuseki's");
        }
        if (given.has(TXN_APP_ID) != given.has(TXN_VERSION)) {
            throw new IllegalArgumentException("the options '" + TXN_APP_ID.name() + "' and '" + TXN_VERSION.name()
                    + "' go together: who writes, and the number of the batch");
        }
        if (given.has(TXN_CONSECUTIVE) && !given.has(TXN_APP_ID)) {
            throw new IllegalArgumentException("the option '" + TXN_CONSECUTIVE.name() + "' goes with '"
                    + TXN_APP_ID.name() + "' and '" + TXN_VERSION.name() + "'; give these, or leave it out");
        }
        TargetLocation target =
                new TargetLocation(given.get(TARGET), given.of(OptionTable.names(FusekiOptions.OPTIONS)));
        return new JenaSinkOptions(target, stagingDir(given), given.get(TXN_APP_ID),
                given.get(TXN_VERSION), given.get(TXN_CONSECUTIVE), given.get(CHECK_CHAIN));
    }

    private static String stagingDir(OptionValues given) {
        if (given.has(STAGING_DIR)) {
            return given.get(STAGING_DIR);
        }
        if (given.text(CHECKPOINT_LOCATION) != null) {
            return given.text(CHECKPOINT_LOCATION) + STAGING_IN_CHECKPOINT;
        }
        if (SparkSession.active().sparkContext().isLocal()) {
            return Path.of(System.getProperty("java.io.tmpdir")).toUri().toString();
        }
        throw new IllegalArgumentException("the option '" + STAGING_DIR.name()
                + "' is missing: set it to a folder that driver and executors can write");
    }
}
