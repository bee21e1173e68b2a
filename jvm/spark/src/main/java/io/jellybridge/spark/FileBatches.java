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
 * The rows of one file, or of a part of it, in batches. Decodes in {@link #hasNext()}, where Spark adds the file's name to
 * an error. The rows before a fault come before its error.
 */
abstract class FileBatches extends AbstractIterator<ColumnarBatch> {
    /** The rows in the making. */
    final RowBatch rows;

    private final String file;
    private final Closeable source;
    private final BadPart bad;
    private Exception fault;
    private boolean closed;

    /**
     * @param source what is read; closed at its end, or with the task
     * @param file   what errors call it
     */
    FileBatches(Closeable source, String file, RowBatch rows) {
        this(source, file, rows, null);
    }

    /** @param bad where statements go that can't be read; null: the first is an error */
    FileBatches(Closeable source, String file, RowBatch rows, BadPart bad) {
        this.bad = bad;
        this.source = source;
        this.file = file;
        this.rows = rows;
        TaskContext task = TaskContext.get();
        if (task != null) {
            // A LIMIT stops before the end, so that the iterator alone would not close its file.
            task.addTaskCompletionListener((TaskCompletionListener) context -> close());
        }
    }

    /** Where statements go that can't be read; null: the first is an error. */
    final BadStatements bad() {
        return bad == null ? null : bad.statements();
    }

    /** Ends the bad statements of the part, at its end. */
    final void endBad(long good) throws IOException {
        if (bad != null) {
            bad.commit(file, good);
        }
    }

    /**
     * Reads on, and makes a row or does not.
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
            // As it is: Spark looks for some kinds of IOException, and Scala has no checked exceptions.
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
