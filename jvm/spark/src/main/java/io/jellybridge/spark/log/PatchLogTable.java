package io.jellybridge.spark.log;

import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.staging.StagedWrite;
import io.jellybridge.spark.staging.StagingOptions;
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

/** A patch log as a table of change rows. On reading, {@code patch} is the version; on writing, it only orders the patches. */
final class PatchLogTable implements SupportsRead, SupportsWrite {
    static final Set<TableCapability> CAPABILITIES = Set.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ,
            TableCapability.BATCH_WRITE, TableCapability.STREAMING_WRITE, TableCapability.ACCEPT_ANY_SCHEMA);

    private final StructType schema;
    private final PatchLogOptions options;

    /**
     * @param schema the schema to write; {@link ChangeColumn#SCHEMA} for a read
     */
    PatchLogTable(StructType schema, PatchLogOptions options) {
        this.schema = schema;
        this.options = options;
    }

    @Override
    public String name() {
        return PatchLogTableProvider.SHORT_NAME + " " + options.address();
    }

    /** Returns the name in the progress of a streaming query. */
    @Override
    public String toString() {
        return name();
    }

    @Override
    @Deprecated
    public StructType schema() {
        return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return CAPABILITIES;
    }

    /**
     * @throws IllegalArgumentException the read has a schema with other columns
     */
    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
        if (!schema.equals(ChangeColumn.SCHEMA)) {
            throw new IllegalArgumentException(name() + " has columns of its own; read it without a schema, and select");
        }
        return new PatchLogScanBuilder(options);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new WriteBuilder() {

            @Override
            public Write build() {
                OptionValues given = PatchLogOptions.TABLE.values(info.options());
                StagingOptions staging = StagingOptions.of(given);
                String writer = staging.txnAppId() == null ? info.queryId() : staging.txnAppId();
                return new StagedWrite(name(), info.queryId(), info.schema(), staging,
                        new LogStep(given, writer, staging.txnVersion()), epoch -> new LogStep(given, writer, epoch));
            }
        };
    }
}
