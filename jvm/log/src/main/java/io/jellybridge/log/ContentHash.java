package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A hash of the content of a patch: SHA-256 over its rows in their order, in any format. It leaves out the headers {@code id},
 * {@code prev}, {@code time} and {@code chain}, which describe the place of the patch in a log and not its effect.
 *
 * <p>Each row adds the letters of the operation in ASCII and a zero byte. Then it adds its texts, as
 * {@link io.jellybridge.codec.PatchHandler} receives them. Each text is its length in bytes (32 bits, big-endian; -1 for a
 * missing text) and its bytes.
 */
public final class ContentHash extends ForwardingHandler<byte[]> {
    private final MessageDigest digest;
    private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    private long rows;
    private String hash;
    private String times;

    /**
     * Creates a hash.
     *
     * @param target receives all rows, too
     */
    public ContentHash(PatchHandler<byte[]> target) {
        setTarget(target);
        digest = newSha256();
    }

    /** Returns a new SHA-256. */
    public static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has it", e);
        }
    }

    /** Creates a hash that passes the rows to nobody. */
    public ContentHash() {
        this(new PatchAdapter<>());
    }

    /** Returns the hash in 64 hexadecimal digits, after the end of the patch. */
    public String hash() {
        if (hash == null) {
            hash = HexFormat.of().formatHex(digest.digest());
        }
        return hash;
    }

    /** Returns the value of {@link #hash} if the patch ended here. */
    public String hashSoFar() {
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("that of every JDK can", e);
        }
    }

    /** Returns the values of the headers {@code time}, with a space between two; null if there were none. */
    String times() {
        return times;
    }

    /** Returns the number of rows, including headers. */
    public long rows() {
        return rows;
    }

    @Override
    protected void afterRow(Op op) {
        rows++;
    }

    private void addOperation(Op op, byte[]... texts) {
        digest.update(op.text());
        digest.update((byte) 0);
        for (byte[] text : texts) {
            digest.update(length.clear().putInt(text == null ? -1 : text.length).flip());
            if (text != null) {
                digest.update(text);
            }
        }
    }

    @Override
    public void header(byte[] key, byte[] value) {
        super.header(key, value);
        if (PatchTimes.isTime(key)) {
            String time = new String(value, UTF_8);
            times = times == null ? time : times + ' ' + time;
        } else if (IdHeaders.nameOf(key) == null && !Chain.isChain(key)) {
            addOperation(Op.H, key, value);
        }
    }

    @Override
    public void transaction(Op op) {
        super.transaction(op);
        addOperation(op);
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        super.prefix(op, name, namespace, graph);
        addOperation(op, name, namespace, graph);
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        super.statement(op, subject, predicate, object, graph);
        addOperation(op, subject, predicate, object, graph);
    }
}
