package io.jellybridge.convert;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How many quads there are, and in one number which, whatever their order is: the sum, modulo 2^256, of SHA-256 of each
 * quad's {@linkplain CanonicalQuad#line() line}. Of a set: each is to be added once.
 */
public final class QuadsHash {
    private final MessageDigest digest;
    /** The number, from its highest 64 bits. */
    private final long[] sum = new long[4];
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

    /** What a quad adds, for several of these. */
    byte[] digest(CanonicalQuad quad) {
        return digest.digest(quad.line());
    }

    /** Adds a quad by its {@link #digest}. */
    void add(byte[] quad) {
        add(1, quad);
    }

    /**
     * Adds others, of which this was made as well.
     *
     * @param number how many
     * @param hash   their {@link #hash()}
     */
    public void add(long number, String hash) {
        add(number, HexFormat.of().parseHex(hash));
    }

    private void add(long number, byte[] summand) {
        quads += number;
        ByteBuffer hash = ByteBuffer.wrap(summand);
        long carry = 0;
        for (int i = sum.length - 1; i >= 0; i--) {
            long more = hash.getLong(i * Long.BYTES);
            long added = sum[i] + more + carry;
            boolean overflows = carry == 0 ? Long.compareUnsigned(added, more) < 0 : Long.compareUnsigned(added, more) <= 0;
            sum[i] = added;
            carry = overflows ? 1 : 0;
        }
    }

    public long quads() {
        return quads;
    }

    /** How many and which, as one text. */
    @Override
    public String toString() {
        return quads + " " + hash();
    }

    /** The number, in 64 hexadecimal digits. */
    public String hash() {
        ByteBuffer bytes = ByteBuffer.allocate(sum.length * Long.BYTES);
        for (long part : sum) {
            bytes.putLong(part);
        }
        return HexFormat.of().formatHex(bytes.array());
    }
}
