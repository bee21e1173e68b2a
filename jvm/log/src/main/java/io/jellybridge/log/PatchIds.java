package io.jellybridge.log;

import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.PatchHandler;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts ids of patches, which are UUIDs, between terms of headers and text. */
final class PatchIds {
    private static final String HEX = "[0-9a-fA-F]";
    static final String UUID_TEXT = HEX + "{8}(?:-" + HEX + "{4}){3}-" + HEX + "{12}";
    /** The forms in patches of RDF Delta: an IRI of either scheme, or a string. */
    private static final Pattern TERM =
            Pattern.compile("<(?:urn:)?uuid:(" + UUID_TEXT + ")>|\"(?:(?:urn:)?uuid:)?(" + UUID_TEXT + ")\"");
    private static final Pattern TEXT = Pattern.compile("(?:(?:urn:)?uuid:)?(" + UUID_TEXT + ")");

    private PatchIds() {
    }

    static String random() {
        return UUID.randomUUID().toString();
    }

    /**
     * Sends the headers {@code id} and {@code prev} to a handler.
     *
     * @param prev the id of the patch before it; null to leave it out
     */
    static void writeIds(PatchHandler<byte[]> to, String id, String prev) {
        IdHeaders.write(to, toBytes(id), prev == null ? null : toBytes(prev));
    }

    private static byte[] toBytes(String id) {
        return toTerm(id).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns an id as a header has it, in canonical N-Triples. */
    static String toTerm(String id) {
        return "<urn:uuid:" + id + ">";
    }

    /** Parses a term; null if it is not an id. */
    static String of(byte[] term) {
        Matcher matcher = TERM.matcher(new String(term, StandardCharsets.UTF_8));
        if (!matcher.matches()) {
            return null;
        }
        return normalize(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    }

    /**
     * Parses an id from the caller, with or without {@code uuid:} or {@code urn:uuid:} before it.
     *
     * @throws IllegalArgumentException it is not a UUID
     */
    static String parseId(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no id of a patch; it must be a UUID");
        }
        return normalize(matcher.group(1));
    }

    /** Returns true if {@link #parseId} accepts a text. */
    static boolean canParse(String text) {
        return TEXT.matcher(text).matches();
    }

    /** Returns true if a text is an id in the form that logs write. */
    static boolean isId(String text) {
        return text.matches(UUID_TEXT);
    }

    private static String normalize(String uuid) {
        return uuid.toLowerCase(Locale.ROOT);
    }
}
