package io.jellybridge.convert;

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

/** What is being written: a file that appears whole, by {@link #commit()}, or not at all; or standard output. */
final class OutputFile implements Closeable {
    private final AtomicFile file;
    private final OutputStream out;

    private OutputFile(AtomicFile file, OutputStream out) {
        this.file = file;
        this.out = out;
    }

    /**
     * Standard output, which is there at once.
     *
     * @param name what errors call it
     */
    static OutputFile standard(String name) {
        return new OutputFile(null, new NamedOutputStream(new StandardOutput(), name));
    }

    /** @param name what errors call the file */
    static OutputFile of(String path, String name) throws IOException {
        AtomicFile file = new AtomicFile(Path.of(path), name);
        try {
            return new OutputFile(file, CompressedStreams.compress(Compression.ofFile(path), file.out()));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Where to write, errors of which name the file; closing it ends the compressed data. */
    OutputStream out() {
        return out;
    }

    /** Ends the file and puts it in its place, over one that is there. Close {@link #out()} before. */
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

    /** Standard output: closing it flushes, and whoever reads it no longer is an error of its own. */
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
            // it is the process's
        }
    }
}
