package io.jellybridge.jena.patch;

import io.jellybridge.codec.Look;
import java.io.IOException;
import java.io.InputStream;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * A stream of Thrift structures that knows where it is, and whether anything is left. Thrift's own transport answers
 * the end of the stream in the same way between two structures and within one, and counts a limit over the whole
 * stream.
 */
final class ThriftInput extends TTransport {
    private final InputStream in;
    private final int maxStringBytes;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int limit;
    private long bufferOffset;

    /**
     * @param in             the stream; closed by {@link #closeStream()}
     * @param maxStringBytes the longest string; a longer one is refused before anything is allocated for it
     */
    ThriftInput(InputStream in, int maxStringBytes) {
        this.in = in;
        this.maxStringBytes = maxStringBytes;
    }

    /** The offset in the stream of what is read next. */
    long offset() {
        return bufferOffset + at;
    }

    /** Whether nothing is left. */
    boolean atEnd() throws IOException {
        return at == limit && !fill();
    }

    /** What the beginning of the stream looks like; null where it looks like nothing that is known, or is gone. */
    Look look() {
        return bufferOffset == 0 ? Look.of(buffer, 0, limit) : null;
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
        // the size of a stream is not known
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void open() {
        // it is
    }

    @Override
    public void close() {
        // the owner of the stream does
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        throw new UnsupportedOperationException("this transport is for reading");
    }
}
