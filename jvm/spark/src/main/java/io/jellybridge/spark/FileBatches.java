package io.jellybridge.spark;

import io.jellybridge.files.BadStatements;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
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
    private Exception fault;
    private boolean closed;

    /**
     * @param source the input, which is closed at its end or at the end of the task
     * @param file   the file's name in errors
     */
    FileBatches(Closeable source, String file, RowBatch rows) {
        this(source, file, rows, null);
    }

    /**
     * @param bad the file for bad statements; null to throw an error for the first one
     */
    FileBatches(Closeable source, String file, RowBatch rows, BadPart bad) {
        this.bad = bad;
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
                if (!readOn()) {
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
}
