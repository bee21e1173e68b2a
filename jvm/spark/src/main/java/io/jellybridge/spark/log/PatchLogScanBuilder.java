package io.jellybridge.spark.log;

import io.jellybridge.spark.ChangeColumn;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;

/** A scan builder with column pruning. */
final class PatchLogScanBuilder implements ScanBuilder, SupportsPushDownRequiredColumns {
    private final PatchLogOptions options;
    private StructType schema = ChangeColumn.SCHEMA;

    PatchLogScanBuilder(PatchLogOptions options) {
        this.options = options;
    }

    @Override
    public void pruneColumns(StructType required) {
        schema = required;
    }

    @Override
    public Scan build() {
        return new PatchLogScan(options, schema);
    }
}
