package io.jellybridge.http;

import java.util.regex.Pattern;

/**
 * Takes user names and passwords out of addresses, and what steers a terminal out of texts of others, before these are shown;
 * {@code _redaction.py} is the same in Python.
 */
public final class Redaction {
    /** A path keeps one slash of two. */
    private static final String START = "(//|(?:https?|ftp|file):/?(?!/))";
    // Up to the last @, encoded or not: a password in which someone left an @ or a / must not be shown in part.
    private static final Pattern IN_ADDRESS = Pattern.compile("(?is)" + START + ".*(?:@|%40)");
    /** What stands where a port does, and is none, may be a password without its host. */
    private static final Pattern NO_PORT =
            Pattern.compile("(?i)((?://|(?:https?|ftp):/?)[^/:\\[]*:)(?![0-9]*(?:/|\\z))[^/]*");
    /** Terms of RDF keep what they have: an IRI ends at its bracket, a literal at its quote. */
    private static final Pattern IN_TEXT = Pattern.compile("(?i)" + START + "[^\\s\"<>]*@");

    /** Controls but tabs and line ends, and marks that turn the direction of what is shown. */
    private static final Pattern STEERING =
            Pattern.compile("[\\p{Cc}&&[^\\t\\n]]|[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");

    private Redaction() {
    }

    /** An address that a user gave, right or wrong, without what stands before its {@code @}. */
    public static String address(String address) {
        return NO_PORT.matcher(IN_ADDRESS.matcher(address).replaceAll("$1")).replaceAll("$1…");
    }

    /** A text without what stands before the {@code @} of each URL in it. */
    public static String text(String text) {
        return IN_TEXT.matcher(text).replaceAll("$1");
    }

    /** Returns a text with escapes, as of N-Triples, in place of characters that steer a terminal. */
    public static String printable(String text) {
        return STEERING.matcher(text).replaceAll(found -> "\\\\u%04X".formatted((int) found.group().charAt(0)));
    }
}
