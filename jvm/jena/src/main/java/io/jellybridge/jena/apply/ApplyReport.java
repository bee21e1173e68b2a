package io.jellybridge.jena.apply;

/**
 * The result of applying patches. All counts except {@code changed} are about the rows of the patches, so an addition of an
 * existing quad counts.
 *
 * @param patches      the patches of the file, including empty ones
 * @param transactions the transactions from {@code TX} to {@code TC}
 * @param added        the {@code A} rows, without those of aborted transactions
 * @param deleted      the {@code D} rows, without those of aborted transactions
 * @param aborted      the transactions from {@code TX} to {@code TA}, which were not applied
 * @param changed      the number of rows that changed the dataset, by adding a new quad or deleting an existing one; null if it
 *                     is unknown, such as for a server
 */
public record ApplyReport(long patches, long transactions, long added, long deleted, long aborted, Long changed) {
}
