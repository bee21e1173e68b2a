package io.jellybridge.codec;

import java.util.function.LongSupplier;

/**
 * The size limits of a stream, in bytes: for a term, for the entries of a lookup, and for the terms that are created from
 * entries. Entries are joined and repeated, so a few bytes of ids can create a term of any length. Without limits, a small
 * stream could fill any heap.
 */
final class TermBudget {
    private final ReadOptions limits;
    private final ErrorSite site;
    private final LongSupplier bytesRead;
    private long made;

    /**
     * Creates a budget.
     *
     * @param bytesRead returns the number of bytes of the stream that were read so far
     */
    TermBudget(ReadOptions limits, ErrorSite site, LongSupplier bytesRead) {
        this.limits = limits;
        this.site = site;
        this.bytesRead = bytesRead;
    }

    /** Checks a term whose bytes are in the stream. */
    void checkBytes(long bytes) {
        if (bytes > limits.maxTermBytes()) {
            throw site.newError(Rule.LIMIT, "a term of " + bytes + " bytes, above the limit of " + limits.maxTermBytes(),
                    Advice.raise("maxTermBytes"));
        }
    }

    /** Checks and counts a term that is created from entries. */
    void takeBytes(long bytes) {
        checkBytes(bytes);
        made += bytes;
        if (made > limits.maxTableBytes() && !limits.allowsTerms(made, bytesRead.getAsLong())) {
            throw site.newError(Rule.LIMIT, "terms of " + made + " bytes, which the lookups make of " + bytesRead.getAsLong()
                    + " bytes, above the limit of " + ReadOptions.EXPANSION + " times as many", Advice.raise("maxTableBytes"));
        }
    }

    /** Checks the total size of the entries of a lookup. */
    void checkTable(String kind, long bytes) {
        if (bytes > limits.maxTableBytes()) {
            throw site.newError(Rule.LIMIT, "entries of " + bytes + " bytes in the " + kind + " lookup, above the limit of "
                    + limits.maxTableBytes(), Advice.raise("maxTableBytes"));
        }
    }

    /** Returns the size limit for a cache of such terms. */
    int cacheBytes() {
        return limits.maxTableBytes();
    }
}
