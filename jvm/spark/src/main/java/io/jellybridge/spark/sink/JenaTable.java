package io.jellybridge.spark.sink;

import io.jellybridge.spark.source.QuadScanBuilder;
import io.jellybridge.spark.staging.StagedWrite;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A dataset as a table: quads to read, and change rows to append. */
final class JenaTable implements SupportsRead, SupportsWrite {
    static final Set<TableCapability> CAPABILITIES = Set.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE, TableCapability.ACCEPT_ANY_SCHEMA);

    private final StructType schema;
    private final JenaSinkOptions options;

    JenaTable(StructType schema, JenaSinkOptions options) {
        this.schema = schema;
        this.options = options;
    }

    @Override
    public String name() {
        return JenaTableProvider.SHORT_NAME + " " + options.target();
    }

    /** Returns the name in the progress of a streaming query. */
    @Override
    public String toString() {
        return name();
    }

    /** Returns the columns. Deprecated in favour of {@code columns()}, but Spark 4.0 still calls it. */
    @Override
    @SuppressWarnings("deprecation")
    public StructType schema() {
        return schema;
    }

    /** Returns reading, and appending with any schema: the rows decide which columns are needed. */
    @Override
    public Set<TableCapability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap info) {
        return new QuadScanBuilder(options);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new WriteBuilder() {

            @Override
            public Write build() {
                JenaSinkOptions given = JenaSinkOptions.of(info.options());
                String query = info.queryId();
                return new StagedWrite(name(), query, info.schema(), given.staging(), TargetStep.ofBatch(given),
                        epoch -> TargetStep.ofEpoch(given, query, epoch));
            }
        };
    }
}
