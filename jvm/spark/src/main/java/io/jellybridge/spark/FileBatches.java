package io.jellybridge.spark;

import io.jellybridge.files.BadStatements;
import io.jellybridge.options.ShareLimit;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.AbstractIterator;

/**
 * The rows of a file or a split, as batches. They are decoded in {@link #hasNext()}, where Spark adds the file's name to an
 * error. The rows before a fault are returned before its error is thrown.
 */
abstract class FileBatches extends AbstractIterator<ColumnarBatch> {
    /** The current batch. */
    final RowBatch rows;

    private final String file;
    private final Closeable source;
    private final BadPart bad;
    private long skippedRows;
    private Exception fault;
    private boolean closed;

    /**
     * @param source      the input, which is closed at its end or at the end of the task
     * @param file        the file's name in errors
     * @param skippedRows the number of rows before those of the input, none of whose columns is requested
     */
    FileBatches(Closeable source, String file, RowBatch rows, long skippedRows) {
        this(source, file, rows, skippedRows, null);
    }

    /**
     * @param bad the file for bad statements; null to throw an error for the first one
     */
    FileBatches(Closeable source, String file, RowBatch rows, long skippedRows, BadPart bad) {
        this.bad = bad;
        this.skippedRows = skippedRows;
        this.source = source;
        this.file = file;
        this.rows = rows;
        TaskContext task = TaskContext.get();
        if (task != null) {
            // A query with LIMIT stops before the end, so the iterator alone would not close its file.
            task.addTaskCompletionListener((TaskCompletionListener) context -> close());
        }
    }

    /** Returns the collector for bad statements; null if the first one is an error. */
    final BadStatements bad() {
        return bad == null ? null : bad.statements();
    }

    /** Completes the file for bad statements, at the end of the split. */
    final void endBad(long good) throws IOException {
        if (bad != null) {
            bad.commit(file, good);
        }
    }

    /**
     * Reads the next element, which may add a row to the batch.
     *
     * @return false at the end of the file
     */
    abstract boolean readOn() throws IOException;

    @Override
    public final boolean hasNext() {
        try {
            while (!closed && fault == null && !rows.isFull()) {
                if (skippedRows > 0) {
                    skippedRows -= rows.addRows(skippedRows);
                } else if (!readOn()) {
                    close();
                }
            }
        } catch (IOException | RuntimeException e) {
            fault = e;
        }
        if (rows.rows() == 0 && fault != null) {
            // Not wrapped: Spark checks for some kinds of IOException, and Scala has no checked exceptions.
            Platform.throwException(fault);
        }
        return rows.rows() > 0;
    }

    @Override
    public final ColumnarBatch next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return rows.take();
    }

    final void close() {
        if (!closed) {
            closed = true;
            try (bad) {
                source.close();
            } catch (IOException e) {
                throw new UncheckedIOException("can't close " + file + ": " + e.getMessage(), e);
            }
        }
    }

    /**
     * A file for the bad statements of one file split. The file's name is unique for the split, so a retried task replaces it. A
     * split without bad statements leaves no file.
     */
    static final class BadPart implements Closeable {
        /** The bytes of the source's name, so that what is added to it has room in a name of 255. */
        private static final int LONGEST_NAME = 150;

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
            byte[] path = source.toString().getBytes(StandardCharsets.UTF_8);
            CRC32 hash = new CRC32();
            hash.update(path);
            String plain = source.getName().replace(':', '_'); // Hadoop would take what is before a colon for a scheme
            boolean isLong = plain.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME;
            String name = String.format(Locale.ROOT, "%s-%08x-%d.nq", isLong ? UUID.nameUUIDFromBytes(path) : plain, hash.getValue(),
                    start);
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
}
