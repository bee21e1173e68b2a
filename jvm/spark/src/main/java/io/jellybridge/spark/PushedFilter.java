package io.jellybridge.spark;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.Selection.StatementFilter;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.sources.IsNull;
import org.apache.spark.sql.sources.Not;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.sources.StringStartsWith;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A predicate pushed down by Spark, on the columns {@code op}, {@code predicate} and {@code graph}. It excludes rows before
 * their terms are created. Spark keeps all filters in its plan and applies them again. So an unknown filter simply accepts
 * every row.
 */
abstract class PushedFilter implements StatementFilter<UTF8String>, Serializable {
    private static final long serialVersionUID = 1L;

    /** Returns the conjunction of all filters; null if it accepts every row. */
    static PushedFilter of(Seq<Filter> filters) {
        PushedFilter all = null;
        for (Filter filter : CollectionConverters.asJava(filters)) {
            PushedFilter one = of(filter);
            all = combineBoth(all, one);
        }
        return all;
    }

    /** Returns the conjunction of two filters. Either may be null, which accepts every row. */
    private static PushedFilter combineBoth(PushedFilter one, PushedFilter other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new Pair(true, one, other);
    }

    private static PushedFilter of(Filter filter) {
        if (filter instanceof And and) {
            return combineBoth(of(and.left()), of(and.right()));
        }
        if (filter instanceof Or or) {
            PushedFilter left = of(or.left());
            PushedFilter right = of(or.right());
            return left == null || right == null ? null : new Pair(false, left, right);
        }
        if (filter instanceof Not not) {
            Test test = test(not.child());
            // In SQL, a negated comparison with null is unknown, except for filters that ask for null.
            return test == null ? null : test.asksForNull()
                    ? toColumn(not.child(), value -> !test.matches(value))
                    : toColumn(not.child(), value -> value != null && !test.matches(value));
        }
        Test test = test(filter);
        return test == null ? null : toColumn(filter, test::matches);
    }

    /** Returns the test of a filter on its one column; null if the filter is unknown. */
    static Test test(Filter filter) {
        if (filter instanceof EqualTo equal) {
            return Test.ofValues(false, equal.value());
        }
        if (filter instanceof EqualNullSafe equal) {
            return Test.ofValues(true, equal.value());
        }
        if (filter instanceof In in) {
            return Test.ofValues(false, in.values());
        }
        if (filter instanceof IsNull) {
            return new Test(true, value -> value == null);
        }
        if (filter instanceof IsNotNull) {
            return new Test(true, value -> value != null);
        }
        if (filter instanceof StringStartsWith starts) {
            UTF8String start = UTF8String.fromString(starts.value());
            return new Test(false, value -> value != null && value.startsWith(start));
        }
        return null;
    }

    private static PushedFilter toColumn(Filter filter, Condition condition) {
        return switch (filter.references()[0].toLowerCase(Locale.ROOT)) {
            case "op" -> new OpColumn(condition);
            case "predicate" -> new TermColumn(false, condition);
            case "graph" -> new TermColumn(true, condition);
            default -> null;
        };
    }

    /** A test of a value, which may be null. */
    interface Condition extends Predicate<UTF8String>, Serializable {
    }

    record Test(boolean asksForNull, Condition condition) implements Serializable {

        /**
         * Returns a test for equality with one of the values. Returns null if a value is not a string. Spark never pushes such a
         * value for a string column.
         */
        static Test ofValues(boolean nullSafe, Object... values) {
            Set<UTF8String> wanted = new HashSet<>();
            for (Object value : values) {
                if (value == null && !nullSafe || value != null && !(value instanceof String)) {
                    return null;
                }
                wanted.add(value == null ? null : UTF8String.fromString((String) value));
            }
            return new Test(nullSafe, wanted::contains);
        }

        boolean matches(UTF8String value) {
            return condition.test(value);
        }
    }

    private static final class OpColumn extends PushedFilter {
        private static final long serialVersionUID = 1L;

        private final boolean[] accepted = new boolean[Op.values().length];

        OpColumn(Condition condition) {
            for (Op op : Op.values()) {
                accepted[op.ordinal()] = condition.test(ChangeColumn.toText(op));
            }
        }

        @Override
        public boolean isAccepted(Op op) {
            return accepted[op.ordinal()];
        }

        @Override
        public boolean needsTerms() {
            return false;
        }

        @Override
        public boolean isAccepted(Op op, UTF8String predicate, UTF8String graph) {
            return isAccepted(op);
        }
    }

    private static final class TermColumn extends PushedFilter {
        private static final long serialVersionUID = 1L;

        private final boolean isGraph;
        private final Condition condition;

        TermColumn(boolean isGraph, Condition condition) {
            this.isGraph = isGraph;
            this.condition = condition;
        }

        @Override
        public boolean isAccepted(Op op) {
            return true;
        }

        @Override
        public boolean needsTerms() {
            return true;
        }

        @Override
        public boolean isAccepted(Op op, UTF8String predicate, UTF8String graph) {
            return condition.test(isGraph ? graph : predicate);
        }
    }

    /** The conjunction or the disjunction of two filters. */
    private static final class Pair extends PushedFilter {
        private static final long serialVersionUID = 1L;

        private final boolean both;
        private final PushedFilter one;
        private final PushedFilter other;

        Pair(boolean both, PushedFilter one, PushedFilter other) {
            this.both = both;
            this.one = one;
            this.other = other;
        }

        @Override
        public boolean isAccepted(Op op) {
            return both ? one.isAccepted(op) && other.isAccepted(op) : one.isAccepted(op) || other.isAccepted(op);
        }

        @Override
        public boolean needsTerms() {
            return one.needsTerms() || other.needsTerms();
        }

        @Override
        public boolean isAccepted(Op op, UTF8String predicate, UTF8String graph) {
            return both ? one.isAccepted(op, predicate, graph) && other.isAccepted(op, predicate, graph)
                    : one.isAccepted(op, predicate, graph) || other.isAccepted(op, predicate, graph);
        }
    }
}
