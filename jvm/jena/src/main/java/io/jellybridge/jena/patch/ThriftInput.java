package io.jellybridge.jena.patch;

import io.jellybridge.codec.SniffedFormat;
import java.io.IOException;
import java.io.InputStream;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * A stream of Thrift structures that knows its position and its end. Thrift's own transport does not distinguish an end between
 * two structures from one within a structure, and applies a limit to the whole stream.
 */
final class ThriftInput extends TTransport {
    private final InputStream in;
    private final int maxStringBytes;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int limit;
    private long bufferOffset;

    /**
     * Creates a stream.
     *
     * @param in             the stream; closed by {@link #closeStream()}
     * @param maxStringBytes the size limit of a string; a longer one is an error before memory is allocated
     */
    ThriftInput(InputStream in, int maxStringBytes) {
        this.in = in;
        this.maxStringBytes = maxStringBytes;
    }

    /** Returns the offset in the stream of the next byte. */
    long offset() {
        return bufferOffset + at;
    }

    /** Checks whether the stream has ended. */
    boolean atEnd() throws IOException {
        return at == limit && !fill();
    }

    /** Guesses the format from the first bytes of the stream. Returns null if these look like no known format, or are gone. */
    SniffedFormat sniffFormat() {
        return bufferOffset == 0 ? SniffedFormat.of(buffer, 0, limit) : null;
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer, 0, buffer.length);
        if (count <= 0) {
            return false;
        }
        bufferOffset += limit;
        at = 0;
        limit = count;
        return true;
    }

    void closeStream() throws IOException {
        in.close();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws TTransportException {
        try {
            if (atEnd()) {
                return 0;
            }
        } catch (IOException e) {
            throw new TTransportException(TTransportException.UNKNOWN, e);
        }
        int count = Math.min(length, limit - at);
        System.arraycopy(buffer, at, bytes, offset, count);
        at += count;
        return count;
    }

    @Override
    public void checkReadBytesAvailable(long count) throws TTransportException {
        if (count < 0 || count > maxStringBytes) {
            throw new TTransportException(TTransportException.MESSAGE_SIZE_LIMIT, "a string of " + count
                    + " bytes, above the limit of " + maxStringBytes);
        }
    }

    @Override
    public TConfiguration getConfiguration() {
        return TConfiguration.DEFAULT;
    }

    @Override
    public void updateKnownMessageSize(long size) {
        // the size of a stream is unknown
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void open() {
        // always open
    }

    @Override
    public void close() {
        // the owner closes the stream
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        throw new UnsupportedOperationException("this transport is for reading");
    }
}
