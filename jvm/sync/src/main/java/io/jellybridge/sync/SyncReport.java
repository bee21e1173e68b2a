package io.jellybridge.sync;

/**
 * The result of a run, or of a dry run.
 *
 * @param patches      the number of applied patches
 * @param transactions the number of transactions
 * @param added        the number of applied {@code A} rows
 * @param deleted      the number of applied {@code D} rows
 * @param changed      the number of these rows that changed the dataset; null if unknown, as for a server or a dry run
 * @param aborted      the number of blocks that ended with {@code TA} and were skipped
 * @param position     the dataset's position afterwards; null if it has none
 * @param faulty       the index of the patch that can't be applied and stopped the run; -1 if all were applied
 * @param fault        the fault of that patch
 */
public record SyncReport(long patches, long transactions, long added, long deleted, Long changed, long aborted,
        String position, int faulty, RuntimeException fault) {
}
