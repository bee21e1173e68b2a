package io.jellybridge.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.options.ShareLimit;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A text file of unreadable statements, so that a reader can skip them and go on. Each statement stands on a line of its own,
 * as it was, below a comment with its position and its fault. A repaired line can be read as N-Triples or N-Quads. Several
 * files can be read in parallel, but the statements of one file belong to one thread at a time.
 */
public final class BadStatements implements Closeable {

    private final Text text;
    private final boolean isWritten;
    /** The number of bad statements in this file. */
    private long ofFile;

    /** The state that all files share. */
    private static final class Text {
        private final String name;
        private final ShareLimit limit;
        private final Io.Supplier<OutputStream> target;
        private OutputStream out;
        private long count;

        Text(String name, ShareLimit limit, Io.Supplier<OutputStream> target) {
            this.name = name;
            this.limit = limit;
            this.target = target;
        }

        synchronized void add(FormatException fault, String statement) throws IOException {
            count++;
            if (out == null) {
                out = target.get();
            }
            String lines = "# " + fault.getMessage().replaceAll("[\r\n]+", " ") + "\n" + statement.replaceAll("[\r\n]+", " ") + "\n";
            out.write(lines.getBytes(UTF_8));
        }
    }

    private BadStatements(Text text, boolean isWritten) {
        this.text = text;
        this.isWritten = isWritten;
    }

    /**
     * Creates a text.
     *
     * @param name  the name of the text in errors
     * @param limit the number of bad statements that a file may have
     */
    public BadStatements(String name, ShareLimit limit, Io.Supplier<OutputStream> target) {
        this(new Text(name, limit, target), true);
    }

    /** Returns an object for another file. It writes to the same text and counts on its own. */
    public BadStatements ofFile() {
        return new BadStatements(text, true);
    }

    /** Returns an object for a file whose statements are in the text already. It counts them, and writes nothing. */
    public BadStatements ofFileReadBefore() {
        return new BadStatements(text, false);
    }

    /**
     * Writes a bad statement to the text.
     *
     * @param fault     the fault and its file
     * @param statement the statement as it stands in the file; if the syntax has no statement lines, one similar to N-Quads
     * @throws IllegalStateException the file has more bad statements than allowed
     */
    public void add(FormatException fault, String statement) {
        if (isWritten) {
            Io.unchecked(() -> text.add(fault, statement));
        }
        ofFile++;
        if (ofFile > text.limit.count()) {
            throw limitExceededError(fault.file(), ofFile + " statements");
        }
    }

    /**
     * Checks, at the end of a file, that it has no more bad statements than allowed.
     *
     * @param file the name of the file in errors
     * @param good the number of good statements
     * @throws IllegalStateException there are more than allowed
     */
    public void endFile(String file, long good) {
        if (text.limit.isExceeded(ofFile, good + ofFile)) {
            throw limitExceededError(file, ofFile + " of " + (good + ofFile) + " statements");
        }
    }

    private IllegalStateException limitExceededError(String file, String found) {
        return new IllegalStateException(file + ": " + found + " can't be read, and maxBad is " + text.limit + "; see them in "
                + text.name + ", and correct the file, or allow more");
    }

    /** Returns the number of bad statements of all files. */
    public long count() {
        synchronized (text) {
            return text.count;
        }
    }

    /** Closes the text. */
    @Override
    public void close() throws IOException {
        synchronized (text) {
            if (text.out != null) {
                text.out.close();
            }
        }
    }
}
