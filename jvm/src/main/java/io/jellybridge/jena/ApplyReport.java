package io.jellybridge.jena;

/**
 * What applying a file did. Counts operations, not differences: adding what is there already counts.
 *
 * @param patches      patches of the file, empty ones too
 * @param transactions blocks from {@code TX} to {@code TC}
 * @param added        {@code A} rows applied; those of aborted blocks are not
 * @param deleted      {@code D} rows applied; those of aborted blocks are not
 * @param aborted      blocks from {@code TX} to {@code TA}, which were left out
 */
public record ApplyReport(long patches, long transactions, long added, long deleted, long aborted) {
}
