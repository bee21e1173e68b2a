package io.jellybridge.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The headers of a patch that give its place in a log.
 *
 * @param id    its id; null if it has none
 * @param prev  the id of the patch before it; null if it names none, like the first patch of a log
 * @param time  its time in milliseconds; null if it has none, or one in a form other than ours
 * @param chain its chain; null if it has none, like a patch that is not from such a log
 */
public record PatchHeader(String id, String prev, Instant time, Chain chain) {

    /** The headers of a patch that can't be read. */
    public static final PatchHeader UNKNOWN = new PatchHeader(null, null, null);

    /** Creates the headers of a patch that is in no log yet. */
    public PatchHeader(String id, String prev, Instant time) {
        this(id, prev, time, null);
    }

    /** Returns the same headers with a chain. */
    PatchHeader with(Chain other) {
        return new PatchHeader(id, prev, time, other);
    }

    /** Returns the term of an id as a log writes it; the term itself if it is no UUID. */
    public static String normalizeTerm(String term) {
        String found = PatchIds.of(term.getBytes(StandardCharsets.UTF_8));
        return found == null ? term : PatchIds.toTerm(found);
    }

    /** Returns the patch's own hash; null if it has none. */
    public String hash() {
        return chain == null ? null : chain.own();
    }

    /** Returns the id as headers and positions have it: a term in canonical N-Triples; null if there is none. */
    public String idTerm() {
        return id == null ? null : PatchIds.toTerm(id);
    }

    /** Returns the id of the patch before it in the same form. */
    public String prevTerm() {
        return prev == null ? null : PatchIds.toTerm(prev);
    }
}
