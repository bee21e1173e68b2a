package io.jellybridge.convert;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Opens files of patches, in the format of their suffix. */
public final class PatchFiles {
    private static final List<Format> FORMATS = List.of(Format.JELLY_PATCH, Format.RDF_PATCH, Format.THRIFT);

    private PatchFiles() {
    }

    /** Returns the format of a file of patches. The default is Jelly-Patch, for an unknown suffix. */
    static Format format(String file) {
        for (Format format : FORMATS) {
            if (format.isSuffixOf(file)) {
                return format;
            }
        }
        return Format.JELLY_PATCH;
    }

    /** Checks whether a name has the suffix of a patch format, compressed or not. */
    public static boolean isPatchFile(String name) {
        return FORMATS.stream().anyMatch(format -> format.isSuffixOf(name));
    }

    /**
     * Checks that a file can be read repeatedly.
     *
     * @throws IllegalArgumentException it is a pipe, a device or a folder
     */
    public static void requireFile(Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IllegalArgumentException(file + " is a " + (Files.isDirectory(file) ? "folder" : "pipe or a device")
                    + ", and what is read more than once must be a file; copy it into one first");
        }
    }

    /**
     * Returns the patches of a file in the format of its suffix, for repeated reading; see {@link #patches(Place, Format,
     * boolean)}.
     */
    public static Patches patches(String file, boolean strict) {
        return patches(new Place(file), null, strict);
    }

    /**
     * Returns the patches of a file, for repeated reading; see {@link #read(Place, Format, TermFactory, boolean)}.
     *
     * @throws IllegalArgumentException it can be read only once
     */
    public static Patches patches(Place file, Format format, boolean strict) {
        requireFile(Path.of(file.path()));
        return new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                return read(file, format, terms, strict);
            }
        };
    }

    /** Returns the patches of a file in the format of its suffix, for one reading whose bytes the meter counts. */
    public static Patches patches(Place file, ProgressMeter meter) {
        requireFile(Path.of(file.path()));
        return new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                return read(file, null, terms, false, meter);
            }
        };
    }

    /** Opens a file in the format of its suffix, with canonical terms. The caller closes it. */
    public static PatchSource<byte[]> read(String file, boolean strict) throws IOException {
        return read(file, new Utf8Terms(), strict);
    }

    /** Opens a file as {@link #read(String, boolean)} does, with terms of any type. */
    public static <T> PatchSource<T> read(String file, TermFactory<T> terms, boolean strict) throws IOException {
        return read(new Place(file), null, terms, strict);
    }

    /**
     * Opens a file. The caller closes it.
     *
     * @param format the format; null to use the suffix
     * @param strict reject every broken MUST of Jelly-Patch
     */
    public static <T> PatchSource<T> read(Place file, Format format, TermFactory<T> terms, boolean strict)
            throws IOException {
        return read(file, format, terms, strict, new ProgressMeter());
    }

    private static <T> PatchSource<T> read(Place file, Format format, TermFactory<T> terms, boolean strict, ProgressMeter meter)
            throws IOException {
        return new Input(file, format == null ? format(file.path()) : format, ConvertOptions.strict(strict), meter)
                .patches(terms);
    }
}
