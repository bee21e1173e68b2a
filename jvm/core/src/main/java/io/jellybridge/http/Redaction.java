package io.jellybridge.http;

import java.util.regex.Pattern;

/**
 * Removes user names and passwords from addresses, and terminal control characters from foreign texts, before they are shown.
 * {@code _redaction.py} does the same in Python.
 */
public final class Redaction {
    /** The start of an address. Of the two slashes of a scheme, a path keeps one. */
    private static final String START = "(//|(?:https?|ftp|file|grpcs?):/?(?!/))";
    // Up to the last @, encoded or not. A password with an unencoded @ or / must not be shown in part.
    private static final Pattern IN_ADDRESS = Pattern.compile("(?is)" + START + ".*(?:@|%40)");
    /** The text at the position of a port that is no port. It may be a password without its host. */
    private static final Pattern NO_PORT =
            Pattern.compile("(?i)((?://|(?:https?|ftp|grpcs?):/?)[^/:\\[]*:)(?![0-9]*(?:/|\\z))[^/]*");
    /** Credentials of a URL in a text. An IRI ends at its bracket and a literal at its quote, so other terms stay unchanged. */
    private static final Pattern IN_TEXT = Pattern.compile("(?i)" + START + "[^\\s\"<>]*@");

    /** Control characters other than tabs and line ends, and marks that change the direction of text. */
    private static final Pattern STEERING =
            Pattern.compile("[\\p{Cc}&&[^\\t\\n]]|[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");

    private Redaction() {
    }

    /** Returns an address, valid or not, without its credentials. */
    public static String redactAddress(String address) {
        return NO_PORT.matcher(IN_ADDRESS.matcher(address).replaceAll("$1")).replaceAll("$1…");
    }

    /** Returns an address without its credentials and its query, which can have a token. For errors about addresses of a wrong form. */
    public static String redactWithQuery(String address) {
        return redactAddress(address).replaceFirst("(?s)\\?.*", "?…");
    }

    /** Returns a text without the credentials of the URLs in it. */
    public static String redactText(String text) {
        return IN_TEXT.matcher(text).replaceAll("$1");
    }

    /** Returns a text with N-Triples escapes in place of terminal control characters. */
    public static String toPrintable(String text) {
        return STEERING.matcher(text).replaceAll(found -> "\\\\u%04X".formatted((int) found.group().charAt(0)));
    }
}
