package io.jellybridge.spark.log;

import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A range of versions that one task reads.
 *
 * @param from    the first version
 * @param to      the last version
 * @param after   the id of the patch before the first one; null if unknown, or if {@code from} is 1
 * @param hash    the hash of that patch in the chain, see {@link io.jellybridge.log.Chain#own}; null if unknown
 * @param isState true if the range is one version, which is read from a checkpoint
 */
record PatchLogPartition(long from, long to, String after, String hash, boolean isState) implements InputPartition {

    /**
     * Splits the versions after an offset into ranges.
     *
     * @param last the last version
     * @throws IllegalArgumentException the log no longer has some of the patches
     */
    static InputPartition[] cut(PatchLog log, PatchLogOptions options, PatchLogOffset start, long last) throws IOException {
        List<InputPartition> ranges = new ArrayList<>();
        PatchLogOffset before = start;
        if (before.isState() && before.version() < last) {
            long state = before.version() + 1;
            ranges.add(new PatchLogPartition(state, state, null, null, true));
            before = PatchLogOffset.at(log, state);
        }
        options.requirePatches(log, before.version() + 1, last);
        String after = before.id();
        String hash = before.hash();
        long from = before.version() + 1;
        while (from <= last) {
            long to = last - from < options.patchesPerPartition() ? last : from + options.patchesPerPartition() - 1;
            ranges.add(new PatchLogPartition(from, to, after, hash, false));
            // All tasks read the history that the log has now, be another copy in its place when they run.
            PatchHeader end = to < last ? LogVersions.headerOf(log, to) : null;
            after = end == null ? null : end.id();
            hash = end == null ? null : end.hash();
            from = to + 1;
        }
        return ranges.toArray(InputPartition[]::new);
    }
}
