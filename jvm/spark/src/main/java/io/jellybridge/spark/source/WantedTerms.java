package io.jellybridge.spark.source;

import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.sources.IsNull;
import org.apache.spark.sql.sources.StringStartsWith;

/** Converts Spark's filters to conditions on terms. */
final class WantedTerms {

    private WantedTerms() {
    }

    /** Returns the condition of a filter; null if the filter is unknown. */
    static Wanted of(Filter filter) {
        if (filter instanceof EqualTo equal && equal.value() instanceof String value) {
            return Wanted.oneOf(Set.of(value));
        }
        if (filter instanceof EqualNullSafe equal && (equal.value() == null || equal.value() instanceof String)) {
            return equal.value() == null ? Wanted.NULL : Wanted.oneOf(Set.of((String) equal.value()));
        }
        if (filter instanceof In in
                && Arrays.stream(in.values()).allMatch(value -> value == null || value instanceof String)) {
            // In SQL, nothing equals null.
            return Wanted.oneOf(Arrays.stream(in.values()).filter(Objects::nonNull).map(String.class::cast)
                    .collect(Collectors.toCollection(TreeSet::new)));
        }
        if (filter instanceof IsNull) {
            return Wanted.NULL;
        }
        if (filter instanceof IsNotNull) {
            return Wanted.TERM;
        }
        return filter instanceof StringStartsWith starts ? Wanted.startingWith(starts.value()) : null;
    }

    /** Adds a filter to a selection. The filter must be one that {@link #of} knows. */
    static QuadSelection and(QuadSelection selection, Filter filter) {
        Wanted asked = of(filter);
        String column = filter.references()[0].toLowerCase(Locale.ROOT);
        return new QuadSelection(and(selection.subject(), asked, column, "subject"),
                and(selection.predicate(), asked, column, "predicate"), and(selection.object(), asked, column, "object"),
                and(selection.graph(), asked, column, "graph"), selection.limit());
    }

    private static Wanted and(Wanted before, Wanted asked, String column, String name) {
        return column.equals(name) ? before.and(asked) : before;
    }
}
