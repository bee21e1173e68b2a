package io.jellybridge.files;

import io.jellybridge.wire.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A stream that checks that its bytes are UTF-8. RIOT would replace invalid bytes by U+FFFD and go on. */
public final class CheckedUtf8InputStream extends BlockInputStream {
    private static final byte[] NONE = new byte[0];

    private final String advice;
    /** The first bytes of a character that is not complete yet. */
    private byte[] begun = NONE;
    /** The number of bytes that were found valid. */
    private long position;

    /**
     * Creates a stream.
     *
     * @param advice what the user can do if the text is not UTF-8
     */
    public CheckedUtf8InputStream(InputStream in, String advice) {
        super(in);
        this.advice = advice;
    }

    /**
     * Reads bytes and checks them.
     *
     * @throws IOException the bytes are not UTF-8; the message gives the position of the first invalid byte
     */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = in.read(bytes, offset, length);
        if (count < 0 && begun.length > 0) {
            throw refusalError(0);
        }
        if (count > 0) {
            if (begun.length == 0) {
                check(bytes, offset, offset + count);
            } else {
                byte[] joined = Arrays.copyOf(begun, begun.length + count);
                System.arraycopy(bytes, offset, joined, begun.length, count);
                check(joined, 0, joined.length);
            }
        }
        return count;
    }

    private void check(byte[] bytes, int start, int end) throws IOException {
        int whole = endOfWhole(bytes, start, end);
        int invalid = Utf8.firstInvalid(bytes, start, whole - start);
        if (invalid >= 0) {
            throw refusalError(invalid - start);
        }
        position += whole - start;
        begun = whole == end ? NONE : Arrays.copyOfRange(bytes, whole, end);
    }

    /** Returns the start of an incomplete last character, or {@code end} if the last character is complete. */
    private static int endOfWhole(byte[] bytes, int start, int end) {
        for (int i = end - 1; i >= Math.max(start, end - 3); i--) {
            int lead = bytes[i] & 0xFF;
            if (lead >= 0xC0) {
                int size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
                return i + size > end ? i : end;
            }
        }
        return end;
    }

    private IOException refusalError(int index) {
        return new IOException("byte " + (position + index) + " is not UTF-8; " + advice);
    }
}
