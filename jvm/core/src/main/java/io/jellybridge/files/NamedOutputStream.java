package io.jellybridge.files;

import io.jellybridge.codec.Causes;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Has the errors of a stream say which file can't be written, as those of the Jelly writers do: a system's say only why. */
public final class NamedOutputStream extends FilterOutputStream {
    private final String name;

    public NamedOutputStream(OutputStream out, String name) {
        super(out);
        this.name = name;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw named(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw named(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException e) {
            throw named(e);
        }
    }

    /** An error of a class of its own is told by that, such as a pipe that nobody reads any more. */
    IOException named(IOException e) {
        return Causes.unwrapped(Causes.cannotWrite(name, e));
    }
}
