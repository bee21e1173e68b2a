package io.jellybridge.fuseki;

import io.jellybridge.files.BlockInputStream;
import io.jellybridge.files.ConcatenatedGzipInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.jena.fuseki.Fuseki;

/**
 * The body of a request as it was sent, in a temporary file that is deleted when this is closed. A compressed body is
 * decompressed each time it is read, so a small body never becomes a large file. A body that nobody reads is not stored.
 */
final class RequestBody implements Closeable {
    /** The name of the body in format errors. */
    static final String NAME = "request body";

    private final RequestLimits limits;
    private final Path folder;
    private Path file;
    private OutputStream out;
    private long size;
    /** The error while storing the body; null if there was none. */
    private IOException fault;

    /** Creates an empty body, to which pieces are added. */
    RequestBody(RequestLimits limits, boolean isStored) {
        this(limits, isStored ? Path.of(System.getProperty("java.io.tmpdir")) : null);
    }

    /**
     * @param folder the folder of the file; null to drop the content
     */
    RequestBody(RequestLimits limits, Path folder) {
        this.limits = limits;
        this.folder = folder;
    }

    /**
     * Adds a piece. Drops the content once the body is too large or can't be stored. The rest must be received anyway, since a
     * client that is still sending does not see an error response.
     */
    void add(byte[] piece, int length) {
        size += length;
        if (isTooLarge() || fault != null || folder == null) {
            close();
            return;
        }
        try {
            if (out == null) {
                file = Files.createTempFile(folder, "jellybridge-", ".patch");
                out = Files.newOutputStream(file);
            }
            out.write(piece, 0, length);
        } catch (IOException e) {
            fault = e;
            close();
        }
    }

    long size() {
        return size;
    }

    boolean isTooLarge() {
        return size > limits.bodyBytes();
    }

    /**
     * Reads the complete body.
     *
     * @throws RefusedException it is too large, or not valid gzip; also thrown by reading the returned stream
     * @throws IOException      it could not be stored, or can't be read again
     */
    InputStream open(boolean gzip) throws IOException {
        if (isTooLarge()) {
            throw new RefusedException(limits.bodyTooLarge());
        }
        if (fault != null) {
            throw fault;
        }
        if (out != null) {
            out.close();
        }
        InputStream in = file == null ? InputStream.nullInputStream() : Files.newInputStream(file);
        return gzip ? Unpacked.open(in, limits) : in;
    }

    /** A decompressed stream that rejects invalid gzip and content beyond the limit. */
    private static final class Unpacked extends BlockInputStream {
        private final RequestLimits limits;
        private long bytes;

        private Unpacked(InputStream in, RequestLimits limits) {
            super(in);
            this.limits = limits;
        }

        static InputStream open(InputStream in, RequestLimits limits) throws IOException {
            try {
                return new Unpacked(ConcatenatedGzipInputStream.open(in, NAME), limits);
            } catch (IOException e) {
                in.close();
                throw damageError(e);
            }
        }

        private static RefusedException damageError(IOException e) {
            return new RefusedException(Answer.badRequest(e.getMessage()));
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            try {
                int read = in.read(into, offset, length);
                bytes += Math.max(read, 0);
                if (bytes > limits.unpackedBytes()) {
                    throw new RefusedException(limits.unpackedTooLarge());
                }
                return read;
            } catch (IOException e) {
                throw damageError(e);
            }
        }
    }

    /** Deletes the file. If that fails, the file stays and the failure is logged, since it is not the request's fault. */
    @Override
    public void close() {
        if (file != null) {
            try {
                if (out != null) {
                    out.close();
                }
                Files.deleteIfExists(file);
            } catch (IOException e) {
                Fuseki.serverLog.warn("jellybridge: the temporary file {} can't be removed", file, e);
            }
            file = null;
            out = null;
        }
    }
}
