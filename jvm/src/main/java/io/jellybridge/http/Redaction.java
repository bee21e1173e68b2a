package io.jellybridge.http;

import java.util.regex.Pattern;

/** Takes user names and passwords out of addresses, before these are shown. */
public final class Redaction {
    /** A path keeps one slash of two. */
    private static final String START = "(//|(?:https?|ftp):/?(?!/))";
    // Up to the last @: a password in which someone left an @ or a / as it is must not be shown in part.
    private static final Pattern IN_ADDRESS = Pattern.compile("(?is)" + START + ".*@");
    /** Terms of RDF keep what they have: an IRI ends at its bracket, a literal at its quote. */
    private static final Pattern IN_TEXT = Pattern.compile("(?i)" + START + "[^\\s\"<>]*@");

    /** What stands where a port does, and is none. */
    private static final Pattern NO_PORT = Pattern.compile("(//[^/:\\[]*:)(?!\\d*(?:/|\\z))[^/]*");

    private Redaction() {
    }

    /** An address that a user gave, right or wrong, without what stands before its {@code @}. */
    public static String address(String address) {
        return IN_ADDRESS.matcher(address).replaceAll("$1");
    }

    /** Likewise of one that is no address of ours, where a password may also stand without its {@code @}. */
    public static String refused(String address) {
        return NO_PORT.matcher(address(address.replaceAll("(?i)%40", "@"))).replaceFirst("$1…");
    }

    /** A text without what stands before the {@code @} of each URL in it. */
    public static String text(String text) {
        return IN_TEXT.matcher(text).replaceAll("$1");
    }
}
