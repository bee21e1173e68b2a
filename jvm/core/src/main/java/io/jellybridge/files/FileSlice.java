package io.jellybridge.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A part of a file.
 *
 * @param offset the start, in bytes
 * @param length the number of bytes
 */
public record FileSlice(Path file, long offset, long length) {

    /** Returns the offset of the first byte after the part. */
    public long end() {
        return offset + length;
    }

    /** Opens the part; the caller closes the stream. If the file has become shorter, the stream ends where the file does. */
    public InputStream open() throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            channel.position(offset);
            return new BoundedInputStream(Channels.newInputStream(channel), length);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }
}
