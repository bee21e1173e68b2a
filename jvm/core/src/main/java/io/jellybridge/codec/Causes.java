package io.jellybridge.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What an exception says, alone or as a part of a message about what it was the cause of. */
public final class Causes {
    private static final String OURS = "io.jellybridge.";
    private static final String CANNOT_WRITE = "can't write";

    private Causes() {
    }

    /**
     * The message alone, where it is a sentence: of an exception of ours, of an argument or a state that was refused, and of
     * input and output. Of a file with which something is wrong, that and its name. Of any other the name of its class comes
     * first, since there it is what tells most.
     */
    public static String text(Throwable cause) {
        Throwable told = cause;
        while (told.getCause() != null && told.getCause().toString().equals(told.getMessage())) {
            told = told.getCause(); // around which this one was put without a word
        }
        String name = told.getClass().getSimpleName();
        String message = told.getMessage();
        if (message == null || message.isEmpty()) {
            return name;
        }
        if (told instanceof FileSystemException file && file.getReason() == null) {
            return ofFile(file, name);
        }
        return isSentence(told) ? message : name + ": " + message;
    }

    /** Its message is the name of the file, and its class says what is wrong with it. */
    private static String ofFile(FileSystemException error, String name) {
        if (error instanceof NoSuchFileException) {
            return error.getFile() + ": there is no such file or folder";
        }
        if (error instanceof FileAlreadyExistsException) {
            return error.getFile() + ": it is there already";
        }
        if (error instanceof AccessDeniedException) {
            return error.getFile() + ": access is denied";
        }
        if (error instanceof NotDirectoryException) {
            return error.getFile() + ": it is no folder";
        }
        return name + ": " + error.getMessage();
    }

    /**
     * The error of a file that can't be written, of which the system says only why. One that says it already is not told twice.
     *
     * @param file may be null: it has no name
     */
    public static UncheckedIOException cannotWrite(String file, IOException cause) {
        String message = text(cause);
        return new UncheckedIOException(message.startsWith(CANNOT_WRITE) ? message
                : CANNOT_WRITE + (file == null ? "" : " " + file) + ": " + message, cause);
    }

    /** What was carried out of code that throws no checked exceptions, with what was said of it on the way, such as the file. */
    public static IOException unwrapped(UncheckedIOException carrier) {
        IOException cause = carrier.getCause();
        // One of a class of its own is known by that.
        return cause.getClass() == IOException.class ? new IOException(text(carrier), cause) : cause;
    }

    private static boolean isSentence(Throwable told) {
        return told instanceof IOException || told instanceof UncheckedIOException
                || told.getClass().getName().startsWith(OURS)
                || told.getClass() == IllegalArgumentException.class || told.getClass() == IllegalStateException.class;
    }
}
