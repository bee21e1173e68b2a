package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.PatchHandler;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code chain} of a patch in a log: the hash of the patch before it and its own hash, see {@link ChainPlace}. The
 * own hash proves that the patch is the one that was appended, in that log and as that version. The first hash proves that it
 * follows the patch that it was appended to. Both are SHA-256 in the URL-safe alphabet of Base64, with a full stop between
 * them.
 *
 * @param before the hash of the patch before it; {@link #START} for the first patch
 * @param own    its own hash
 */
public record Chain(String before, String own) {
    private static final int HASH_BYTES = 32;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    /** The hash before version 1: all bits are zero. */
    public static final String START = BASE64.encodeToString(new byte[HASH_BYTES]);

    /** The chain of a patch that is in no log yet. */
    public static final Chain NONE = new Chain(START, START);

    private static final byte[] KEY = "chain".getBytes(US_ASCII);
    private static final String HASH = "[A-Za-z0-9_-]{" + START.length() + "}";
    private static final Pattern TERM = Pattern.compile("\"(" + HASH + ")\\.(" + HASH + ")\"");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns true if the key is that of the header {@code chain}. */
    public static boolean isChain(byte[] key) {
        return Arrays.equals(key, KEY);
    }

    /** Returns true if a text is a hash of a chain. */
    public static boolean isHash(String text) {
        return text.matches(HASH);
    }

    /** Parses a term; null if it is not a chain. */
    static Chain of(byte[] term) {
        Matcher matcher = TERM.matcher(new String(term, UTF_8));
        return matcher.matches() ? new Chain(matcher.group(1), matcher.group(2)) : null;
    }

    /** Parses a {@link #text}; null if it is not a chain. */
    public static Chain parse(String text) {
        return text == null ? null : of(('"' + text + '"').getBytes(UTF_8));
    }

    /**
     * Sends the header to a handler.
     *
     * @param <T>  the type of a term
     * @param term the {@link #text} as a string literal
     */
    public static <T> void write(PatchHandler<T> to, T term) {
        to.header(KEY, term);
    }

    void writeTo(PatchHandler<byte[]> to) {
        write(to, ('"' + text() + '"').getBytes(US_ASCII));
    }

    /** Returns the lexical form of the header's literal. */
    public String text() {
        return before + '.' + own;
    }

    static String hashOf(byte[] sha256) {
        return BASE64.encodeToString(sha256);
    }

    /**
     * Returns a placeholder for a patch's own hash, which is known only when the last row is written. It is as long as a hash,
     * and its text occurs nowhere else.
     */
    public static String placeholder() {
        byte[] bytes = new byte[HASH_BYTES];
        RANDOM.nextBytes(bytes);
        return hashOf(bytes);
    }
}
