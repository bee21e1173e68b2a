package io.jellybridge.convert;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
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
        return FORMATS.stream().filter(format -> format.isSuffixOf(file)).findFirst().orElse(Format.JELLY_PATCH);
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
     * Returns the patches of a file in the format of its suffix, read leniently, for repeated reading; see
     * {@link #openPatches(FileLocation, Format, boolean)}.
     */
    public static Patches openPatches(String file) {
        return openPatches(new FileLocation(file), null, false);
    }

    /**
     * Returns the patches of a file, for repeated reading; see {@link #read(FileLocation, Format, TermFactory, boolean)}.
     *
     * @throws IllegalArgumentException it can be read only once
     */
    public static Patches openPatches(FileLocation file, Format format, boolean strict) {
        return new Repeated(file, format, strict, new ProgressMeter());
    }

    /** Returns the patches of a file in the format of its suffix, for one reading whose bytes the meter counts. */
    public static Patches openPatches(FileLocation file, ProgressMeter meter) {
        return new Repeated(file, null, false, meter);
    }

    private record Repeated(FileLocation file, Format format, boolean strict, ProgressMeter meter) implements Patches {

        Repeated {
            requireFile(Path.of(file.path()));
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return new Input(file, format == null ? PatchFiles.format(file.path()) : format, ConvertOptions.strict(strict), meter)
                    .openPatches(terms);
        }
    }

    /**
     * Opens a file. The caller closes it.
     *
     * @param format the format; null to use the suffix
     * @param strict reject every broken MUST of Jelly-Patch
     */
    public static <T> PatchSource<T> read(FileLocation file, Format format, TermFactory<T> terms, boolean strict)
            throws IOException {
        return new Input(file, format == null ? format(file.path()) : format, ConvertOptions.strict(strict),
                new ProgressMeter()).openPatches(terms);
    }
}
