package io.jellybridge.spark.dataset;

import static org.apache.spark.sql.functions.col;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.sources.IsNull;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Not;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.sources.StringContains;
import org.apache.spark.sql.sources.StringEndsWith;
import org.apache.spark.sql.sources.StringStartsWith;

/** Converts pushed filters back to conditions on a DataFrame. */
final class FilterColumn {

    private FilterColumn() {
    }

    /** Returns the condition; null for an unknown filter. */
    static Column of(Filter filter) {
        if (filter instanceof And and) {
            return both(of(and.left()), of(and.right()), true);
        }
        if (filter instanceof Or or) {
            return both(of(or.left()), of(or.right()), false);
        }
        if (filter instanceof Not not) {
            Column child = of(not.child());
            return child == null ? null : functions.not(child);
        }
        if (filter instanceof EqualTo equal) {
            return col(equal.attribute()).equalTo(equal.value());
        }
        if (filter instanceof EqualNullSafe equal) {
            return col(equal.attribute()).eqNullSafe(equal.value());
        }
        if (filter instanceof In in) {
            return col(in.attribute()).isin(in.values());
        }
        if (filter instanceof IsNull isNull) {
            return col(isNull.attribute()).isNull();
        }
        if (filter instanceof IsNotNull isNotNull) {
            return col(isNotNull.attribute()).isNotNull();
        }
        return comparison(filter);
    }

    private static Column comparison(Filter filter) {
        if (filter instanceof StringStartsWith starts) {
            return col(starts.attribute()).startsWith(starts.value());
        }
        if (filter instanceof StringEndsWith ends) {
            return col(ends.attribute()).endsWith(ends.value());
        }
        if (filter instanceof StringContains contains) {
            return col(contains.attribute()).contains(contains.value());
        }
        if (filter instanceof GreaterThan greater) {
            return col(greater.attribute()).gt(greater.value());
        }
        if (filter instanceof GreaterThanOrEqual greater) {
            return col(greater.attribute()).geq(greater.value());
        }
        if (filter instanceof LessThan less) {
            return col(less.attribute()).lt(less.value());
        }
        return filter instanceof LessThanOrEqual less ? col(less.attribute()).leq(less.value()) : null;
    }

    private static Column both(Column left, Column right, boolean and) {
        if (left == null || right == null) {
            return null;
        }
        return and ? left.and(right) : left.or(right);
    }
}
