package io.jellybridge.spark.dataset;

import io.jellybridge.log.PatchLogs;
import io.jellybridge.spark.StatementColumns;
import java.nio.file.Path;
import java.util.EnumSet;
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

/** A log without versions as a table of quads, which accepts the log's initial content. The log need not exist. */
final class BeginningTable implements SupportsRead, SupportsWrite {
    private final Path folder;
    private final StructType schema;

    /**
     * @param schema the schema to write
     * @throws IllegalArgumentException the columns are not those of quads, or the log is on a server
     */
    BeginningTable(String address, StructType schema) {
        this.folder = PatchLogs.folder(address).toAbsolutePath();
        this.schema = schema;
        positions(schema);
    }

    private static int[] positions(StructType schema) {
        return StatementColumns.positionsToWrite(
                schema, StatementColumns.FRAMED_QUADS, DatasetTableProvider.SHORT_NAME, false);
    }

    @Override
    public String name() {
        return DatasetTableProvider.SHORT_NAME + " " + folder;
    }

    @Override
    @Deprecated
    public StructType schema() {
        return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return EnumSet.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE,
                TableCapability.ACCEPT_ANY_SCHEMA);
    }

    /**
     * @throws IllegalArgumentException always, since a log that is read has its own columns
     */
    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
        throw new IllegalArgumentException(name() + " has columns of its own; read it without a schema, and select");
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new WriteBuilder() {

            @Override
            public Write build() {
                return new BeginningWrite(folder, info.schema(), positions(info.schema()));
            }
        };
    }
}
