package io.jellybridge.spark;

import java.util.Locale;

/** How files are compressed: those that are written by option, those that are read by suffix. */
enum Compression {
    NONE(""),
    GZIP(".gz"),
    ZSTD(".zst");

    private final String suffix;

    Compression(String suffix) {
        this.suffix = suffix;
    }

    /** What comes after the suffix of the format, with its dot. */
    String suffix() {
        return suffix;
    }

    /** How a file is compressed, by its name. Hadoop has codecs for other ways. */
    static Compression ofFile(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(GZIP.suffix) ? GZIP : lower.endsWith(ZSTD.suffix) ? ZSTD : NONE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
