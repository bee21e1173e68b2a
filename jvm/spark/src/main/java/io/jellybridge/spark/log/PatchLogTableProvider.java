package io.jellybridge.spark.log;

import io.jellybridge.spark.ChangeColumn;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** {@code spark.read.format("rdf-patch-log")} and {@code spark.readStream}: the change rows of a patch log. */
public final class PatchLogTableProvider implements TableProvider, DataSourceRegister {
    static final String SHORT_NAME = "rdf-patch-log";

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return ChangeColumn.SCHEMA;
    }

    /** @throws IllegalArgumentException an option is unknown, missing, or has a value that it can't have */
    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new PatchLogTable(PatchLogOptions.of(properties));
    }
}
