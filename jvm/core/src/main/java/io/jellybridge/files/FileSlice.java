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
 * @param offset where it begins, in bytes
 * @param length how many bytes it has
 */
public record FileSlice(Path file, long offset, long length) {

    /** Where it ends in the file. */
    public long end() {
        return offset + length;
    }

    /** Opens it; the caller closes the stream. Where the file is shorter by now, the stream ends there. */
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
