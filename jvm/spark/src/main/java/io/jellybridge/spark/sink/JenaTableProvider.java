package io.jellybridge.spark.sink;

import io.jellybridge.spark.RdfTableProvider;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.staging.StagedWrite;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.types.StructType;

/** {@code format("jena")}: reads the quads of a dataset, and writes change rows to it. Options: {@link JenaSinkOptions}. */
public final class JenaTableProvider extends RdfTableProvider {
    /** What {@code format(…)} calls it. */
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
        // What is written says so by its columns, all of which Spark calls nullable then.
        if (!schema.equals(StatementColumns.QUADS)) {
            StagedWrite.check(schema);
        }
        return new JenaTable(schema, given);
    }
}
