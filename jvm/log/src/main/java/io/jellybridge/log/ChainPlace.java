package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The place of a patch in a log, before or after it is appended. The place and the content of the patch determine its hash,
 * {@link Chain#own}. The hash is the SHA-256 of these lines, each with a line feed at its end. A line is {@code -} if the
 * patch lacks that part.
 *
 * <ol>
 *   <li>{@code jellybridge patch log chain 1}
 *   <li>the log's id
 *   <li>the version in decimal digits
 *   <li>{@link Chain#before}
 *   <li>the patch's id
 *   <li>the id of the patch before it
 *   <li>its headers {@code time} as terms, with a space between two
 *   <li>its {@link ContentHash}
 * </ol>
 *
 * @param log     the log's id
 * @param version the version of the patch
 * @param before  the hash of the patch before it; {@link Chain#START} for the first patch
 */
public record ChainPlace(String log, long version, String before) {
    private static final String TITLE = "jellybridge patch log chain 1";

    /**
     * Returns the hash of a patch at this place, after all its rows were written to the content hash.
     *
     * @param prev the id of the patch before it; null if there is none
     */
    public String hash(String id, String prev, ContentHash content) {
        return hashOf(PatchIds.parseId(id), prev == null ? null : PatchIds.parseId(prev), content.times(), content.hash());
    }

    /** Returns the hash of the state that a log begins with. The state takes the place of the first patch. */
    public String hashOfState(Checkpoint state) {
        return hashOf(state.id(), null, state.time() == null ? null : new String(PatchTimes.toTerm(state.time()), UTF_8),
                state.hash());
    }

    private String hashOf(String id, String prev, String times, String content) {
        String text = String.join("\n", TITLE, log, Long.toString(version), before, id, prev == null ? "-" : prev,
                times == null ? "-" : times, content) + "\n";
        return Chain.hashOf(ContentHash.newSha256().digest(text.getBytes(UTF_8)));
    }
}
