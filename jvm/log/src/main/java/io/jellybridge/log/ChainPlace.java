package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The place in a log where a patch stands, or is to stand. With what the patch says it makes its hash, {@link Chain#own}:
 * the SHA-256 of these lines, each with a line feed at its end: {@code jellybridge patch log chain 1}; the log's id; the
 * version, in decimal digits; {@link Chain#before}; the patch's id; that of the patch before it; its headers {@code time},
 * as terms, with a space between two; its {@link ContentHash}. A line has {@code -} for what is not there.
 *
 * @param log     the log's id
 * @param version the patch's
 * @param before  the hash of the patch before it; {@link Chain#START} where it is the first
 */
public record ChainPlace(String log, long version, String before) {
    private static final String TITLE = "jellybridge patch log chain 1";

    /**
     * Returns the hash of a patch here that was handed over whole.
     *
     * @param prev the id of the patch before it; null: there is none
     */
    public String hash(String id, String prev, ContentHash content) {
        return hash(PatchIds.parse(id), prev == null ? null : PatchIds.parse(prev), content.times(), content.hash());
    }

    /** Returns the hash of the state that a log begins with, which stands for its first patch. */
    public String hashOfState(Checkpoint state) {
        return hash(state.id(), null, state.time() == null ? null : new String(PatchTimes.term(state.time()), UTF_8),
                state.hash());
    }

    private String hash(String id, String prev, String times, String content) {
        String text = String.join("\n", TITLE, log, Long.toString(version), before, id, prev == null ? "-" : prev,
                times == null ? "-" : times, content) + "\n";
        return Chain.hash(ContentHash.digest().digest(text.getBytes(UTF_8)));
    }
}
