package io.jellybridge.convert;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of patches, in the format of their suffix, for those who look at the rows. */
public final class PatchFiles {
    private static final List<Format> FORMATS = List.of(Format.JELLY_PATCH, Format.RDF_PATCH, Format.THRIFT);

    private PatchFiles() {
    }

    /** The format of a file of patches; Jelly-Patch where the suffix says nothing else. */
    static Format format(String file) {
        for (Format format : FORMATS) {
            if (format.isSuffixOf(file)) {
                return format;
            }
        }
        return Format.JELLY_PATCH;
    }

    /** Whether a name has the suffix of a format of patches, compressed or not. */
    public static boolean isPatchFile(String name) {
        return FORMATS.stream().anyMatch(format -> format.isSuffixOf(name));
    }

    /**
     * Refuses what can be read only once: who read it again would find nothing.
     *
     * @throws IllegalArgumentException it is a pipe, a device or a folder
     */
    public static void requireFile(Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IllegalArgumentException(file + " is a " + (Files.isDirectory(file) ? "folder" : "pipe or a device")
                    + ", and what is read more than once must be a file; copy it into one first");
        }
    }

    /** A file in the format of its suffix, to be read more than once; see {@link #patches(Place, Format, boolean)}. */
    public static Patches patches(String file, boolean strict) {
        return patches(new Place(file), null, strict);
    }

    /**
     * A file, to be read more than once; see {@link #read(Place, Format, TermFactory, boolean)}.
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

    /** A file in the format of its suffix, to be read once, with what hears of its bytes. */
    public static Patches patches(Place file, Meter meter) {
        requireFile(Path.of(file.path()));
        return new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                return read(file, null, terms, false, meter);
            }
        };
    }

    /** Opens a file in the format of its suffix; its terms are canonical. The caller closes it. */
    public static PatchSource<byte[]> read(String file, boolean strict) throws IOException {
        return read(file, new Utf8Terms(), strict);
    }

    /** As {@link #read(String, boolean)}, with terms of any kind. */
    public static <T> PatchSource<T> read(String file, TermFactory<T> terms, boolean strict) throws IOException {
        return read(new Place(file), null, terms, strict);
    }

    /**
     * Opens a file. The caller closes it.
     *
     * @param format null: by the suffix
     * @param strict refuse every broken MUST of Jelly-Patch
     */
    public static <T> PatchSource<T> read(Place file, Format format, TermFactory<T> terms, boolean strict)
            throws IOException {
        return read(file, format, terms, strict, new Meter());
    }

    private static <T> PatchSource<T> read(Place file, Format format, TermFactory<T> terms, boolean strict, Meter meter)
            throws IOException {
        return new Input(file, format == null ? format(file.path()) : format, ConvertOptions.strict(strict), meter)
                .patches(terms);
    }
}
