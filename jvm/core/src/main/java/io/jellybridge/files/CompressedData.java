package io.jellybridge.files;

import io.jellybridge.codec.CarriedException;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Look;
import java.io.IOException;

/**
 * What is said of compressed data that can't be read, whichever library finds it. Each error is one of reading, since that is
 * what streams throw; its cause is the error of the format.
 */
public final class CompressedData {

    private static final String FORMAT = "compressed data";
    private static final String AGAIN = "get the file again from where it was written";

    private CompressedData() {
    }

    /** The data ends too early. */
    public static IOException cutOff(String file) {
        return error(file, "the compressed data ends too early; the file was cut off", AGAIN);
    }

    /** The data can't be what was written; {@code how} says why, as a clause. */
    public static IOException damaged(String file, String how) {
        return error(file, "the compressed data is damaged (" + how + ")", AGAIN);
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
        if (look == null) {
            return damaged(file, "it is not " + way);
        }
        String found = "the compressed data is not " + way + ", it looks like " + look;
        String advice = "take " + suffix + " off its name, or compress it";
        return new IOException(file + ": " + found + "; " + advice, FormatException.inText(FORMAT, file, 0, 0, -1, found, advice));
    }

    /**
     * A library failed on the data: on damaged ones some throw what they like.
     *
     * @param failure one that is ours is thrown as it is
     */
    public static IOException failed(String file, RuntimeException failure) {
        if (failure instanceof CarriedException) {
            throw failure;
        }
        return damaged(file, failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage());
    }

    private static IOException error(String file, String found, String advice) {
        FormatException fault = FormatException.inText(FORMAT, file, 0, 0, -1, found, advice);
        return new IOException(file + ": " + found, fault);
    }
}
