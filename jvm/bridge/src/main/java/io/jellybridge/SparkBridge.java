package io.jellybridge;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.Format;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.spark.dataset.FrameSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The entry points that Python calls in a Spark driver to pass DataFrames, so that no row goes through py4j. They are not in
 * {@link Bridge}, since this class can't be loaded without Spark.
 */
public final class SparkBridge {
    private static final List<String> TEXTS =
            List.of("op", "subject", "predicate", "object", "graph", "name", "value");
    private static final int PATCH = TEXTS.size();
    private static final int ROW = PATCH + 1;

    private static final StructType QUADS = new StructType()
            .add("subject", DataTypes.StringType)
            .add("predicate", DataTypes.StringType)
            .add("object", DataTypes.StringType)
            .add("graph", DataTypes.StringType);

    private SparkBridge() {
    }

    /**
     * Writes change rows to one Jelly-Patch file on the driver's disk. They are sorted by patch and row if these columns exist.
     * Otherwise they keep the order of the DataFrame's partitions.
     *
     * @throws IllegalArgumentException the rows have no order, or an op lacks a column; the message says what to do
     * @throws FormatException          the format does not allow a row at its place; its {@code file} names the row
     */
    public static void writeChanges(Dataset<Row> changes, String file) throws IOException {
        Map<String, String> columns = columns(changes);
        if (!columns.containsKey("op")) {
            throw new IllegalArgumentException("the DataFrame has no column op; change rows say by it what they do");
        }
        Dataset<Row> rows = changes.select(selection(columns));
        if (columns.containsKey("row")) {
            rows = rows.orderBy("patch", "row");
        }
        PatchOptions options = PatchOptions.DEFAULT.withRdfStar(true);
        Row row = null;
        try (PatchFileWriter writer =
                new PatchFileWriter(new FileLocation(file), Format.JELLY_PATCH, options, WriteOptions.DEFAULT)) {
            for (Iterator<Row> it = rows.toLocalIterator(); it.hasNext(); ) {
                row = it.next();
                hand(row, writer.rows());
            }
            writer.commit();
        } catch (FormatException e) {
            throw locate(e, row);
        }
    }

    /** Returns the column names of the DataFrame, to look up in any case, as the file formats do. */
    private static Map<String, String> columns(Dataset<Row> changes) {
        Map<String, String> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : changes.columns()) {
            columns.put(name, name);
        }
        return columns;
    }

    /** Returns the columns of change rows in a fixed order, with nulls for missing texts. */
    private static Column[] selection(Map<String, String> columns) {
        List<Column> selected = new ArrayList<>();
        for (String name : TEXTS) {
            Column column = columns.containsKey(name) ? functions.col(columns.get(name)) : functions.lit(null);
            selected.add(column.cast(DataTypes.StringType).as(name));
        }
        selected.add(number(columns, "patch", 0));
        selected.add(number(columns, "row", ChangeRowSink.NO_ROW));
        return selected.toArray(Column[]::new);
    }

    private static Column number(Map<String, String> columns, String name, long otherwise) {
        Column column = columns.containsKey(name) ? functions.col(columns.get(name)) : functions.lit(otherwise);
        return column.cast(DataTypes.LongType).as(name);
    }

    private static void hand(Row row, ChangeRowSink sink) {
        sink.row(number(row, PATCH), number(row, ROW), utf8(row, 0), utf8(row, 1), utf8(row, 2), utf8(row, 3),
                utf8(row, 4), utf8(row, 5), utf8(row, 6));
    }

    private static long number(Row row, int column) {
        if (row.isNullAt(column)) {
            throw new IllegalArgumentException("a row has null in " + (column == PATCH ? "patch" : "row")
                    + ", so its place is not known; number all rows, or drop that column");
        }
        return row.getLong(column);
    }

    /** Replaces the place in the temporary file by the place in the DataFrame. */
    private static FormatException locate(FormatException e, Row row) {
        String place = "DataFrame" + (row == null ? "" : ", patch " + row.getLong(PATCH)
                + (row.getLong(ROW) == ChangeRowSink.NO_ROW ? "" : ", row " + row.getLong(ROW)));
        return e.at(place);
    }

    private static byte[] utf8(Row row, int column) {
        return row.isNullAt(column) ? null : row.getString(column).getBytes(StandardCharsets.UTF_8);
    }

    /** Creates a snapshot from the quads of a DataFrame, see {@link FrameSnapshot}. */
    public static Snapshot snapshot(Dataset<Row> quads) {
        return new FrameSnapshot(quads);
    }

    /** Returns all quads of a store as a DataFrame. Its rows are in the driver's memory. */
    public static Dataset<Row> quads(SparkSession spark, OpenDataset store) throws IOException {
        List<Row> rows = new ArrayList<>();
        try (QuadCursor quads = store.rows()) {
            quads.forEachRemaining(quad -> rows.add(RowFactory.create(Arrays.stream(quad).map(SparkBridge::text).toArray())));
        }
        return spark.createDataFrame(rows, QUADS);
    }

    private static String text(byte[] utf8) {
        return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
    }
}
