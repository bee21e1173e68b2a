package io.jellybridge.fuseki;

import io.jellybridge.files.WholeGzipInputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.jena.fuseki.Fuseki;

/**
 * The body of a request, as it was sent, in a temporary file, which goes with this. A compressed body is unpacked each time
 * that it is read: a small one never becomes a large file.
 */
final class RequestBody implements Closeable {
    /** What errors of the body's format call it. */
    static final String NAME = "request body";

    private final RequestLimits limits;
    private final Path folder;
    private Path file;
    private OutputStream out;
    private long size;
    /** Why it can't be kept; null: it is. */
    private IOException fault;

    /** An empty body, to which pieces are added. */
    RequestBody(RequestLimits limits) {
        this(limits, Path.of(System.getProperty("java.io.tmpdir")));
    }

    RequestBody(RequestLimits limits, Path folder) {
        this.limits = limits;
        this.folder = folder;
    }

    /**
     * Adds a piece, of which nothing is kept once the body is too large, or can't be stored: its end has to be received all the
     * same, since a client that still sends does not hear why it was refused.
     */
    void add(byte[] piece, int length) {
        size += length;
        if (isTooLarge() || fault != null) {
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
     * Reads the body, all of which was added.
     *
     * @throws RefusedException it is too large, or not the gzip that it should be; also thrown by reading what this returns
     * @throws IOException      it could not be stored, or can't be read from where it is
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

    /** Refuses to unpack more than the limit, and what is no gzip. */
    private static final class Unpacked extends FilterInputStream {
        private final RequestLimits limits;
        private long bytes;

        private Unpacked(InputStream in, RequestLimits limits) {
            super(in);
            this.limits = limits;
        }

        static InputStream open(InputStream in, RequestLimits limits) throws IOException {
            try {
                return new Unpacked(WholeGzipInputStream.open(in, NAME), limits);
            } catch (IOException e) {
                in.close();
                throw damaged(e);
            }
        }

        private static RefusedException damaged(IOException e) {
            return new RefusedException(Answer.request(e.getMessage()));
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
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
                throw damaged(e);
            }
        }
    }

    /** Ends this. What can't be removed stays, and the log says so: the request is not to blame. */
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
