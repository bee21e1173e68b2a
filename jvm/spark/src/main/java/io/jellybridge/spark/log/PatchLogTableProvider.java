package io.jellybridge.spark.log;

import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.staging.StagedWrite;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@code format("rdf-patch-log")}: the change rows of a patch log, read and appended, in batch and streaming. Options:
 * {@link PatchLogOptions}.
 */
public final class PatchLogTableProvider implements TableProvider, DataSourceRegister {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "rdf-patch-log";

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return ChangeColumn.SCHEMA;
    }

    /** So that a write brings the columns that it has. */
    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }

    /**
     * Checks options and columns, since this is called by {@code save()} and {@code start()}: what comes later, a streaming
     * query shows only to those who wait for its end.
     *
     * @throws IllegalArgumentException an option or a column is missing, unknown or wrong
     */
    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        PatchLogOptions options = PatchLogOptions.of(properties);
        StagedWrite.check(schema);
        return new PatchLogTable(schema, options);
    }
}
