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
 * A file for the bad statements of one file split. The file's name is unique for the split, so a retried task replaces it. A
 * split without bad statements leaves no file.
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
     * @param start  the offset of the split
     * @param limit  the largest number of bad statements in the split
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

    /** Returns the collector for statements that can't be read. */
    BadStatements statements() {
        return statements;
    }

    /**
     * Completes the file.
     *
     * @param source the name of the source in errors
     * @param good   the number of good statements in the split
     * @throws IllegalStateException too many statements are bad; the file is there anyway
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

    /** Discards the file if it was not completed. Keeps it if too many bad statements made the task fail. */
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
