package io.jellybridge.log;

import io.jellybridge.http.HttpOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.NoSuchFileException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * A file of quads of a {@link Checkpoint}, with the length and hash that the checkpoint lists. The bytes are compared before
 * the first is returned, so nobody reads part of a state. Other processes can open it, too.
 *
 * @param store  the address of the store that has it
 * @param server the connection options of a store on a server; null for another one
 * @param path   its path in the store
 * @param name   the name in errors
 * @param bytes  the length
 * @param sha256 the SHA-256 of its bytes, in 64 hexadecimal digits
 * @param advice the remedy in the error for other content
 */
public record PartFile(String store, HttpOptions server, String path, String name, long bytes, String sha256, String advice)
        implements Serializable {
    /** Checks that a store has the file with its length. */
    void requireLength(LogStore files) throws IOException {
        long found = files.lengthOf(path);
        if (found < 0) {
            throw missingFileError(files, null);
        }
        requireLength(found);
    }

    private void requireLength(long found) throws IOException {
        if (found != bytes) {
            throw new IOException(name + " has " + found + " bytes, and had " + bytes + " when it was made; " + advice);
        }
    }

    private IOException missingFileError(LogStore files, FileNotFoundException cause) throws IOException {
        return files.list(path.substring(0, path.lastIndexOf('/'))).containsKey(Checkpoint.DESCRIPTION)
                ? new IOException(name + " is not there; " + advice, cause) : Checkpoint.goneError(name);
    }

    /** Opens the file in a process that does not have its store, see {@link #open(LogStore)}. */
    public InputStream open() throws IOException {
        LogStore files = PatchLogs.store(store, server);
        try {
            return open(files);
        } finally {
            files.release();
        }
    }

    /**
     * Opens the file after reading it once to compare its hash.
     *
     * @param files its store
     * @throws NoSuchFileException the checkpoint does not exist any more
     * @throws IOException         the file is missing, or has changed since it was created
     */
    public InputStream open(LogStore files) throws IOException {
        try {
            MessageDigest digest = ContentHash.newSha256();
            try (InputStream in = new DigestInputStream(files.open(path, 0), digest)) {
                requireLength(in.transferTo(OutputStream.nullOutputStream()));
            }
            String found = HexFormat.of().formatHex(digest.digest());
            if (!found.equals(sha256)) {
                throw new IOException(name + " has bytes of the SHA-256 " + found + ", and had those of " + sha256
                        + " when it was made; " + advice);
            }
            return files.open(path, 0);
        } catch (FileNotFoundException e) {
            throw missingFileError(files, e);
        }
    }
}
