package io.jellybridge.spark.dataset;

import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PartFile;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.spark.JellyRdfFileFormat.StatementReader;
import io.jellybridge.spark.PrunedScan;
import io.jellybridge.spark.RdfTableProvider;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.log.ScanSize;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A table provider for the quads of a checkpoint, used by {@link LogDataset} only. It has no short name, since users read
 * {@code rdf-dataset}.
 */
public final class CheckpointTableProvider implements TableProvider {
    private static final String STORE = "store";
    private static final String DESCRIPTION = "description";

    /**
     * Returns the quads of a checkpoint.
     *
     * @param server the connection options of a log on a server
     */
    static Dataset<Row> readQuads(SparkSession spark, Checkpoint checkpoint, Map<String, String> server) {
        return spark.read().format(CheckpointTableProvider.class.getName()).options(server)
                .option(STORE, checkpoint.store().address())
                .option(DESCRIPTION, checkpoint.json().toString()).load();
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return StatementColumns.QUADS;
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> given) {
        CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(given);
        String store = options.get(STORE);
        Map<String, String> server = new HashMap<>(options.asCaseSensitiveMap());
        server.keySet().removeIf(name -> name.equalsIgnoreCase(STORE) || name.equalsIgnoreCase(DESCRIPTION));
        Checkpoint checkpoint = store == null || !options.containsKey(DESCRIPTION) ? null
                : SparkCall.unchecked(() -> Checkpoint.of(PatchLogs.store(store,
                        PatchLogs.isRemote(store) ? PatchLogs.serverOptions(store, server) : null), options.get(DESCRIPTION)));
        if (checkpoint == null) {
            throw new IllegalArgumentException("states are read by the format " + DatasetTableProvider.SHORT_NAME);
        }
        return new CheckpointTable(checkpoint);
    }

    /**
     * A checkpoint as a table of quads. A task reads one of its files. It verifies the file's hash before it returns a row. Spark's
     * settings for corrupt or missing files apply to Spark's own files only, and not here.
     */
    private static final class CheckpointTable extends RdfTableProvider.StoreTable {
        private final Checkpoint checkpoint;

        CheckpointTable(Checkpoint checkpoint) {
            super("checkpoint " + checkpoint.name(), StatementColumns.QUADS, Set.of(TableCapability.BATCH_READ));
            this.checkpoint = checkpoint;
        }

        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
            return new QuadsScan(checkpoint);
        }

        /** A scan. Spark first prunes its columns and pushes filters, which it applies again. */
        private static final class QuadsScan extends PrunedScan implements SupportsPushDownFilters, Batch,
                SupportsReportStatistics {
            private final Checkpoint checkpoint;

            QuadsScan(Checkpoint checkpoint) {
                super("checkpoint " + checkpoint.name(), StatementColumns.QUADS);
                this.checkpoint = checkpoint;
            }

            @Override
            public Filter[] pushFilters(Filter[] given) {
                keepPushed(given);
                return given;
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
                return SparkCall.unchecked(() -> checkpoint.files().stream().map(Part::new).toArray(InputPartition[]::new));
            }

            @Override
            public PartitionReaderFactory createReaderFactory() {
                return new Readers(StatementReader.of(readSchema(), pushedFilters()));
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
                return SparkCall.unchecked(() -> quads.open(file.open(), file.name()));
            }

            @Override
            public PartitionReader<InternalRow> createReader(InputPartition part) {
                throw new UnsupportedOperationException("rows come in batches");
            }
        }
    }
}
