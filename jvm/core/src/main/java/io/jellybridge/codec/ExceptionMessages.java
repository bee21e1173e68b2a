package io.jellybridge.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Formats exceptions for messages, alone or as the cause of another. */
public final class ExceptionMessages {
    private static final String OURS = "io.jellybridge.";
    private static final String CANNOT_WRITE = "can't write";
    private static final int EXCERPT = 200;

    private ExceptionMessages() {
    }

    /**
     * Returns the message of an exception. It is the bare message if that is a sentence: for our exceptions, illegal arguments
     * and states, and I/O errors. For a file system error it is the file's name and the reason. For any other exception the
     * name of its class comes first, since that tells most.
     */
    public static String toText(Throwable cause) {
        Throwable told = cause;
        while (told.getCause() != null && told.getCause().toString().equals(told.getMessage())) {
            told = told.getCause(); // an exception that only wraps its cause
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

    /** Returns a text for a message, cut after {@value #EXCERPT} characters. */
    public static String excerpt(String text) {
        return text.length() > EXCERPT ? text.substring(0, EXCERPT) + "…" : text;
    }

    /** Formats an exception whose message is a file name, and whose class gives the reason. */
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
     * Creates the error for a file that can't be written, since the system's message has only the reason. A message that
     * already says so is not prefixed again.
     *
     * @param file the file; may be null if it has no name
     */
    public static UncheckedIOException cannotWriteError(String file, IOException cause) {
        String message = toText(cause);
        return new UncheckedIOException(message.startsWith(CANNOT_WRITE) ? message
                : CANNOT_WRITE + (file == null ? "" : " " + file) + ": " + message, cause);
    }

    /**
     * Returns the IOException inside an {@link UncheckedIOException}, with the details that the latter added, such as the file.
     */
    public static IOException unwrapCause(UncheckedIOException carrier) {
        IOException cause = carrier.getCause();
        // An exception with a class of its own keeps that class.
        return cause.getClass() == IOException.class ? new IOException(toText(carrier), cause) : cause;
    }

    private static boolean isSentence(Throwable told) {
        return told instanceof IOException || told instanceof UncheckedIOException
                || told.getClass().getName().startsWith(OURS)
                || told.getClass() == IllegalArgumentException.class || told.getClass() == IllegalStateException.class;
    }
}
