package io.jellybridge.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.options.ShareLimit;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * A text of the statements that can't be read, which are set aside so that reading goes on without them. Each stands in a line of
 * its own, as it was, behind a comment that says where it was and what is wrong. So what is mended there can be read as N-Triples
 * or N-Quads. Those of one file are of one thread at a time; files may be read beside each other.
 */
public final class BadStatements implements Closeable {

    /** Opens the text, with the first statement. */
    public interface Target {
        OutputStream open() throws IOException;
    }

    private final Text text;
    /** How many are of this file. */
    private long ofFile;

    /** What the files have in common. */
    private static final class Text {
        private final String name;
        private final ShareLimit limit;
        private final Target target;
        private OutputStream out;
        private long count;

        Text(String name, ShareLimit limit, Target target) {
            this.name = name;
            this.limit = limit;
            this.target = target;
        }

        synchronized void add(FormatException fault, String statement) throws IOException {
            count++;
            if (out == null) {
                out = target.open();
            }
            String lines = "# " + fault.getMessage().replaceAll("[\r\n]+", " ") + "\n" + statement.replaceAll("[\r\n]+", " ") + "\n";
            out.write(lines.getBytes(UTF_8));
        }
    }

    private BadStatements(Text text) {
        this.text = text;
    }

    /**
     * @param name  what errors call the text
     * @param limit how many of a file's statements may be bad
     */
    public BadStatements(String name, ShareLimit limit, Target target) {
        this(new Text(name, limit, target));
    }

    /** Returns those of another file, which are counted by themselves, in the same text. */
    public BadStatements ofFile() {
        return new BadStatements(text);
    }

    /** Returns a statement as a line of N-Quads, of terms in canonical N-Triples; a graph that is null is the default graph. */
    public static String text(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        StringBuilder line = new StringBuilder();
        for (byte[] term : new byte[][] {subject, predicate, object, graph}) {
            line.append(term == null ? "" : new String(term, UTF_8) + " ");
        }
        return line.append('.').toString();
    }

    /**
     * Sets a statement aside.
     *
     * @param fault     what is wrong, in which file
     * @param statement as it stands in the file or, of a syntax that has no lines of statements, in one like N-Quads
     * @throws IllegalStateException the file has more of them than are allowed
     */
    public void add(FormatException fault, String statement) {
        try {
            text.add(fault, statement);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ofFile++;
        if (ofFile > text.limit.count()) {
            throw exceeded(fault.file(), ofFile + " statements");
        }
    }

    /**
     * Checks, at the end of a file, that not too many of its statements are bad.
     *
     * @param file what errors call it
     * @param good how many others it has
     * @throws IllegalStateException too many are
     */
    public void endFile(String file, long good) {
        if (text.limit.isExceeded(ofFile, good + ofFile)) {
            throw exceeded(file, ofFile + " of " + (good + ofFile) + " statements");
        }
    }

    private IllegalStateException exceeded(String file, String found) {
        return new IllegalStateException(file + ": " + found + " can't be read, and maxBad is " + text.limit + "; see them in "
                + text.name + ", and correct the file, or allow more");
    }

    /** How many there are, of all files. */
    public long count() {
        synchronized (text) {
            return text.count;
        }
    }

    /** Ends the text. */
    @Override
    public void close() throws IOException {
        synchronized (text) {
            if (text.out != null) {
                text.out.close();
            }
        }
    }
}
