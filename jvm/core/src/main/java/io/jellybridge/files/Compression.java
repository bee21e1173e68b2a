package io.jellybridge.files;

import java.util.List;
import java.util.Locale;

/** The compression of a file, which its suffix tells. */
public enum Compression {
    NONE(""),
    GZIP(".gz"),
    ZSTD(".zst"),
    /** Supported for reading only. */
    BZIP2(".bz2");

    /** The compressions that can be written. */
    public static final List<Compression> WRITTEN = List.of(NONE, GZIP, ZSTD);

    private final String suffix;

    Compression(String suffix) {
        this.suffix = suffix;
    }

    /** Returns the compression for a file's name. */
    public static Compression ofFile(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(GZIP.suffix) ? GZIP : name.endsWith(ZSTD.suffix) ? ZSTD : name.endsWith(BZIP2.suffix) ? BZIP2 : NONE;
    }

    /** Returns the suffix with its dot, which follows the suffix of the format. It is empty for {@link #NONE}. */
    public String suffix() {
        return suffix;
    }

    /** Returns the name of a file without the suffix of the compression. */
    public String strip(String file) {
        return file.substring(0, file.length() - suffix.length());
    }

    /** Returns the name as options have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
