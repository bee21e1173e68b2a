package io.jellybridge.spark.staging;

import java.io.Serializable;
import java.util.Comparator;

/** Where a change row stands among all, by its columns. */
record RowPlace(long patch, long row) implements Serializable, Comparable<RowPlace> {
    private static final Comparator<RowPlace> ORDER = Comparator.comparingLong(RowPlace::patch).thenComparingLong(RowPlace::row);

    @Override
    public int compareTo(RowPlace other) {
        return ORDER.compare(this, other);
    }

    /** For people. */
    @Override
    public String toString() {
        return "patch " + patch + ", row " + row;
    }
}
