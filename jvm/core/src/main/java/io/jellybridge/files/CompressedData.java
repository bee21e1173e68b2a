package io.jellybridge.files;

import io.jellybridge.codec.Look;
import java.io.IOException;

/** What is said of compressed data that can't be read, whichever library finds it. */
public final class CompressedData {

    private CompressedData() {
    }

    /** The data ends too early. */
    public static IOException cutOff(String file) {
        return new IOException(file + ": the compressed data ends too early; the file was cut off");
    }

    /** The data can't be what was written; {@code how} says why, as a clause. */
    public static IOException damaged(String file, String how) {
        return new IOException(file + ": the compressed data is damaged (" + how + ")");
    }

    /**
     * The data is not compressed in the way that its name says.
     *
     * @param way    in which it should be
     * @param suffix of the name
     * @param bytes  the first bytes
     */
    public static IOException isOther(String file, String way, String suffix, byte[] bytes, int count) {
        Look look = Look.of(bytes, 0, count);
        return look == null ? damaged(file, "it is not " + way) : new IOException(file + ": the compressed data is not "
                + way + ", it looks like " + look + "; take " + suffix + " off its name, or compress it");
    }
}
