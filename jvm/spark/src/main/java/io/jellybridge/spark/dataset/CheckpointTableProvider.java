package io.jellybridge.spark.dataset;

import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.spark.StatementColumns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table provider for the quads of a checkpoint, used by {@link LogDataset} only. It has no short name, since users read
 * {@code rdf-dataset}.
 */
public final class CheckpointTableProvider implements TableProvider {
    private static final String STORE = "store";
    private static final String DESCRIPTION = "description";

    /** Returns the quads of a checkpoint. */
    static Dataset<Row> quads(SparkSession spark, Checkpoint checkpoint) {
        return spark.read().format(CheckpointTableProvider.class.getName())
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
        try {
            Checkpoint checkpoint = store == null || !options.containsKey(DESCRIPTION) ? null
                    : Checkpoint.of(PatchLogs.store(store), options.get(DESCRIPTION));
            if (checkpoint == null) {
                throw new IllegalArgumentException("states are read by the format " + DatasetTableProvider.SHORT_NAME);
            }
            return new CheckpointTable(checkpoint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
