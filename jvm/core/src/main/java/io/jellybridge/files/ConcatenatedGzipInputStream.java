package io.jellybridge.files;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses a gzip stream of one or more members, with or without zero padding at the end. It throws an {@link IOException}
 * if the stream is cut off or damaged, or if bytes that are not a whole member follow. {@code java.util.zip.GZIPInputStream}
 * would silently take these for the end, and return only a part of the content. Jena's parsers would take its {@code
 * EOFException} for the end.
 */
public final class ConcatenatedGzipInputStream extends BlockInputStream {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int DEFLATE = 8;
    private static final int FLAG_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int FLAGS_RESERVED = 0xE0;
    /** The time, the flags of the compressor and the system. They do not affect the content. */
    private static final int OTHER_HEADER_BYTES = 6;

    private final String file;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int limit;
    private boolean ended;

    private ConcatenatedGzipInputStream(InputStream in, String file) {
        super(in);
        this.file = file;
    }

    /**
     * Opens a gzip stream. If it is damaged or cut off, this method or a read throws an {@link IOException}.
     *
     * @param in   the compressed stream, which the returned stream closes
     * @param file the name of the file in errors
     */
    public static InputStream open(InputStream in, String file) throws IOException {
        ConcatenatedGzipInputStream content = new ConcatenatedGzipInputStream(in, file);
        try {
            content.readHeader(content.next());
            return content;
        } catch (IOException e) {
            content.inflater.end();
            throw e;
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            while (!ended) {
                int count = inflater.inflate(bytes, offset, length);
                if (count > 0) {
                    checksum.update(bytes, offset, count);
                    return count;
                }
                if (inflater.finished()) {
                    readTrailer();
                    nextMember();
                } else if (inflater.needsDictionary()) {
                    throw damageError("it asks for a dictionary");
                } else if (fill()) {
                    inflater.setInput(buffer, 0, limit);
                    at = limit;
                } else {
                    throw CompressedData.cutOffError(file);
                }
            }
            return -1;
        } catch (DataFormatException e) {
            throw damageError(e.getMessage());
        }
    }

    @Override
    public int available() {
        return 0; // compressed bytes may be there that give none
    }

    @Override
    public void close() throws IOException {
        ended = true;
        inflater.end();
        in.close();
    }

    private void readTrailer() throws IOException {
        at = limit - inflater.getRemaining();
        long found = checksum.getValue(); // before the bytes of the trailer are read
        if (nextInt() != found) {
            throw damageError("a checksum is wrong");
        }
        if (nextInt() != (inflater.getBytesWritten() & 0xFFFFFFFFL)) {
            throw damageError("a length is wrong");
        }
    }

    private void nextMember() throws IOException {
        int first = 0;
        while (first == 0) {
            if (at == limit && !fill()) {
                ended = true;
                return;
            }
            first = next();
        }
        readHeader(first);
    }

    /** Reads the header of a member, after its first byte. */
    private void readHeader(int first) throws IOException {
        checksum.reset();
        checksum.update(first);
        if (first != 0x1F || next() != 0x8B) {
            boolean isFirst = inflater.getTotalIn() == 0;
            throw isFirst ? CompressedData.otherFormatError(file, "gzip", ".gz", buffer, limit)
                    : damageError("what follows a member is none");
        }
        int method = next();
        int flags = next();
        if (method != DEFLATE || (flags & FLAGS_RESERVED) != 0) {
            throw damageError("a member has a method or flags that gzip does not have");
        }
        skip(OTHER_HEADER_BYTES);
        if ((flags & FLAG_EXTRA) != 0) {
            skip(next() | next() << 8);
        }
        if ((flags & FLAG_NAME) != 0) {
            skipText();
        }
        if ((flags & FLAG_COMMENT) != 0) {
            skipText();
        }
        if ((flags & FLAG_CRC) != 0) {
            long expected = checksum.getValue() & 0xFFFF;
            if ((next() | next() << 8) != expected) {
                throw damageError("the checksum of a header is wrong");
            }
        }
        checksum.reset();
        inflater.reset();
        inflater.setInput(buffer, at, limit - at);
        at = limit;
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            next();
        }
    }

    private void skipText() throws IOException {
        while (next() != 0) {
            // skip the name of a file, or a comment
        }
    }

    private long nextInt() throws IOException {
        return next() | next() << 8 | next() << 16 | (long) next() << 24;
    }

    private int next() throws IOException {
        if (at == limit && !fill()) {
            throw CompressedData.cutOffError(file);
        }
        checksum.update(buffer[at]);
        return buffer[at++] & 0xFF;
    }

    private boolean fill() throws IOException {
        at = 0;
        limit = Math.max(in.read(buffer, 0, buffer.length), 0);
        return limit > 0;
    }

    private IOException damageError(String how) {
        return CompressedData.damageError(file, how);
    }
}
