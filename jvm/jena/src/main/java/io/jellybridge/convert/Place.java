package io.jellybridge.convert;

import io.jellybridge.jena.AtomicFile;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * Where bytes come from or go to: a file, or {@value #STANDARD} for standard input and output. Files are compressed as
 * their suffix says.
 *
 * @param path the file
 * @param name what errors call it: of a temporary copy, what it is a copy of
 */
public record Place(String path, String name) {
    static final String STANDARD = "-";

    /** A file that goes by its own name. */
    public Place(String path) {
        this(path, path);
    }

    boolean isStandard() {
        return path.equals(STANDARD);
    }

    /** Whether it can be opened again, and holds the same then: a pipe, a device and standard input are read once. */
    boolean isRegularFile() {
        return !isStandard() && Files.isRegularFile(Path.of(path));
    }

    /** What errors call it when it is read. */
    String inputName() {
        return isStandard() ? "standard input" : name;
    }

    /** The file's format, unless it is told. */
    Format format(Format told, String option) {
        if (told != null) {
            return told;
        }
        if (isStandard()) {
            throw new IllegalArgumentException(
                    "standard input and output have no suffix that names a format; name it by " + option);
        }
        return Format.ofFile(path);
    }

    /** The content, uncompressed; the meter counts the bytes of both. */
    InputStream open(Meter meter) throws IOException {
        Compression compression = Compression.ofFile(path);
        InputStream raw = isStandard() ? new Unclosed(new FileInputStream(FileDescriptor.in)) : openFile();
        try {
            InputStream file = new Metered(raw, meter, meter::addBytes);
            return new Metered(compression.decompress(file, inputName()), meter, meter::addContent);
        } catch (IOException | RuntimeException e) {
            raw.close();
            throw e;
        }
    }

    private InputStream openFile() throws IOException {
        Path file = Path.of(path);
        if (!Files.exists(file)) {
            throw new FileNotFoundException(name + ": there is no such file");
        }
        if (Files.isDirectory(file)) {
            throw new FileNotFoundException(name + " is a folder; name the files in it");
        }
        return new FileInputStream(path); // that of Files seeks, which a pipe can't
    }

    /** Begins to write. */
    Target create() throws IOException {
        return isStandard() ? new Target(null, new StandardOutput()) : Target.file(path);
    }

    /** What is being written: a file that appears whole, by {@link #commit()}, or not at all; or standard output. */
    static final class Target implements Closeable {
        /** What is not committed and not closed, for {@link #abandonAll()}. */
        private static final Set<AtomicFile> UNFINISHED = ConcurrentHashMap.newKeySet();

        private final AtomicFile file;
        private final OutputStream out;

        private Target(AtomicFile file, OutputStream out) {
            this.file = file;
            this.out = out;
        }

        /** Removes what was written of files that are not finished, for a process that is about to end. */
        static void abandonAll() throws IOException {
            for (AtomicFile file : UNFINISHED) {
                file.close();
            }
        }

        private static Target file(String path) throws IOException {
            AtomicFile file = new AtomicFile(Path.of(path));
            UNFINISHED.add(file);
            try {
                return new Target(file, Compression.ofFile(path).compress(file.out()));
            } catch (IOException | RuntimeException e) {
                UNFINISHED.remove(file);
                file.close();
                throw e;
            }
        }

        /** Where to write; closing it ends the compressed data. */
        OutputStream out() {
            return out;
        }

        /** Ends the file and puts it in its place, over one that is there. Close {@link #out()} before. */
        void commit() throws IOException {
            if (file != null) {
                file.commit();
                UNFINISHED.remove(file);
            }
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                UNFINISHED.remove(file);
                file.close();
            }
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

    private static final class Unclosed extends FilterInputStream {

        Unclosed(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // it is the process's
        }
    }

    private static final class Metered extends FilterInputStream {
        private final Meter meter;
        private final LongConsumer counter;

        Metered(InputStream in, Meter meter, LongConsumer counter) {
            super(in);
            this.meter = meter;
            this.counter = counter;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            counter.accept(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            counter.accept(Math.max(count, 0));
            meter.look();
            return count;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
