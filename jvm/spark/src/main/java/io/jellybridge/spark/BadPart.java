package io.jellybridge.spark;

import io.jellybridge.files.BadStatements;
import io.jellybridge.options.ShareLimit;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The bad statements of one part of a file, in a file of a folder. Its name says which part, so that a task that runs twice
 * leaves one file; a part without bad statements leaves none.
 */
final class BadPart implements Closeable {
    private final FileSystem files;
    private final Path file;
    private final Path unfinished;
    private final ShareLimit limit;
    private final BadStatements statements;
    private boolean committed;

    /**
     * @param source the file that is read
     * @param start  where the part begins
     * @param limit  how many of the part's statements may be bad
     */
    BadPart(String folder, Path source, long start, ShareLimit limit, Configuration hadoop) throws IOException {
        CRC32 hash = new CRC32();
        hash.update(source.toString().getBytes(StandardCharsets.UTF_8));
        String name = String.format("%s-%08x-%d.nq", source.getName(), hash.getValue(), start);
        this.file = new Path(folder, name);
        this.unfinished = new Path(folder, "_" + name + "." + UUID.randomUUID());
        this.files = file.getFileSystem(hadoop);
        this.limit = limit;
        this.statements = new BadStatements(folder, limit, this::open);
    }

    private OutputStream open() throws IOException {
        return files.create(unfinished, false);
    }

    /** Where statements go that can't be read. */
    BadStatements statements() {
        return statements;
    }

    /**
     * Ends the part.
     *
     * @param source what its faults call the file
     * @param good   how many other statements it has
     * @throws IllegalStateException too many are bad; they can be seen all the same
     */
    void commit(String source, long good) throws IOException {
        putInPlace();
        statements.endFile(source, good);
    }

    private void putInPlace() throws IOException {
        committed = true;
        statements.close();
        files.delete(file, false);
        if (statements.count() > 0 && !files.rename(unfinished, file)) {
            throw new IOException(unfinished + " can't be renamed to " + file.getName());
        }
    }

    /** Gives up what was not committed, unless it says why the task fails. */
    @Override
    public void close() throws IOException {
        if (!committed && statements.count() > limit.count()) {
            putInPlace();
        } else if (!committed && statements.count() > 0) {
            committed = true;
            statements.close();
            files.delete(unfinished, false);
        }
    }
}
