package io.jellybridge.convert;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;

/** Files of patches, in the format of their suffix, for those who look at the rows. */
public final class PatchFiles {

    private PatchFiles() {
    }

    /** The format of a file of patches; Jelly-Patch where the suffix says nothing else. */
    static Format format(String file) {
        for (Format format : new Format[] {Format.RDF_PATCH, Format.THRIFT}) {
            if (format.isSuffixOf(file)) {
                return format;
            }
        }
        return Format.JELLY_PATCH;
    }

    /** Whether a name has the suffix of a format of patches, compressed or not. */
    public static boolean isPatchFile(String name) {
        return Format.JELLY_PATCH.isSuffixOf(name) || Format.RDF_PATCH.isSuffixOf(name) || Format.THRIFT.isSuffixOf(name);
    }

    /** A file, to be read more than once; see {@link #read(String, TermFactory, boolean)}. */
    public static Patches patches(String file, boolean strict) {
        return new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                return read(file, terms, strict);
            }
        };
    }

    /**
     * Opens a file; its terms are canonical. The caller closes it.
     *
     * @param strict refuse every broken MUST of Jelly-Patch
     */
    public static PatchSource<byte[]> read(String file, boolean strict) throws IOException {
        return read(file, new Utf8Terms(), strict);
    }

    /** As {@link #read(String, boolean)}, with terms of any kind. */
    public static <T> PatchSource<T> read(String file, TermFactory<T> terms, boolean strict) throws IOException {
        Settings settings = new Settings();
        settings.set("strict", Boolean.toString(strict));
        return new Input(file, format(file), settings, new Meter()).patches(terms);
    }
}
