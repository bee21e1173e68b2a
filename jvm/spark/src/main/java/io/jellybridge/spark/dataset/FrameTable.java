package io.jellybridge.spark.dataset;

import static org.apache.spark.sql.functions.col;

import io.jellybridge.codec.Io;
import io.jellybridge.options.OptionTable;
import io.jellybridge.spark.PrunedScan;
import io.jellybridge.spark.RdfTableProvider;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.log.ScanSize;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.V1Scan;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.sources.IsNull;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Not;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.sources.StringContains;
import org.apache.spark.sql.sources.StringEndsWith;
import org.apache.spark.sql.sources.StringStartsWith;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A table whose rows are those of a DataFrame, which is planned when it is read. */
final class FrameTable extends RdfTableProvider.StoreTable {
    private final StructType schema;
    private final OptionTable options;
    private final Io.Function<SparkSession, Dataset<Row>> frame;
    private final Supplier<ScanSize> size;

    /**
     * @param options the options of a read, for a check only
     * @param size    estimates the size of all rows. Spark asks for it from 4.3 on
     */
    FrameTable(String name, StructType schema, OptionTable options, Io.Function<SparkSession, Dataset<Row>> frame,
            Supplier<ScanSize> size) {
        super(name, schema, Set.of(TableCapability.BATCH_READ));
        this.schema = schema;
        this.options = options;
        this.frame = frame;
        this.size = size;
    }

    /**
     * @throws IllegalArgumentException an option is unknown
     */
    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap given) {
        options.parseValues(given.asCaseSensitiveMap());
        return new FrameScan(name(), schema, frame, null, size);
    }

    /**
     * A scan of a DataFrame. Spark first prunes its columns, and pushes filters down before the shuffle. It applies the filters
     * again.
     */
    static final class FrameScan extends PrunedScan implements SupportsPushDownFilters, V1Scan, SupportsReportStatistics {
        private final Io.Function<SparkSession, Dataset<Row>> frame;
        private final Supplier<MicroBatchStream> stream;
        private final Supplier<ScanSize> size;

        /**
         * @param stream creates the stream; null if streaming is not supported
         */
        FrameScan(String description, StructType schema, Io.Function<SparkSession, Dataset<Row>> frame,
                Supplier<MicroBatchStream> stream, Supplier<ScanSize> size) {
            super(description, schema);
            this.frame = frame;
            this.stream = stream;
            this.size = size;
        }

        @Override
        public Filter[] pushFilters(Filter[] filters) {
            keepPushed(Arrays.stream(filters).filter(filter -> FilterColumn.of(filter) != null).toArray(Filter[]::new));
            return filters;
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
        public <T extends BaseRelation & TableScan> T toV1TableScan(SQLContext context) {
            Dataset<Row> all = SparkCall.unchecked(() -> frame.apply(context.sparkSession()));
            Dataset<Row> rows = Arrays.stream(pushedFilters()).map(FilterColumn::of).reduce(Column::and).map(all::where)
                    .orElse(all);
            return FrameRows.relation(description(), context, readSchema(), () -> rows, null);
        }
    }

    /** Converts pushed filters back to conditions on a DataFrame. */
    private static final class FilterColumn {

        private FilterColumn() {
        }

        /** Returns the condition; null for an unknown filter. */
        static Column of(Filter filter) {
            if (filter instanceof And and) {
                return combineBoth(of(and.left()), of(and.right()), true);
            }
            if (filter instanceof Or or) {
                return combineBoth(of(or.left()), of(or.right()), false);
            }
            if (filter instanceof Not not) {
                Column child = of(not.child());
                return child == null ? null : functions.not(child);
            }
            if (filter instanceof EqualTo equal) {
                return col(equal.attribute()).equalTo(equal.value());
            }
            if (filter instanceof EqualNullSafe equal) {
                return col(equal.attribute()).eqNullSafe(equal.value());
            }
            if (filter instanceof In in) {
                return col(in.attribute()).isin(in.values());
            }
            if (filter instanceof IsNull isNull) {
                return col(isNull.attribute()).isNull();
            }
            if (filter instanceof IsNotNull isNotNull) {
                return col(isNotNull.attribute()).isNotNull();
            }
            return toComparison(filter);
        }

        private static Column toComparison(Filter filter) {
            if (filter instanceof StringStartsWith starts) {
                return col(starts.attribute()).startsWith(starts.value());
            }
            if (filter instanceof StringEndsWith ends) {
                return col(ends.attribute()).endsWith(ends.value());
            }
            if (filter instanceof StringContains contains) {
                return col(contains.attribute()).contains(contains.value());
            }
            if (filter instanceof GreaterThan greater) {
                return col(greater.attribute()).gt(greater.value());
            }
            if (filter instanceof GreaterThanOrEqual greater) {
                return col(greater.attribute()).geq(greater.value());
            }
            if (filter instanceof LessThan less) {
                return col(less.attribute()).lt(less.value());
            }
            return filter instanceof LessThanOrEqual less ? col(less.attribute()).leq(less.value()) : null;
        }

        private static Column combineBoth(Column left, Column right, boolean and) {
            if (left == null || right == null) {
                return null;
            }
            return and ? left.and(right) : left.or(right);
        }
    }
}
