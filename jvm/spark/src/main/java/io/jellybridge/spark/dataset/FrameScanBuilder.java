package io.jellybridge.spark.dataset;

import io.jellybridge.spark.log.ScanSize;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;

/** A scan builder with column pruning and filter pushdown before the shuffle. Spark applies the filters again. */
final class FrameScanBuilder implements ScanBuilder, SupportsPushDownRequiredColumns, SupportsPushDownFilters {
    private final String description;
    private final Function<SparkSession, Dataset<Row>> frame;
    private final Supplier<MicroBatchStream> stream;
    private final Supplier<ScanSize> size;
    private StructType schema;
    private Filter[] pushed = {};

    /** Creates a builder for a {@link FrameScan} of all columns and rows. */
    FrameScanBuilder(String description, StructType schema, Function<SparkSession, Dataset<Row>> frame,
            Supplier<MicroBatchStream> stream, Supplier<ScanSize> size) {
        this.description = description;
        this.schema = schema;
        this.frame = frame;
        this.stream = stream;
        this.size = size;
    }

    @Override
    public void pruneColumns(StructType required) {
        schema = required;
    }

    @Override
    public Filter[] pushFilters(Filter[] filters) {
        pushed = Arrays.stream(filters).filter(filter -> FilterColumn.of(filter) != null).toArray(Filter[]::new);
        return filters;
    }

    @Override
    public Filter[] pushedFilters() {
        return pushed.clone();
    }

    @Override
    public Scan build() {
        Column filter = Arrays.stream(pushed).map(FilterColumn::of).filter(Objects::nonNull).reduce(Column::and).orElse(null);
        return new FrameScan(description, schema, filter, frame, stream, size);
    }
}
