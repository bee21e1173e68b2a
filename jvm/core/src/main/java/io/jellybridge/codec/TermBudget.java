package io.jellybridge.codec;

import java.util.function.LongSupplier;

/**
 * The budget of a stream in bytes: for one term, for the entries of a lookup, and for what is made of entries. A few bytes of
 * ids make a term of any length, since entries are joined and repeated, so a small stream could fill every heap.
 */
final class TermBudget {
    private final ReadOptions limits;
    private final ErrorSite site;
    private final LongSupplier bytesRead;
    private long made;

    /** @param bytesRead how many bytes of the stream were read so far */
    TermBudget(ReadOptions limits, ErrorSite site, LongSupplier bytesRead) {
        this.limits = limits;
        this.site = site;
        this.bytesRead = bytesRead;
    }

    /** Checks a term whose bytes stand in the stream. */
    void check(long bytes) {
        if (bytes > limits.maxTermBytes()) {
            throw site.error(Rule.LIMIT, "a term of " + bytes + " bytes, above the limit of " + limits.maxTermBytes(),
                    Advice.raise("maxTermBytes"));
        }
    }

    /** Checks a term that is made of entries. */
    void take(long bytes) {
        check(bytes);
        made += bytes;
        if (made > limits.maxTableBytes() && !limits.allows(made, bytesRead.getAsLong())) {
            throw site.error(Rule.LIMIT, "terms of " + made + " bytes, which the lookups make of " + bytesRead.getAsLong()
                    + " bytes, above the limit of " + ReadOptions.EXPANSION + " times as many", Advice.raise("maxTableBytes"));
        }
    }

    /** Checks what the entries of a lookup take together. */
    void checkTable(String kind, long bytes) {
        if (bytes > limits.maxTableBytes()) {
            throw site.error(Rule.LIMIT, "entries of " + bytes + " bytes in the " + kind + " lookup, above the limit of "
                    + limits.maxTableBytes(), Advice.raise("maxTableBytes"));
        }
    }

    /** What a cache of such terms may take. */
    int cacheBytes() {
        return limits.maxTableBytes();
    }
}
