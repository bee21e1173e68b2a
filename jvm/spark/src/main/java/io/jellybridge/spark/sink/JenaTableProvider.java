package io.jellybridge.spark.sink;

import io.jellybridge.spark.RdfTableProvider;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.staging.StagedWrite;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The format {@code jena}: reads the quads of a dataset, and writes change rows to it. Options: {@link JenaSinkOptions}. */
public final class JenaTableProvider extends RdfTableProvider {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "jena";

    /** Reading, and appending with any schema: the rows decide which columns are needed. */
    private static final Set<TableCapability> CAPABILITIES = Set.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE, TableCapability.ACCEPT_ANY_SCHEMA);

    /** Creates the provider. */
    public JenaTableProvider() {
        super(SHORT_NAME, StatementColumns.QUADS, CAPABILITIES);
    }

    @Override
    protected Table tableOf(StructType schema, Map<String, String> options) {
        JenaSinkOptions given = JenaSinkOptions.of(options);
        // A write is recognized by its columns, which Spark makes all nullable.
        if (!schema.equals(StatementColumns.QUADS)) {
            StagedWrite.check(schema);
        }
        return new JenaTable(schema, given);
    }

    /** A dataset as a table: quads to read, and change rows to append. */
    private static final class JenaTable extends RdfTableProvider.StoreTable implements SupportsWrite {
        private final JenaSinkOptions options;

        JenaTable(StructType schema, JenaSinkOptions options) {
            super(options.name(), schema, JenaTableProvider.CAPABILITIES);
            this.options = options;
        }

        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap info) {
            return new QuadScan(options);
        }

        @Override
        public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
            String query = info.queryId();
            // Spark builds a write for each micro-batch. They share the target, since only the first breaks a lease.
            return builderOf(() -> new StagedWrite(name(), query, info.schema(), options.staging(), ExactlyOnceStep.ofBatch(options),
                    epoch -> ExactlyOnceStep.ofEpoch(options, query, epoch)));
        }
    }
}
