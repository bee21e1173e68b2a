package io.jellybridge.spark.staging;

import java.io.Serializable;
import java.util.Comparator;

/** The place of a change row in the order of all rows, by its columns. */
record RowPlace(long patch, long row) implements Serializable, Comparable<RowPlace> {
    private static final Comparator<RowPlace> ORDER = Comparator.comparingLong(RowPlace::patch).thenComparingLong(RowPlace::row);

    @Override
    public int compareTo(RowPlace other) {
        return ORDER.compare(this, other);
    }

    /** Returns the place for messages. */
    @Override
    public String toString() {
        return "patch " + patch + ", row " + row;
    }
}
