package io.jellybridge.spark.dataset;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.nullif;
import static org.apache.spark.sql.functions.regexp_extract;
import static org.apache.spark.sql.functions.try_to_timestamp;
import static org.apache.spark.sql.functions.when;

import io.jellybridge.http.Redaction;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PatchLog;
import io.jellybridge.spark.log.PatchLogTableProvider;
import io.jellybridge.spark.log.ScanSize;
import java.io.IOException;
import java.sql.Timestamp;
import java.util.ArrayList;
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
    VERSIONS(schema("added", DataTypes.LongType, "deleted", DataTypes.LongType)),
    /** The checkpoints of the log. */
    CHECKPOINTS(schema("quads", DataTypes.LongType, "bytes", DataTypes.LongType).add("hash", DataTypes.StringType));

    private final StructType schema;

    LogDetail(StructType schema) {
        this.schema = schema;
    }

    private static StructType schema(String one, DataType typeOfOne, String other, DataType typeOfOther) {
        return new StructType().add("version", DataTypes.LongType, false).add("id", DataTypes.StringType)
                .add("time", DataTypes.TimestampType).add(one, typeOfOne, false).add(other, typeOfOther, false);
    }

    /** Returns the name of the table in SQL. */
    public String tableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the detail with that table name, or null. */
    public static LogDetail named(String name) {
        for (LogDetail detail : values()) {
            if (detail.tableName().equalsIgnoreCase(name)) {
                return detail;
            }
        }
        return null;
    }

    /**
     * Returns this table of a log.
     *
     * @throws IOException there is no such log, or it can't be read
     */
    public Table table(LogDataset dataset) throws IOException {
        try (PatchLog log = dataset.open()) {
            log.head();
        }
        return new FrameTable(tableName() + " of " + Redaction.address(dataset.address()), schema,
                spark -> rows(spark, dataset), () -> ScanSize.UNKNOWN);
    }

    private Dataset<Row> rows(SparkSession spark, LogDataset dataset) throws IOException {
        try (PatchLog log = dataset.open()) {
            return this == CHECKPOINTS ? spark.createDataFrame(checkpoints(log), schema) : versions(spark, dataset, log);
        }
    }

    private static List<Row> checkpoints(PatchLog log) throws IOException {
        List<Row> rows = new ArrayList<>();
        Checkpoint next = log.checkpoint(Long.MAX_VALUE);
        while (next != null) {
            rows.add(0, RowFactory.create(next.version(), next.id(), time(next), next.quads(), next.bytes(), next.hash()));
            next = next.version() == 0 ? null : log.checkpoint(next.version() - 1);
        }
        return rows;
    }

    private static Timestamp time(Checkpoint checkpoint) {
        return checkpoint.time() == null ? null : Timestamp.from(checkpoint.time());
    }

    /** Counts the rows of each patch. A log that begins with a state has its quads as the additions of version 1. */
    private Dataset<Row> versions(SparkSession spark, LogDataset dataset, PatchLog log) throws IOException {
        Column op = col("op");
        Dataset<Row> patches = spark.read().format(PatchLogTableProvider.SHORT_NAME).options(dataset.server())
                .option("startingVersion", "earliest").option("committedOnly", true).load(dataset.address())
                .groupBy(col("patch").as("version"))
                .agg(nullif(max(regexp_extract(header("id"), "<(?:urn:)?uuid:(.*)>", 1)), lit("")).as("id"),
                        max(try_to_timestamp(regexp_extract(header("time"), "^\"([^\"]*)\"", 1))).as("time"),
                        count_if(op.equalTo("A")).as("added"), count_if(op.equalTo("D")).as("deleted"));
        Checkpoint state = log.first() == 2 ? log.checkpoint(1) : null;
        if (state != null) {
            List<Row> beginning = List.of(RowFactory.create(state.version(), state.id(), time(state), state.quads(), 0L));
            patches = patches.union(spark.createDataFrame(beginning, schema));
        }
        return patches.orderBy("version");
    }

    /** Returns the value of a header, and null in rows that are not that header. */
    private static Column header(String name) {
        return when(col("op").equalTo("H").and(col("name").equalTo(name)), col("value"));
    }
}
