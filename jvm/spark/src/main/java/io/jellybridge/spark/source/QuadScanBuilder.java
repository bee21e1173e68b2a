package io.jellybridge.spark.source;

import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.spark.StatementColumns;
import java.util.Arrays;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;

/** A scan builder that pushes filters, columns and limits down to the dataset. Spark does not apply pushed filters again. */
public final class QuadScanBuilder
        implements ScanBuilder, SupportsPushDownRequiredColumns, SupportsPushDownFilters, SupportsPushDownLimit {
    private final QuadSource source;
    private StructType schema = StatementColumns.QUADS;
    private Filter[] pushed = {};
    private QuadSelection selection = QuadSelection.ALL;

    public QuadScanBuilder(QuadSource source) {
        this.source = source;
    }

    @Override
    public void pruneColumns(StructType required) {
        schema = required;
    }

    /**
     * @return the filters that are not pushed down
     */
    @Override
    public Filter[] pushFilters(Filter[] filters) {
        pushed = Arrays.stream(filters).filter(filter -> WantedTerms.of(filter) != null).toArray(Filter[]::new);
        for (Filter filter : pushed) {
            selection = WantedTerms.and(selection, filter);
        }
        return Arrays.stream(filters).filter(filter -> WantedTerms.of(filter) == null).toArray(Filter[]::new);
    }

    @Override
    public Filter[] pushedFilters() {
        return pushed.clone();
    }

    @Override
    public boolean pushLimit(int limit) {
        selection = selection.withLimit(limit);
        return true;
    }

    /** Returns true, since Spark applies the limit again to the rows of all tasks. */
    @Override
    public boolean isPartiallyPushed() {
        return true;
    }

    @Override
    public Scan build() {
        return new QuadScan(source, schema, selection);
    }
}
