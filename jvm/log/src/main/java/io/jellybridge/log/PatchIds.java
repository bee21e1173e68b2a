package io.jellybridge.log;

import io.jellybridge.codec.ChainHeaders;
import io.jellybridge.codec.PatchHandler;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ids of patches: UUIDs, as a header's term and as the text alone. */
final class PatchIds {
    private static final String HEX = "[0-9a-fA-F]";
    static final String UUID_TEXT = HEX + "{8}(?:-" + HEX + "{4}){3}-" + HEX + "{12}";
    /** The forms that patches of RDF Delta have: an IRI of either scheme, or a string. */
    private static final Pattern TERM =
            Pattern.compile("<(?:urn:)?uuid:(" + UUID_TEXT + ")>|\"(?:(?:urn:)?uuid:)?(" + UUID_TEXT + ")\"");
    private static final Pattern TEXT = Pattern.compile("(?:(?:urn:)?uuid:)?(" + UUID_TEXT + ")");

    private PatchIds() {
    }

    static String random() {
        return UUID.randomUUID().toString();
    }

    /**
     * Hands the headers that chain a patch over.
     *
     * @param prev null: without
     */
    static void write(PatchHandler<byte[]> to, String id, String prev) {
        ChainHeaders.write(to, bytes(id), prev == null ? null : bytes(prev));
    }

    private static byte[] bytes(String id) {
        return term(id).getBytes(StandardCharsets.US_ASCII);
    }

    /** An id as a header says it, in canonical N-Triples. */
    static String term(String id) {
        return "<urn:uuid:" + id + ">";
    }

    /** The id that a term is; null where it is none. */
    static String of(byte[] term) {
        Matcher matcher = TERM.matcher(new String(term, StandardCharsets.UTF_8));
        if (!matcher.matches()) {
            return null;
        }
        return normal(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    }

    /**
     * An id as the caller gives it, with {@code uuid:} or {@code urn:uuid:} before it or not.
     *
     * @throws IllegalArgumentException it is no UUID
     */
    static String parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no id of a patch; it must be a UUID");
        }
        return normal(matcher.group(1));
    }

    /** Returns whether a text is an id as logs write it. */
    static boolean isId(String text) {
        return text.matches(UUID_TEXT);
    }

    private static String normal(String uuid) {
        return uuid.toLowerCase(Locale.ROOT);
    }
}
