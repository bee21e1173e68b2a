package io.jellybridge.spark.dataset;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lag;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.timestamp_micros;
import static org.apache.spark.sql.functions.when;

import io.jellybridge.http.Redaction;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.options.OptionTable;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.log.PatchLogTableProvider;
import io.jellybridge.spark.log.ScanSize;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A log as a dataset with versions.
 *
 * <p>The state at a version is that of the last checkpoint before it, plus the last operation on each quad in the patches
 * since. Operations of aborted transactions do not count. One Spark shuffle groups the operations by quad.
 *
 * @param address the log, see {@link PatchLogs}
 * @param server  the connection options of a log on a server
 */
public record LogDataset(String address, Map<String, String> server) {
    /** The schema of {@link #readChanges}. */
    static final StructType CHANGES = StatementColumns.QUADS.add("_change_type", DataTypes.StringType, false)
            .add("_commit_version", DataTypes.LongType, false).add("_commit_timestamp", DataTypes.TimestampType, true);

    /** The graph in which a dataset stores its positions, which are not data. */
    private static final String POSITIONS = "<urn:jellybridge:sync>";
    private static final Column[] QUAD = toColumns(StatementColumns.QUADS.fieldNames());
    private static final String PATCH = "patch";
    private static final String ROW = "row";
    private static final String OP = "op";
    private static final StructType TIMES =
            new StructType().add("version", DataTypes.LongType, false).add("micros", DataTypes.LongType, false);

    /** Creates the dataset. A relative path becomes absolute, since executors may have another working directory. */
    public LogDataset {
        address = PatchLogs.absoluteAddress(address);
    }

    private static Column[] toColumns(String... names) {
        return Stream.of(names).map(name -> col(name)).toArray(Column[]::new);
    }

    private static Column[] quadAnd(Column... more) {
        return Stream.concat(Stream.of(more), Stream.of(QUAD)).toArray(Column[]::new);
    }

    /** A choice of a version of a log. */
    @FunctionalInterface
    public interface AsOf {
        long versionOf(PatchLog log) throws IOException;

        /** Selects the head. */
        static AsOf head() {
            return log -> log.head().version();
        }

        /** Selects a version by its number or the id of its patch. */
        static AsOf versionOf(String text) {
            return log -> LogVersions.of(log, text);
        }

        /** Selects the last version at a time. */
        static AsOf timeOf(Instant time) {
            return log -> LogTimes.of(log).at(time);
        }
    }

    /** Returns a version of a log as a table of quads in a catalog, see {@link #tableOf(AsOf, OptionTable)}. */
    public Table tableOf(AsOf asOf) throws IOException {
        return tableOf(asOf, DatasetTableProvider.OF_CATALOG);
    }

    /**
     * Returns a version of a log as a table of quads. The version is resolved now.
     *
     * @param options the options of a read
     * @throws IllegalArgumentException the log has no such version
     * @throws IOException              there is no such log, or it can't be read
     */
    Table tableOf(AsOf asOf, OptionTable options) throws IOException {
        try (PatchLog log = open()) {
            long version = asOf.versionOf(log);
            return new FrameTable(DatasetTableProvider.SHORT_NAME + " " + Redaction.redactAddress(address) + " version " + version,
                    StatementColumns.QUADS, options, spark -> readState(spark, version), () -> sizeOf(version));
        }
    }

    PatchLog open() throws IOException {
        return PatchLogs.open(address, server);
    }

    /**
     * Returns the quads at a version.
     *
     * @throws IllegalStateException the log no longer has what came before that version
     */
    Dataset<Row> readState(SparkSession spark, long version) throws IOException {
        Base base = version == 0 ? Base.NOTHING : baseOf(version);
        if (version == base.version()) {
            return base.readQuads(spark, server);
        }
        return readEvents(spark, base, version).groupBy(QUAD).agg(max(struct(PATCH, ROW, OP)).as("last"))
                .where(col("last.op").equalTo("A")).select(QUAD);
    }

    /** Estimates the size of a state by the checkpoint and the patches that make it. */
    private ScanSize sizeOf(long version) {
        try {
            return ScanSize.of(address, PatchLogs.isRemote(address) ? PatchLogs.serverOptions(address, server) : null,
                    version == 0 ? null : baseOf(version).checkpoint(), version);
        } catch (IOException | IllegalStateException e) {
            return ScanSize.UNKNOWN; // the scan itself says what is wrong
        }
    }

    /**
     * Returns the changes of a range of versions. An insertion adds a missing quad, a deletion removes an existing one.
     * Operations without effect are not changes.
     *
     * @param from the first version
     * @param to   the last version
     * @param net  true to combine the changes of each quad into one, or none if they cancel out
     */
    Dataset<Row> readChanges(SparkSession spark, long from, long to, boolean net) throws IOException {
        if (to < from) {
            return spark.createDataFrame(List.of(), CHANGES);
        }
        Dataset<Row> changes = readEvents(spark, baseBefore(from), to).repartition(QUAD)
                .groupBy(quadAnd(col(PATCH))).agg(max(struct(ROW, OP)).as("last"))
                .select(quadAnd(col(PATCH), col("last.op").as(OP)))
                .withColumn("before", lag(OP, 1, "D").over(Window.partitionBy(QUAD).orderBy(PATCH)))
                .where(col(PATCH).geq(from).and(col(OP).notEqual(col("before"))));
        if (net) {
            // Insertions and deletions of a quad alternate.
            changes = changes.groupBy(QUAD).agg(count(lit(1)).as("changes"), max(struct(PATCH, OP)).as("last"))
                    .where(col("changes").mod(2).equalTo(1))
                    .select(quadAnd(col("last.patch").as(PATCH), col("last.op").as(OP)));
        }
        return changes.join(broadcast(readTimes(spark, from, to)), col(PATCH).equalTo(col("version")), "left")
                .select(Stream.concat(Stream.of(QUAD), Stream.of(
                        when(col(OP).equalTo("A"), "insert").otherwise("delete").as("_change_type"),
                        col(PATCH).as("_commit_version"), timestamp_micros(col("micros")).as("_commit_timestamp")))
                        .toArray(Column[]::new));
    }

    private Dataset<Row> readTimes(SparkSession spark, long from, long to) throws IOException {
        List<Row> rows = new ArrayList<>();
        try (PatchLog log = open()) {
            LogTimes times = LogTimes.of(log);
            for (long version = from; version <= to; version++) {
                Instant time = times.of(version);
                if (time != null) {
                    rows.add(RowFactory.create(version, ChronoUnit.MICROS.between(Instant.EPOCH, time)));
                }
            }
        }
        return spark.createDataFrame(rows, TIMES);
    }

    /** Returns the quads of the base as additions, then the operations of the patches after it. */
    private Dataset<Row> readEvents(SparkSession spark, Base base, long to) {
        Dataset<Row> there = base.readQuads(spark, server).select(
                quadAnd(lit(base.version()).as(PATCH), lit(-1L).as(ROW), lit("A").as(OP)));
        Dataset<Row> said = spark.read().format(PatchLogTableProvider.SHORT_NAME).options(server)
                .option("startingVersion", base.version() + 1).option("endingVersion", to).option(PatchLogTableProvider.EXACT, true)
                .option("committedOnly", true).load(address)
                .where(col(OP).isin("A", "D")).select(quadAnd(col(PATCH), col(ROW), col(OP)));
        return there.union(said).where(col("graph").isNull().or(col("graph").notEqual(POSITIONS)));
    }

    /**
     * The start of a state.
     *
     * @param version    the version of the log; 0 = before the first patch
     * @param checkpoint null if the start is empty
     */
    private record Base(long version, Checkpoint checkpoint) {
        static final Base NOTHING = new Base(0, null);

        Dataset<Row> readQuads(SparkSession spark, Map<String, String> server) {
            return checkpoint == null ? spark.createDataFrame(List.of(), StatementColumns.QUADS)
                    : CheckpointTableProvider.readQuads(spark, checkpoint, server);
        }
    }

    /**
     * Returns the state before a version. If version 1 is a checkpoint without a patch, its quads count as insertions of
     * version 1.
     */
    private Base baseBefore(long from) throws IOException {
        try (PatchLog log = open()) {
            return baseOf(from == 1 && log.first() == 2 ? from : from - 1);
        }
    }

    private Base baseOf(long version) throws IOException {
        try (PatchLog log = open()) {
            long first = log.first();
            Checkpoint checkpoint = log.findCheckpoint(version);
            if (checkpoint != null && checkpoint.store() == null) {
                checkpoint = null; // executors could not read it from here
            }
            if (checkpoint == null || checkpoint.version() < first - 1) {
                if (first > 1) {
                    throw new IllegalStateException(log.name() + " does not have version " + version
                            + " any more: its patches begin with version " + first + (version < first - 1
                                    ? "; ask for version " + (first - 1) + " or a later one"
                                    : ", and there is no checkpoint from " + (first - 1) + " to " + version + " that can be "
                                            + "read from here; ask for a later version, or where the log's folder is"));
                }
                return Base.NOTHING;
            }
            return new Base(checkpoint.version(), checkpoint);
        }
    }
}
