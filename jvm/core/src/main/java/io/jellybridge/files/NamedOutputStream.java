package io.jellybridge.files;

import io.jellybridge.codec.ExceptionMessages;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A stream that adds the file's name to write errors, as the Jelly writers do. The errors of the operating system give only a
 * reason.
 */
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
            throw withFileName(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw withFileName(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException e) {
            throw withFileName(e);
        }
    }

    /** Returns the error with the file's name. An error with a class of its own, such as a broken pipe, keeps its class. */
    IOException withFileName(IOException e) {
        return ExceptionMessages.unwrapCause(ExceptionMessages.cannotWriteError(name, e));
    }
}
