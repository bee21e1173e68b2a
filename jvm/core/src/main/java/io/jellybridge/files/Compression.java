package io.jellybridge.files;

import java.util.List;
import java.util.Locale;

/** How a file is compressed, by its suffix. */
public enum Compression {
    NONE(""),
    GZIP(".gz"),
    ZSTD(".zst"),
    /** For reading only. */
    BZIP2(".bz2");

    /** What is written. */
    public static final List<Compression> WRITTEN = List.of(NONE, GZIP, ZSTD);

    private final String suffix;

    Compression(String suffix) {
        this.suffix = suffix;
    }

    /** That of a file's name. */
    public static Compression ofFile(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(GZIP.suffix) ? GZIP : name.endsWith(ZSTD.suffix) ? ZSTD : name.endsWith(BZIP2.suffix) ? BZIP2 : NONE;
    }

    /** What comes after the suffix of the format, with its dot; nothing for {@link #NONE}. */
    public String suffix() {
        return suffix;
    }

    /** The name of the file without the suffix of its compression. */
    public String strip(String file) {
        return file.substring(0, file.length() - suffix.length());
    }

    /** As options say it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
