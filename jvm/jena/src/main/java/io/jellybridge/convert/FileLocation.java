package io.jellybridge.convert;

import io.jellybridge.codec.Io;
import io.jellybridge.files.BlockInputStream;
import io.jellybridge.files.CloseShieldInputStream;
import io.jellybridge.files.Compression;
import io.jellybridge.files.FileSlice.BoundedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * The location of an input or output: a file, or {@value #STANDARD} for standard input and output. The suffix of a file tells
 * its compression.
 *
 * @param path  the file
 * @param name  the name in errors; a temporary copy has the name of its original
 * @param base  the IRI of a download, with its query, which the name lacks; null for anything else
 * @param bytes the number of bytes to read, or fewer if the file is shorter
 */
public record FileLocation(String path, String name, String base, long bytes) {
    static final String STANDARD = "-";

    /** Creates a location for a whole file. */
    public FileLocation(String path, String name) {
        this(path, name, null);
    }

    /** Creates a location for a whole file that may be a download. */
    public FileLocation(String path, String name, String base) {
        this(path, name, base, Long.MAX_VALUE);
    }

    /** Creates a location for a file under its own name. */
    public FileLocation(String path) {
        this(path, path);
    }

    /** Returns the first bytes of the file, which may grow meanwhile. */
    public FileLocation upTo(long limit) {
        return new FileLocation(path, name, base, limit);
    }

    boolean isStandard() {
        return path.equals(STANDARD);
    }

    /**
     * Returns true for a regular file, which can be opened again with the same content. A pipe, a device and standard input are
     * read once.
     */
    boolean isRegularFile() {
        return !isStandard() && Files.isRegularFile(Path.of(path));
    }

    /** Returns the base of relative IRIs; null for standard input, and for a copy of something without a location. */
    String baseIri() {
        if (base != null) {
            return base;
        }
        if (name.startsWith("file:")) {
            return name;
        }
        if (isStandard() || isCopy() && !Path.of(name).isAbsolute()) {
            return null;
        }
        return Path.of(isCopy() ? name : path).toUri().toString();
    }

    /** Returns the base of relative IRIs, but null if it is a file on this machine. */
    String baseIriElsewhere() {
        String known = baseIri();
        return known == null || known.startsWith("file:") ? null : known;
    }

    /** Returns true for a temporary copy, whose name is that of its original. */
    private boolean isCopy() {
        return !name.endsWith(Path.of(path).getFileName().toString());
    }

    /**
     * Returns the seed for the labels of blank nodes. It is the same if the same location is read again, and differs for any
     * other.
     */
    String labelPlace() {
        String known = baseIri();
        return known != null ? known : isStandard() ? inputName() : path;
    }

    /** Returns the name in errors for reading. */
    String inputName() {
        return isStandard() ? "standard input" : name;
    }

    /** Returns the format of an input: the given one, or that of the suffix. */
    Format inputFormat(Format told) {
        return told != null ? told : Format.ofInput(nameInErrors("--from-format"));
    }

    /**
     * Returns the format of an output: the given one, or that of the suffix.
     *
     * @param option the name of the option that gives the format
     */
    Format outputFormat(Format told, String option) {
        return told != null ? told : Format.ofFile(nameInErrors(option));
    }

    private String nameInErrors(String option) {
        if (isStandard()) {
            throw new IllegalArgumentException(
                    "standard input and output have no suffix that names a format; name it by " + option);
        }
        return path;
    }

    /** Opens the content, decompressed. The meter counts the bytes before and after decompression. */
    InputStream open(ProgressMeter meter) throws IOException {
        Compression compression = Compression.ofFile(path);
        return Io.closeOnFailure(isStandard() ? new CloseShieldInputStream(new FileInputStream(FileDescriptor.in)) : openFile(), raw -> {
            InputStream file = meter.watchBytes(new Metered(raw, meter, meter::addBytes));
            return new Metered(CompressedStreams.decompress(compression, file, inputName()), meter, meter::addContent);
        });
    }

    private InputStream openFile() throws IOException {
        Path file = Path.of(path);
        if (!Files.exists(file)) {
            throw new FileNotFoundException(name + ": there is no such file");
        }
        if (Files.isDirectory(file)) {
            throw new FileNotFoundException(name + " is a folder; name the files in it");
        }
        InputStream in = new FileInputStream(path); // the stream of Files seeks, which a pipe can't
        return bytes == Long.MAX_VALUE ? in : new BoundedInputStream(in, bytes);
    }

    /** Creates the output. */
    OutputFile create() throws IOException {
        return isStandard() ? OutputFile.toStandardOutput(name()) : OutputFile.of(path, name());
    }

    private static final class Metered extends BlockInputStream {
        private final ProgressMeter meter;
        private final LongConsumer counter;

        Metered(InputStream in, ProgressMeter meter, LongConsumer counter) {
            super(in);
            this.meter = meter;
            this.counter = counter;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = in.read(bytes, offset, length);
            counter.accept(Math.max(count, 0));
            meter.report();
            return count;
        }
    }
}
