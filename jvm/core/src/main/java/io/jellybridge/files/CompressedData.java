package io.jellybridge.files;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.SerializableException;
import io.jellybridge.codec.SniffedFormat;
import java.io.IOException;

/**
 * Creates the errors for compressed data that can't be read, the same for every library. Each is an IOException, since streams
 * throw those. Its cause is the error of the format.
 */
public final class CompressedData {

    private static final String FORMAT = "compressed data";
    private static final String AGAIN = "get the file again from where it was written";

    private CompressedData() {
    }

    /** Creates the error for data that ends too early. */
    public static IOException cutOffError(String file) {
        return newError(file, "the compressed data ends too early; the file was cut off", AGAIN);
    }

    /** Creates the error for damaged data. {@code how} gives the reason, as a clause. */
    public static IOException damageError(String file, String how) {
        return newError(file, "the compressed data is damaged (" + how + ")", AGAIN);
    }

    /**
     * Creates the error for data that is not compressed in the way that the file's name says.
     *
     * @param way    the expected compression
     * @param suffix the suffix of the name
     * @param bytes  the first bytes
     */
    public static IOException otherFormatError(String file, String way, String suffix, byte[] bytes, int count) {
        SniffedFormat sniffed = SniffedFormat.of(bytes, 0, count);
        if (sniffed == null) {
            return damageError(file, "it is not " + way);
        }
        return newErrorWithAdvice(file, "the compressed data is not " + way + ", it looks like " + sniffed,
                "take " + suffix + " off its name, or compress it");
    }

    /** Creates the error for Zstandard data with a window that the library does not take. */
    static IOException windowError(String file, long window, long limit) {
        return newErrorWithAdvice(file, "the compressed data has a window of " + (window >> 20) + " MiB, above the limit of "
                + (limit >> 20) + " MiB", "compress it without --long and --ultra");
    }

    /**
     * Creates the error for a library that failed. Some libraries throw any unchecked exception for damaged data.
     *
     * @param failure the exception of the library; one of our own exceptions is thrown again
     */
    public static IOException toFailure(String file, RuntimeException failure) {
        if (failure instanceof SerializableException) {
            throw failure;
        }
        return damageError(file, failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage());
    }

    private static IOException newErrorWithAdvice(String file, String found, String advice) {
        return new IOException(file + ": " + found + "; " + advice, FormatException.inText(FORMAT, file, 0, 0, -1, found, advice));
    }

    private static IOException newError(String file, String found, String advice) {
        FormatException fault = FormatException.inText(FORMAT, file, 0, 0, -1, found, advice);
        return new IOException(file + ": " + found, fault);
    }
}
