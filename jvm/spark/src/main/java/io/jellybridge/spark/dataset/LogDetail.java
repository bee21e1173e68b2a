package io.jellybridge.spark.dataset;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.nullif;
import static org.apache.spark.sql.functions.regexp_extract;
import static org.apache.spark.sql.functions.when;

import io.jellybridge.http.Redaction;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchTimes;
import io.jellybridge.spark.log.PatchLogTableProvider;
import io.jellybridge.spark.log.ScanSize;
import java.io.IOException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The tables of a log, with a row for each of its versions or checkpoints. */
public enum LogDetail {
    /** The patches of the log, and the state with which it begins. */
    VERSIONS(schemaOf("added", DataTypes.LongType, "deleted", DataTypes.LongType)),
    /** The checkpoints of the log. */
    CHECKPOINTS(schemaOf("quads", DataTypes.LongType, "bytes", DataTypes.LongType).add("hash", DataTypes.StringType));

    /** The header {@code time} in the forms that {@link io.jellybridge.log.PatchTimes} accepts. Spark would accept more. */
    private static final String TIME = "^\"(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:[.]\\d+)?(?:Z|[+-]\\d\\d:\\d\\d))\""
            + "(?:\\^\\^<http://www.w3.org/2001/XMLSchema#dateTime>)?$";

    private final StructType schema;

    LogDetail(StructType schema) {
        this.schema = schema;
    }

    private static StructType schemaOf(String one, DataType typeOfOne, String other, DataType typeOfOther) {
        return new StructType().add("version", DataTypes.LongType, false).add("id", DataTypes.StringType)
                .add("time", DataTypes.TimestampType).add(one, typeOfOne, false).add(other, typeOfOther, false);
    }

    /** Returns the name of the table in SQL. */
    public String tableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the detail with that table name, or null. */
    public static LogDetail byName(String name) {
        return Arrays.stream(values()).filter(detail -> detail.tableName().equalsIgnoreCase(name)).findFirst().orElse(null);
    }

    /**
     * Returns this table of a log.
     *
     * @throws IOException there is no such log, or it can't be read
     */
    public Table tableOf(LogDataset dataset) throws IOException {
        try (PatchLog log = dataset.open()) {
            log.head();
        }
        return new FrameTable(tableName() + " of " + Redaction.redactAddress(dataset.address()), schema,
                DatasetTableProvider.OF_CATALOG, spark -> readRows(spark, dataset), () -> ScanSize.UNKNOWN);
    }

    private Dataset<Row> readRows(SparkSession spark, LogDataset dataset) throws IOException {
        try (PatchLog log = dataset.open()) {
            return this == CHECKPOINTS ? spark.createDataFrame(listCheckpoints(log), schema) : listVersions(spark, dataset, log);
        }
    }

    private static List<Row> listCheckpoints(PatchLog log) throws IOException {
        List<Row> rows = new ArrayList<>();
        Checkpoint next = log.findCheckpoint(Long.MAX_VALUE);
        while (next != null) {
            rows.add(0, RowFactory.create(next.version(), next.id(), timeOf(next), next.quads(), next.bytes(), next.hash()));
            next = next.version() == 0 ? null : log.findCheckpoint(next.version() - 1);
        }
        return rows;
    }

    private static Timestamp timeOf(Checkpoint checkpoint) {
        return checkpoint.time() == null ? null : Timestamp.from(checkpoint.time());
    }

    /** Counts the rows of each patch. A log that begins with a state has its quads as the additions of version 1. */
    private Dataset<Row> listVersions(SparkSession spark, LogDataset dataset, PatchLog log) throws IOException {
        Column op = col("op");
        Dataset<Row> patches = spark.read().format(PatchLogTableProvider.SHORT_NAME).options(dataset.server())
                .option("startingVersion", "earliest").option("committedOnly", true).load(dataset.address())
                .groupBy(col("patch").as("version"))
                .agg(nullif(max(regexp_extract(readHeader("id"), "<(?:urn:)?uuid:(.*)>", 1)), lit("")).as("id"),
                        max(inRange(regexp_extract(readHeader("time"), TIME, 1).try_cast(DataTypes.TimestampType))).as("time"),
                        count_if(op.equalTo("A")).as("added"), count_if(op.equalTo("D")).as("deleted"));
        Checkpoint state = log.first() == 2 ? log.findCheckpoint(1) : null;
        if (state != null) {
            List<Row> beginning = List.of(RowFactory.create(state.version(), state.id(), timeOf(state), state.quads(), 0L));
            patches = patches.union(spark.createDataFrame(beginning, schema));
        }
        return patches.orderBy("version");
    }

    private static Column inRange(Column time) {
        return when(time.geq(lit(PatchTimes.FIRST)).and(time.lt(lit(PatchTimes.LAST.plusMillis(1)))), time);
    }

    /** Returns the value of a header, and null in rows that are not that header. */
    private static Column readHeader(String name) {
        return when(col("op").equalTo("H").and(col("name").equalTo(name)), col("value"));
    }
}
