package io.jellybridge.convert;

import io.jellybridge.files.ExternalSorter.Items;
import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The number and the hash of a set of quads, independent of their order. The hash is the sum, modulo 2^256, of the SHA-256 of
 * each quad's {@linkplain CanonicalQuad#line() line}. Each quad must be added once.
 */
public final class QuadsHash {
    private final MessageDigest digest;
    /** The sum before the modulo. */
    private BigInteger sum = BigInteger.ZERO;
    private long quads;

    public QuadsHash() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has it", e);
        }
    }

    public void add(CanonicalQuad quad) {
        add(digest(quad));
    }

    /** Adds all quads and returns this. */
    public QuadsHash addAll(Items<CanonicalQuad> quads) throws IOException {
        quads.forEach(this::add);
        return this;
    }

    /** Computes the summand of a quad, which can be added to several hashes. */
    byte[] digest(CanonicalQuad quad) {
        return digest.digest(quad.line());
    }

    /** Adds a quad by its {@link #digest}. */
    void add(byte[] quad) {
        add(1, quad);
    }

    /**
     * Adds the quads of another hash.
     *
     * @param number the number of its quads
     * @param hash   its {@link #hash()}
     */
    public void add(long number, String hash) {
        add(number, HexFormat.of().parseHex(hash));
    }

    private void add(long number, byte[] summand) {
        quads += number;
        sum = sum.add(new BigInteger(1, summand));
    }

    public long quads() {
        return quads;
    }

    /** Returns the number and the hash as one text. */
    @Override
    public String toString() {
        return quads + " " + hash();
    }

    /** Returns the hash in 64 hexadecimal digits. */
    public String hash() {
        String digits = sum.mod(BigInteger.TWO.pow(256)).toString(16);
        return "0".repeat(64 - digits.length()) + digits;
    }
}
