package io.jellybridge.spark.log;

import io.jellybridge.spark.ChangeColumn;
import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A patch log as a table of change rows; {@code patch} is the version. */
final class PatchLogTable implements SupportsRead {
    private final PatchLogOptions options;

    PatchLogTable(PatchLogOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return PatchLogTableProvider.SHORT_NAME + " " + options.address();
    }

    @Override
    @Deprecated
    public StructType schema() {
        return ChangeColumn.SCHEMA;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return EnumSet.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
        return new PatchLogScanBuilder(options);
    }
}
