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

    /** A sum over all tasks. */
    private abstract static class Sum extends CustomSumMetric {
        private final String name;
        private final String description;

        Sum(String name, String description) {
            this.name = name;
            this.description = description;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String description() {
            return description;
        }
    }

    /** Counts change rows. */
    public static final class Rows extends Sum {
        static final String NAME = "changeRows";

        /** Creates the metric. */
        public Rows() {
            super(NAME, "change rows");
        }
    }

    /** Counts patches. */
    public static final class Patches extends Sum {
        static final String NAME = "patches";

        /** Creates the metric. */
        public Patches() {
            super(NAME, "patches");
        }
    }

    /** Counts patches in quarantine. */
    public static final class Quarantined extends Sum {
        static final String NAME = "quarantined";

        /** Creates the metric. */
        public Quarantined() {
            super(NAME, "patches set aside");
        }
    }

    private record Value(String name, long value) implements CustomTaskMetric {
    }

    /** Returns the metrics of scans. */
    public static CustomMetric[] ofScan() {
        return new CustomMetric[] {new Rows(), new Patches(), new Quarantined()};
    }

    /** Returns what a task of a scan has read so far. */
    public static CustomTaskMetric[] scannedMetrics(long rows, long patches, long quarantined) {
        return new CustomTaskMetric[] {
                new Value(Rows.NAME, rows), new Value(Patches.NAME, patches), new Value(Quarantined.NAME, quarantined)};
    }

    /** Returns the metrics of writes. */
    public static CustomMetric[] ofWrite() {
        return new CustomMetric[] {new Rows(), new Patches()};
    }

    /** Returns what a task of a write has written so far. */
    public static CustomTaskMetric[] writtenMetrics(long rows, long patches) {
        return new CustomTaskMetric[] {
                new Value(Rows.NAME, rows), new Value(Patches.NAME, patches)};
    }
}
