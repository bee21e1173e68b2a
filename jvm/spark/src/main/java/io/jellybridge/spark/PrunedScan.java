package io.jellybridge.spark;

import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;

/** A scan that is its own builder. Spark first prunes its columns, and pushes filters down where a subclass takes them. */
public abstract class PrunedScan implements ScanBuilder, SupportsPushDownRequiredColumns, Scan {
    private final String description;
    private StructType columns;
    private Filter[] pushed = {};

    /**
     * Creates a scan.
     *
     * @param columns the columns before they are pruned
     */
    protected PrunedScan(String description, StructType columns) {
        this.description = description;
        this.columns = columns;
    }

    /** Keeps the filters that were pushed down. */
    protected final void keepPushed(Filter[] filters) {
        pushed = filters.clone();
    }

    /** Returns the filters that were pushed down. */
    public final Filter[] pushedFilters() {
        return pushed.clone();
    }

    @Override
    public final void pruneColumns(StructType required) {
        columns = required;
    }

    @Override
    public final Scan build() {
        return this;
    }

    @Override
    public final StructType readSchema() {
        return columns;
    }

    @Override
    public final String description() {
        return description;
    }
}
