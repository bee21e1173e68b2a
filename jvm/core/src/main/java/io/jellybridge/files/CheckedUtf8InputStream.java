package io.jellybridge.files;

import io.jellybridge.wire.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Text that is checked to be UTF-8 while it is read: RIOT would take U+FFFD for what is not, and go on. */
public final class CheckedUtf8InputStream extends InputStream {
    private static final byte[] NONE = new byte[0];

    private final InputStream in;
    private final String advice;
    /** The beginning of a character whose end was not read yet. */
    private byte[] begun = NONE;
    /** How many bytes were found to be right. */
    private long position;

    /** @param advice what to do about text that is not */
    public CheckedUtf8InputStream(InputStream in, String advice) {
        this.in = in;
        this.advice = advice;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    /** @throws IOException what was read is not UTF-8; the message says which byte */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = in.read(bytes, offset, length);
        if (count < 0 && begun.length > 0) {
            throw refused(0);
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
            throw refused(invalid - start);
        }
        position += whole - start;
        begun = whole == end ? NONE : Arrays.copyOfRange(bytes, whole, end);
    }

    /** Where the last character begins if the end cuts it, else the end. */
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

    private IOException refused(int index) {
        return new IOException("byte " + (position + index) + " is not UTF-8; " + advice);
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
