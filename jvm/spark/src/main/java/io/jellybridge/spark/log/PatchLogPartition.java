package io.jellybridge.spark.log;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A range of versions that one task reads.
 *
 * @param from  the first
 * @param to    the last
 * @param after the id of the patch before the first; null: not known, or none where {@code from} is 1
 */
record PatchLogPartition(long from, long to, String after) implements InputPartition {

    /** Cuts what follows an offset, up to a version, into ranges of so many versions. */
    static InputPartition[] cut(PatchLogOffset before, long last, long versions) {
        List<InputPartition> ranges = new ArrayList<>();
        String after = before.id();
        long from = before.version() + 1;
        while (from <= last) {
            long to = last - from < versions ? last : from + versions - 1;
            ranges.add(new PatchLogPartition(from, to, after));
            after = null;
            from = to + 1;
        }
        return ranges.toArray(InputPartition[]::new);
    }
}
