package io.jellybridge.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file of quads of a {@link Checkpoint}, with the length and hash that the checkpoint lists. The bytes are compared before
 * the first is returned, so nobody reads part of a state.
 *
 * @param path   the path of the file
 * @param name   the name in errors
 * @param bytes  the length
 * @param sha256 the SHA-256 of its bytes, in 64 hexadecimal digits
 * @param advice the remedy in the error for other content
 */
public record PartFile(String path, String name, long bytes, String sha256, String advice) implements Serializable {
    private static final int BUFFER_BYTES = 1 << 16;

    /** Returns the algorithm of {@link #sha256}. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has it", e);
        }
    }

    void requireLength() throws IOException {
        try {
            requireLength(Files.size(Path.of(path)));
        } catch (NoSuchFileException e) {
            throw missing(e);
        }
    }

    private void requireLength(long found) throws IOException {
        if (found != bytes) {
            throw new IOException(name + " has " + found + " bytes, and had " + bytes + " when it was made; " + advice);
        }
    }

    private IOException missing(NoSuchFileException cause) {
        return Files.exists(Path.of(path).getParent()) ? new IOException(name + " is not there; " + advice, cause)
                : Checkpoint.gone(name);
    }

    /**
     * Opens the file after reading it once to compare its hash.
     *
     * @throws NoSuchFileException the checkpoint does not exist any more
     * @throws IOException         the file is missing, or has changed since it was created
     */
    public InputStream open() throws IOException {
        FileChannel file;
        try {
            file = FileChannel.open(Path.of(path), StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            throw missing(e);
        }
        try {
            requireLength(file.size());
            MessageDigest digest = digest();
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            while (file.read(buffer) >= 0) {
                digest.update(buffer.flip());
                buffer.clear();
            }
            String found = HexFormat.of().formatHex(digest.digest());
            if (!found.equals(sha256)) {
                throw new IOException(name + " has bytes of the SHA-256 " + found + ", and had those of " + sha256
                        + " when it was made; " + advice);
            }
            return Channels.newInputStream(file.position(0));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }
}
