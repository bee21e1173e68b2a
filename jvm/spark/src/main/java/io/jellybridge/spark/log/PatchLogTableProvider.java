package io.jellybridge.spark.log;

import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.RdfTableProvider;
import io.jellybridge.spark.staging.StagedWrite;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.types.StructType;

/**
 * The format {@code rdf-patch-log}: reads and appends the change rows of a patch log, in batch and streaming. Options: {@link
 * PatchLogOptions}.
 */
public final class PatchLogTableProvider extends RdfTableProvider {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "rdf-patch-log";

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    protected StructType tableColumns() {
        return ChangeColumn.SCHEMA;
    }

    @Override
    protected Set<TableCapability> tableCapabilities() {
        return PatchLogTable.CAPABILITIES;
    }

    @Override
    protected Table table(StructType schema, Map<String, String> options) {
        PatchLogOptions given = PatchLogOptions.of(options);
        StagedWrite.check(schema);
        return new PatchLogTable(schema, given);
    }
}
