package io.jellybridge.spark.sink;

import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.staging.StagedWrite;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** {@code format("jena")}: reads the quads of a dataset, and writes change rows to it. Options: {@link JenaSinkOptions}. */
public final class JenaTableProvider implements TableProvider, DataSourceRegister {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "jena";

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    /** So that a write brings the columns that it has. */
    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return StatementColumns.QUADS;
    }

    /**
     * Checks options and columns, since this is called by {@code save()} and {@code start()}: what comes later, a streaming
     * query shows only to those who wait for its end.
     *
     * @throws IllegalArgumentException an option or a column is missing, unknown or wrong
     */
    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        JenaSinkOptions options = JenaSinkOptions.of(properties);
        // What is written says so by its columns, all of which Spark calls nullable then.
        if (!schema.equals(StatementColumns.QUADS)) {
            StagedWrite.check(schema);
        }
        return new JenaTable(schema, options);
    }
}
