package io.jellybridge.spark;

import java.util.Locale;

/** How files are compressed that are written, by option. Reading goes by a file's suffix. */
enum Compression {
    NONE(""),
    GZIP(".gz"),
    ZSTD(".zst");

    /** The option of every format: none (default), gzip or zstd. */
    static final String OPTION = "compression";

    private final String suffix;

    Compression(String suffix) {
        this.suffix = suffix;
    }

    /** What comes after the suffix of the format, with its dot. */
    String suffix() {
        return suffix;
    }

    /** @throws IllegalArgumentException the option's value is none of these */
    static Compression of(FileOptions given) {
        return given.oneOf(OPTION, Compression.class, NONE);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
