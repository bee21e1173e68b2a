package io.jellybridge.convert;

import io.jellybridge.files.BoundedInputStream;
import io.jellybridge.files.Compression;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * Where bytes come from or go to: a file, or {@value #STANDARD} for standard input and output. Files are compressed as
 * their suffix says.
 *
 * @param path  the file
 * @param name  what errors call it: of a temporary copy, what it is a copy of
 * @param bytes how many of its bytes are read, or all where it has fewer
 */
public record Place(String path, String name, long bytes) {
    static final String STANDARD = "-";

    /** A whole file. */
    public Place(String path, String name) {
        this(path, name, Long.MAX_VALUE);
    }

    /** A file that goes by its own name. */
    public Place(String path) {
        this(path, path);
    }

    /** The first bytes of the file, which may grow. */
    public Place upTo(long limit) {
        return new Place(path, name, limit);
    }

    boolean isStandard() {
        return path.equals(STANDARD);
    }

    /** Whether it can be opened again, and holds the same then: a pipe, a device and standard input are read once. */
    boolean isRegularFile() {
        return !isStandard() && Files.isRegularFile(Path.of(path));
    }

    /** From where relative IRIs in it go; null for standard input, and for a copy of something that is nowhere. */
    String baseIri() {
        if (name.startsWith("https:") || name.startsWith("http:") || name.startsWith("file:")) {
            return name;
        }
        if (isStandard() || isCopy() && !Path.of(name).isAbsolute()) {
            return null;
        }
        return Path.of(isCopy() ? name : path).toUri().toString();
    }

    /** Likewise, but not from where a file is on this machine. */
    String baseIriElsewhere() {
        String base = baseIri();
        return base == null || base.startsWith("file:") ? null : base;
    }

    /** What is temporary has another name than what it is a copy of. */
    private boolean isCopy() {
        return !name.endsWith(Path.of(path).getFileName().toString());
    }

    /** What the labels of its blank nodes are made of: the same for who reads it again, and for nothing else. */
    String labelPlace() {
        String known = baseIri();
        return known != null ? known : isStandard() ? inputName() : path;
    }

    /** What errors call it when it is read. */
    String inputName() {
        return isStandard() ? "standard input" : name;
    }

    /** The format of a file that is read, unless it is told. */
    Format inputFormat(Format told) {
        return told != null ? told : Format.ofInput(named("--from"));
    }

    /**
     * Likewise, of one that is written.
     *
     * @param option what it is told by
     */
    Format outputFormat(Format told, String option) {
        return told != null ? told : Format.ofFile(named(option));
    }

    private String named(String option) {
        if (isStandard()) {
            throw new IllegalArgumentException(
                    "standard input and output have no suffix that names a format; name it by " + option);
        }
        return path;
    }

    /** The content, uncompressed; the meter counts the bytes of both. */
    InputStream open(Meter meter) throws IOException {
        Compression compression = Compression.ofFile(path);
        InputStream raw = isStandard() ? new Unclosed(new FileInputStream(FileDescriptor.in)) : openFile();
        try {
            InputStream file = meter.watched(new Metered(raw, meter, meter::addBytes));
            return new Metered(CompressedStreams.decompress(compression, file, inputName()), meter, meter::addContent);
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
        InputStream in = new FileInputStream(path); // that of Files seeks, which a pipe can't
        return bytes == Long.MAX_VALUE ? in : new BoundedInputStream(in, bytes);
    }

    /** Begins to write. */
    OutputFile create() throws IOException {
        return isStandard() ? OutputFile.standard(name()) : OutputFile.of(path, name());
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
