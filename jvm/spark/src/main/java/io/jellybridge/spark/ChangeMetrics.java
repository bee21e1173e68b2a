package io.jellybridge.spark;

import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * The metrics that scans and writes of change rows show in Spark's UI. Spark creates each by its public constructor, also where an
 * application is looked at afterwards.
 */
public final class ChangeMetrics {

    private ChangeMetrics() {
    }

    /** Counts change rows. */
    public static final class Rows extends CustomSumMetric {
        static final String NAME = "changeRows";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return "change rows";
        }
    }

    /** Counts patches. */
    public static final class Patches extends CustomSumMetric {
        static final String NAME = "patches";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return "patches";
        }
    }

    /** Counts patches in quarantine. */
    public static final class Quarantined extends CustomSumMetric {
        static final String NAME = "quarantined";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return "patches set aside";
        }
    }

    private record Value(String name, long value) implements CustomTaskMetric {
    }

    /** Returns the metrics of scans. */
    public static CustomMetric[] ofScan() {
        return new CustomMetric[] {new Rows(), new Patches(), new Quarantined()};
    }

    /** Returns what a task of a scan has read so far. */
    public static CustomTaskMetric[] scanned(long rows, long patches, long quarantined) {
        return new CustomTaskMetric[] {
                new Value(Rows.NAME, rows), new Value(Patches.NAME, patches), new Value(Quarantined.NAME, quarantined)};
    }

    /** Returns the metrics of writes. */
    public static CustomMetric[] ofWrite() {
        return new CustomMetric[] {new Rows(), new Patches()};
    }

    /** Returns what a task of a write has written so far. */
    public static CustomTaskMetric[] written(long rows, long patches) {
        return new CustomTaskMetric[] {
                new Value(Rows.NAME, rows), new Value(Patches.NAME, patches)};
    }
}
