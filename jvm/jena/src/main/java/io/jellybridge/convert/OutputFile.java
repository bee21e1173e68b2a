package io.jellybridge.convert;

import io.jellybridge.codec.Io;
import io.jellybridge.files.AtomicFile;
import io.jellybridge.files.Compression;
import io.jellybridge.files.NamedOutputStream;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * An output: a file that appears whole at {@link #commit()} or not at all, or standard output.
 *
 * @param file null for standard output
 * @param out  the stream to write to. Its errors name the file, and closing it ends the compressed data
 */
record OutputFile(AtomicFile file, OutputStream out) implements Closeable {
    /**
     * Returns standard output, which is written at once.
     *
     * @param name the name in errors
     */
    static OutputFile toStandardOutput(String name) {
        return new OutputFile(null, new NamedOutputStream(new StandardOutput(), name));
    }

    /**
     * Creates a file.
     *
     * @param name the name of the file in errors
     */
    static OutputFile of(String path, String name) throws IOException {
        return Io.closeOnFailure(new AtomicFile(Path.of(path), name),
                file -> new OutputFile(file, CompressedStreams.compress(Compression.ofFile(path), file.out())));
    }

    /** Gives the file its name, replacing an existing file. {@link #out()} must be closed before. */
    void commit() throws IOException {
        if (file != null) {
            file.commit();
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /** Standard output. Closing it flushes, and it has an error of its own for a broken pipe. */
    private static final class StandardOutput extends FilterOutputStream {

        StandardOutput() {
            super(new FileOutputStream(FileDescriptor.out));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                super.out.write(bytes, offset, length);
            } catch (IOException e) {
                throw "Broken pipe".equals(e.getMessage()) ? new BrokenPipeException(e) : e;
            }
        }

        @Override
        public void close() {
            // it belongs to the process
        }
    }
}
