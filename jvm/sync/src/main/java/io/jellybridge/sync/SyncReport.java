package io.jellybridge.sync;

import java.util.List;

/**
 * What a sync has done, or in a dry run would do.
 *
 * @param patches      how many patches were applied
 * @param transactions in how many transactions
 * @param added        how many {@code A} rows were applied
 * @param deleted      how many {@code D} rows
 * @param changed      how many of these rows changed the dataset; null where that is not known: of a server, or a dry run
 * @param aborted      how many blocks of the patches ended with {@code TA}, and so were left out
 * @param skipped      how many patches the dataset had applied before
 * @param quarantined  the names of the patches that were set aside
 * @param before       the dataset's position before; null: none
 * @param after        and after it
 */
public record SyncReport(long patches, long transactions, long added, long deleted, Long changed, long aborted,
        long skipped, List<String> quarantined, String before, String after) {
}
