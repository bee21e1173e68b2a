package io.jellybridge.spark.sink;

import io.jellybridge.spark.RdfTableProvider;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.staging.StagedWrite;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.types.StructType;

/** The format {@code jena}: reads the quads of a dataset, and writes change rows to it. Options: {@link JenaSinkOptions}. */
public final class JenaTableProvider extends RdfTableProvider {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "jena";

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    protected StructType tableColumns() {
        return StatementColumns.QUADS;
    }

    @Override
    protected Set<TableCapability> tableCapabilities() {
        return JenaTable.CAPABILITIES;
    }

    @Override
    protected Table table(StructType schema, Map<String, String> options) {
        JenaSinkOptions given = JenaSinkOptions.of(options);
        // A write is recognized by its columns, which Spark makes all nullable.
        if (!schema.equals(StatementColumns.QUADS)) {
            StagedWrite.check(schema);
        }
        return new JenaTable(schema, given);
    }
}
