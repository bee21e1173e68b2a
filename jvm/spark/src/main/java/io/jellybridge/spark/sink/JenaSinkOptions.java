package io.jellybridge.spark.sink;

import static io.jellybridge.options.Option.flag;
import static io.jellybridge.options.Option.text;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.SparkOptions;
import io.jellybridge.spark.source.QuadSource;
import io.jellybridge.spark.staging.StagingOptions;
import io.jellybridge.sync.ServerLocation;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The options of {@code spark.read.format("jena")}, {@code df.write.format("jena")} and {@code df.writeStream.format("jena")}.
 *
 * @param target         the dataset
 * @param staging        the staging folder and the identity of a batch
 * @param txnConsecutive true if a batch must follow the one with the number before
 * @param checkChain     true if patches must follow each other by their headers {@code id} and {@code prev}
 */
record JenaSinkOptions(TargetLocation target, StagingOptions staging, boolean txnConsecutive, boolean checkChain)
        implements QuadSource {
    private static final Option<String> TARGET = text("target", "`tdb2:DIR` or a URL", null,
            "the dataset: a folder of the driver's disk, the URL of a Fuseki's dataset, or the address of a"
                    + " [SPARQL store](sparql-stores.md); must be given");
    static final Option<Boolean> CHECK_CHAIN = flag("checkChain", true,
            "whether patches must follow each other as their headers `id` and `prev` say");
    private static final Option<Boolean> TXN_CONSECUTIVE = flag("txnConsecutive", false,
            "in batch: whether the numbers leave none out, as those of `foreachBatch`, so that a batch that does not follow"
                    + " the last one is refused");

    static final OptionTable TABLE = SparkOptions.table(JenaTableProvider.SHORT_NAME,
            OptionTable.join(List.of(TARGET, StagingOptions.STAGING_DIR), ServerLocation.OPTIONS), OptionTable.join(
            List.of(TARGET, CHECK_CHAIN), StagingOptions.OPTIONS, List.of(TXN_CONSECUTIVE), ServerLocation.OPTIONS));

    private static final String PATH = "path";

    /**
     * Parses options.
     *
     * @throws IllegalArgumentException an option is unknown, missing or wrong; the message names it
     */
    static JenaSinkOptions of(Map<String, String> options) {
        OptionValues given = TABLE.values(options);
        if (given.text(PATH) != null) {
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

    @Override
    public String name() {
        return JenaTableProvider.SHORT_NAME + " " + target;
    }

    @Override
    public String stagingDir() {
        return staging.stagingDir();
    }

    @Override
    public void open(Work work) throws IOException {
        target.openThere(work);
    }
}
