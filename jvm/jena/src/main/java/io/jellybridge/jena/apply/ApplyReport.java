package io.jellybridge.jena.apply;

/**
 * What applying patches did. All but the last count what the patches ask for: adding what is there already counts.
 *
 * @param patches      patches of the file, empty ones too
 * @param transactions blocks from {@code TX} to {@code TC}
 * @param added        {@code A} rows applied; those of aborted blocks are not
 * @param deleted      {@code D} rows applied; those of aborted blocks are not
 * @param aborted      blocks from {@code TX} to {@code TA}, which were left out
 * @param changed      how many of the rows changed the dataset: added what was not there, or deleted what was; null where it
 *                     is not known, such as of a server
 */
public record ApplyReport(long patches, long transactions, long added, long deleted, long aborted, Long changed) {

    /** What applying did where it is not known what changed. */
    public ApplyReport(long patches, long transactions, long added, long deleted, long aborted) {
        this(patches, transactions, added, deleted, aborted, null);
    }
}
