package io.jellybridge.log;

import java.time.Instant;

/**
 * What a patch says of its place in a log.
 *
 * @param id    its id; null where it has none
 * @param prev  the id of the patch before it; null where it names none, as the first of a log
 * @param time  when it was made, to the millisecond; null where it does not say, or says it in another form than ours
 * @param chain null where it says none, as a patch does that is of no log of ours
 */
public record PatchHeader(String id, String prev, Instant time, Chain chain) {

    /** Of a patch that is of no log yet. */
    public PatchHeader(String id, String prev, Instant time) {
        this(id, prev, time, null);
    }

    /** Of a patch whose time is not known. */
    public PatchHeader(String id, String prev) {
        this(id, prev, null);
    }

    /** Returns the same with a chain. */
    PatchHeader with(Chain other) {
        return new PatchHeader(id, prev, time, other);
    }

    /** Returns the patch's own hash; null where it says none. */
    public String hash() {
        return chain == null ? null : chain.own();
    }

    /** The id as headers, and positions, have it: a term in canonical N-Triples; null where it has none. */
    public String idTerm() {
        return id == null ? null : PatchIds.term(id);
    }

    /** The id before it, likewise. */
    public String prevTerm() {
        return prev == null ? null : PatchIds.term(prev);
    }
}
