package io.jellybridge.spark.log;

import io.jellybridge.log.PatchLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A range of versions that one task reads.
 *
 * @param from    the first
 * @param to      the last
 * @param after   the id of the patch before the first; null: not known, or none where {@code from} is 1
 * @param isState whether it is one version, of which the state is read and no patch
 */
record PatchLogPartition(long from, long to, String after, boolean isState) implements InputPartition {

    /**
     * Cuts what follows an offset, up to a version, into ranges.
     *
     * @throws IllegalArgumentException patches of it are not there any more
     */
    static InputPartition[] cut(PatchLog log, PatchLogOptions options, PatchLogOffset start, long last) throws IOException {
        List<InputPartition> ranges = new ArrayList<>();
        PatchLogOffset before = start;
        if (before.isState() && before.version() < last) {
            long state = before.version() + 1;
            ranges.add(new PatchLogPartition(state, state, null, true));
            before = PatchLogOffset.at(log, state);
        }
        options.requirePatches(log, before.version() + 1, last);
        String after = before.id();
        long from = before.version() + 1;
        while (from <= last) {
            long to = last - from < options.patchesPerPartition() ? last : from + options.patchesPerPartition() - 1;
            ranges.add(new PatchLogPartition(from, to, after, false));
            after = null;
            from = to + 1;
        }
        return ranges.toArray(InputPartition[]::new);
    }
}
