package io.jellybridge.spark.dataset;

import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PartFile;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.StatementReader;
import io.jellybridge.spark.log.ScanSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A checkpoint as a table of quads. A task reads one of its files. It verifies the file's hash before it returns a row. Spark's
 * settings for corrupt or missing files apply to Spark's own files only, and not here.
 */
record CheckpointTable(Checkpoint checkpoint) implements SupportsRead {

    @Override
    public String name() {
        return "checkpoint " + checkpoint.name();
    }

    @Override
    @Deprecated
    public StructType schema() {
        return StatementColumns.QUADS;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
        return new Builder(checkpoint);
    }

    /** A scan builder with column pruning and filter pushdown. Spark applies the filters again. */
    private static final class Builder implements ScanBuilder, SupportsPushDownRequiredColumns, SupportsPushDownFilters {
        private final Checkpoint checkpoint;
        private StructType columns = StatementColumns.QUADS;
        private Filter[] filters = {};

        Builder(Checkpoint checkpoint) {
            this.checkpoint = checkpoint;
        }

        @Override
        public void pruneColumns(StructType required) {
            columns = required;
        }

        @Override
        public Filter[] pushFilters(Filter[] given) {
            filters = given.clone();
            return given;
        }

        @Override
        public Filter[] pushedFilters() {
            return filters.clone();
        }

        @Override
        public Scan build() {
            return new QuadsScan(checkpoint, columns, StatementReader.of(columns, filters));
        }
    }

    private record QuadsScan(Checkpoint checkpoint, StructType columns, StatementReader quads)
            implements Scan, Batch, SupportsReportStatistics {

        @Override
        public StructType readSchema() {
            return columns;
        }

        @Override
        public String description() {
            return "checkpoint " + checkpoint.name();
        }

        @Override
        public Statistics estimateStatistics() {
            return ScanSize.of(checkpoint);
        }

        @Override
        public Batch toBatch() {
            return this;
        }

        @Override
        public InputPartition[] planInputPartitions() {
            try {
                return checkpoint.files().stream().map(Part::new).toArray(InputPartition[]::new);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }

        @Override
        public PartitionReaderFactory createReaderFactory() {
            return new Readers(quads);
        }
    }

    private record Part(PartFile file) implements InputPartition {
    }

    private record Readers(StatementReader quads) implements PartitionReaderFactory {

        @Override
        public boolean supportColumnarReads(InputPartition part) {
            return true;
        }

        @Override
        public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition part) {
            PartFile file = ((Part) part).file();
            try {
                return quads.open(file.open(), file.name());
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }

        @Override
        public PartitionReader<InternalRow> createReader(InputPartition part) {
            throw new UnsupportedOperationException("rows come in batches");
        }
    }
}
