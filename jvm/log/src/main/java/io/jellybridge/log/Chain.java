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
 * The header {@code chain} of a patch in a log: the hash of the patch before it, and its own, see {@link ChainPlace}. By the
 * second, a patch shows that it is what was appended, in that log and as that version; by the first, that it stands behind
 * the patch that it was appended to. Each is a SHA-256 in the alphabet of URLs of Base64; a full stop is between them.
 *
 * @param before the hash of the patch before it; {@link #START} where it is the first
 * @param own    its own hash
 */
public record Chain(String before, String own) {
    private static final int HASH_BYTES = 32;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    /** Stands for the hash of what is before version 1: so many zeros. */
    public static final String START = BASE64.encodeToString(new byte[HASH_BYTES]);

    /** Of what is in no log yet. */
    public static final Chain NONE = new Chain(START, START);

    private static final byte[] KEY = "chain".getBytes(US_ASCII);
    private static final String HASH = "[A-Za-z0-9_-]{" + START.length() + "}";
    private static final Pattern TERM = Pattern.compile("\"(" + HASH + ")\\.(" + HASH + ")\"");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns whether a header is that of the chain, by its key. */
    public static boolean isChain(byte[] key) {
        return Arrays.equals(key, KEY);
    }

    /** Returns whether a text is a hash of a chain. */
    public static boolean isHash(String text) {
        return text.matches(HASH);
    }

    /** Returns what a term says; null where it is no chain. */
    static Chain of(byte[] term) {
        Matcher matcher = TERM.matcher(new String(term, UTF_8));
        return matcher.matches() ? new Chain(matcher.group(1), matcher.group(2)) : null;
    }

    /** Returns the chain that a {@link #text} is; null where it is none. */
    public static Chain parse(String text) {
        return text == null ? null : of(('"' + text + '"').getBytes(UTF_8));
    }

    /**
     * Hands the header over.
     *
     * @param <T>  what terms are
     * @param term {@link #text}, as a string literal
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

    static String hash(byte[] sha256) {
        return BASE64.encodeToString(sha256);
    }

    /**
     * Returns what stands for a patch's own hash until its last row is written, which decides it: as long as a hash, and in no
     * other place.
     */
    public static String placeholder() {
        byte[] bytes = new byte[HASH_BYTES];
        RANDOM.nextBytes(bytes);
        return hash(bytes);
    }
}
