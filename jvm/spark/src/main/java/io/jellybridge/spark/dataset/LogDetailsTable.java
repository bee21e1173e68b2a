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
import java.io.UncheckedIOException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The versions or the checkpoints of a log, as a table with a row for each. */
public final class LogDetailsTable implements SupportsRead {
    private static final String VERSION = "version";
    private static final String QUADS = "quads";
    private static final String ID = "id";
    private static final String TIME = "time";

    /** The tables of a log. */
    public enum Detail {
        /** The patches of the log, and the state with which it begins. */
        VERSIONS(schema("added", DataTypes.LongType, "deleted", DataTypes.LongType)),
        /** The checkpoints of the log. */
        CHECKPOINTS(schema(QUADS, DataTypes.LongType, "bytes", DataTypes.LongType).add("hash", DataTypes.StringType));

        private final StructType schema;

        Detail(StructType schema) {
            this.schema = schema;
        }

        private static StructType schema(String one, DataType typeOfOne, String other, DataType typeOfOther) {
            return new StructType().add(VERSION, DataTypes.LongType, false).add(ID, DataTypes.StringType)
                    .add(TIME, DataTypes.TimestampType).add(one, typeOfOne, false).add(other, typeOfOther, false);
        }

        /** Returns the name of the table in SQL. */
        public String tableName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the detail with that table name, or null. */
        public static Detail named(String name) {
            for (Detail detail : values()) {
                if (detail.tableName().equalsIgnoreCase(name)) {
                    return detail;
                }
            }
            return null;
        }
    }

    private final LogDataset dataset;
    private final Detail detail;

    private LogDetailsTable(LogDataset dataset, Detail detail) {
        this.dataset = dataset;
        this.detail = detail;
    }

    /**
     * Returns a table of a log.
     *
     * @param server the connection options of a log on a server
     * @throws IOException there is no such log, or it can't be read
     */
    public static LogDetailsTable of(String address, Map<String, String> server, Detail detail) throws IOException {
        LogDataset dataset = new LogDataset(address, server);
        try (PatchLog log = dataset.open()) {
            log.head();
            return new LogDetailsTable(dataset, detail);
        }
    }

    @Override
    public String name() {
        return detail.tableName() + " of " + Redaction.address(dataset.address());
    }

    @Override
    @Deprecated
    public StructType schema() {
        return detail.schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return EnumSet.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
        return new FrameScanBuilder(name(), detail.schema, this::rows, null, () -> ScanSize.UNKNOWN);
    }

    private Dataset<Row> rows(SparkSession spark) {
        try (PatchLog log = dataset.open()) {
            return detail == Detail.CHECKPOINTS ? spark.createDataFrame(checkpoints(log), detail.schema) : versions(spark, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
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
    private Dataset<Row> versions(SparkSession spark, PatchLog log) throws IOException {
        Column op = col("op");
        Dataset<Row> patches = spark.read().format(PatchLogTableProvider.SHORT_NAME).options(dataset.server())
                .option("startingVersion", "earliest").option("committedOnly", true).load(dataset.address())
                .groupBy(col("patch").as(VERSION))
                .agg(nullif(max(regexp_extract(header(ID), "<(?:urn:)?uuid:(.*)>", 1)), lit("")).as(ID),
                        max(try_to_timestamp(regexp_extract(header(TIME), "^\"([^\"]*)\"", 1))).as(TIME),
                        count_if(op.equalTo("A")).as("added"), count_if(op.equalTo("D")).as("deleted"));
        Checkpoint state = log.first() == 2 ? log.checkpoint(1) : null;
        if (state != null) {
            List<Row> beginning = List.of(RowFactory.create(state.version(), state.id(), time(state), state.quads(), 0L));
            patches = patches.union(spark.createDataFrame(beginning, detail.schema));
        }
        return patches.orderBy(VERSION);
    }

    /** Returns the value of a header, and null in rows that are not that header. */
    private static Column header(String name) {
        return when(col("op").equalTo("H").and(col("name").equalTo(name)), col("value"));
    }
}
