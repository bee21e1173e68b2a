package io.jellybridge.spark.dataset;

import io.jellybridge.spark.log.ScanSize;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.V1Scan;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;

/**
 * A scan whose rows are those of a DataFrame.
 *
 * @param description the description in plans
 * @param schema      the requested columns
 * @param filter      the condition on rows; null for all rows
 * @param frame       creates the DataFrame
 * @param stream      creates the stream; null if streaming is not supported
 * @param size        estimates the size of all rows. Spark asks for it from 4.3 on
 */
record FrameScan(String description, StructType schema, Column filter, Function<SparkSession, Dataset<Row>> frame,
        Supplier<MicroBatchStream> stream, Supplier<ScanSize> size) implements V1Scan, SupportsReportStatistics {

    @Override
    public StructType readSchema() {
        return schema;
    }

    @Override
    public Statistics estimateStatistics() {
        return size.get();
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
        return stream == null ? V1Scan.super.toMicroBatchStream(checkpointLocation) : stream.get();
    }

    @Override
    @SuppressWarnings("unchecked") // FrameRelation is both
    public <T extends BaseRelation & TableScan> T toV1TableScan(SQLContext context) {
        Dataset<Row> all = frame.apply(context.sparkSession());
        Dataset<Row> rows = (filter == null ? all : all.where(filter))
                .select(Arrays.stream(schema.fieldNames()).map(functions::col).toArray(Column[]::new));
        return (T) new FrameRelation(description, context, schema,
                new FrameRows(context.sparkSession().sparkContext(), () -> rows, null));
    }
}
