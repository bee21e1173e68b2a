package io.jellybridge.sync;

/**
 * What a run has done, or in a dry run would do.
 *
 * @param patches      how many patches were applied
 * @param transactions in how many transactions
 * @param added        how many {@code A} rows were applied
 * @param deleted      how many {@code D} rows
 * @param changed      how many of these rows changed the dataset; null where that is not known: of a server, or a dry run
 * @param aborted      how many blocks of the patches ended with {@code TA}, and so were left out
 * @param position     the dataset's position after it; null: none
 * @param faulty       the index of the patch at which it stopped, since it can't be applied; -1: all were applied
 * @param fault        what is wrong with that one
 */
public record SyncReport(long patches, long transactions, long added, long deleted, Long changed, long aborted,
        String position, int faulty, RuntimeException fault) {
}
