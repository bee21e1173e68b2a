package io.jellybridge.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.options.ShareLimit;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A text of the statements that can't be read, which are set aside so that reading goes on without them. Each stands in a line of
 * its own, as it was, behind a comment that says where it was and what is wrong. So what is mended there can be read as N-Triples
 * or N-Quads. Thread-safe.
 */
public final class BadStatements implements Closeable {

    /** Opens the text, with the first statement. */
    public interface Target {
        OutputStream open() throws IOException;
    }

    private final String name;
    private final ShareLimit limit;
    private final Target target;
    private final Map<String, Long> ofFiles = new HashMap<>();
    private OutputStream out;
    private long count;

    /**
     * @param name what errors call the text
     * @param limit how many of a file's statements may be bad
     */
    public BadStatements(String name, ShareLimit limit, Target target) {
        this.name = name;
        this.limit = limit;
        this.target = target;
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
    public synchronized void add(FormatException fault, String statement) {
        long ofFile = ofFiles.merge(String.valueOf(fault.file()), 1L, Long::sum);
        count++;
        try {
            if (out == null) {
                out = target.open();
            }
            String text = "# " + fault.getMessage().replaceAll("[\r\n]+", " ") + "\n" + statement.replaceAll("[\r\n]+", " ") + "\n";
            out.write(text.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (ofFile > limit.count()) {
            throw exceeded(String.valueOf(fault.file()), ofFile + " statements");
        }
    }

    /**
     * Checks, at the end of a file, that not too many of its statements are bad.
     *
     * @param file what its faults call it
     * @param good how many others it has
     * @throws IllegalStateException too many are
     */
    public synchronized void endFile(String file, long good) {
        long bad = ofFiles.getOrDefault(file, 0L);
        if (limit.isExceeded(bad, good + bad)) {
            throw exceeded(file, bad + " of " + (good + bad) + " statements");
        }
    }

    private IllegalStateException exceeded(String file, String found) {
        return new IllegalStateException(file + ": " + found + " can't be read, and maxBad is " + limit + "; see them in " + name
                + ", and correct the file, or allow more");
    }

    /** How many there are. */
    public synchronized long count() {
        return count;
    }

    /** Ends the text. */
    @Override
    public synchronized void close() throws IOException {
        if (out != null) {
            out.close();
        }
    }
}
