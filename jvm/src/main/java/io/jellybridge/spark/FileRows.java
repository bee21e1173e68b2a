package io.jellybridge.spark;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.AbstractIterator;

/**
 * The rows of one file. Decodes in {@link #hasNext()}, where Spark adds the file's name to an error. Terms go into the row
 * as the UTF-8 that they are; the row is the same object each time, as in Spark's own readers.
 */
abstract class FileRows extends AbstractIterator<InternalRow> {
    /** The row in the making, see {@link #startRow}. */
    final UnsafeRowWriter row;

    private final String file;
    private final Closeable source;
    private boolean hasRow;
    private boolean closed;

    /**
     * @param source what is read; closed at its end, or with the task
     * @param file   what errors call it
     * @param width  how many columns the rows have
     */
    FileRows(Closeable source, String file, int width) {
        this.source = source;
        this.file = file;
        this.row = new UnsafeRowWriter(width);
        TaskContext task = TaskContext.get();
        if (task != null) {
            // A LIMIT stops before the end, so that the iterator alone would not close its file.
            task.addTaskCompletionListener((TaskCompletionListener) context -> close());
        }
    }

    /**
     * Reads on, and makes a row or does not.
     *
     * @return false at the end of the file
     */
    abstract boolean readOn() throws IOException;

    /** Starts a row: every column of it is to be written. */
    final void startRow() {
        hasRow = true;
        row.reset();
        row.zeroOutNullBytes();
    }

    /** Writes a number, or null for -1, into a column, unless it is left out: -1. */
    final void writeNumber(int position, long number) {
        if (position >= 0) {
            if (number >= 0) {
                row.write(position, number);
            } else {
                row.setNullAt(position);
            }
        }
    }

    /** Writes a text, or null, into a column, unless it is left out: -1. */
    final void writeText(int position, byte[] text) {
        if (position >= 0) {
            if (text != null) {
                row.write(position, text);
            } else {
                row.setNullAt(position);
            }
        }
    }

    @Override
    public final boolean hasNext() {
        try {
            while (!hasRow && !closed) {
                if (!readOn()) {
                    close();
                }
            }
        } catch (IOException e) {
            // As it is: Spark looks for some kinds of it, and Scala has no checked exceptions.
            Platform.throwException(e);
        }
        return hasRow;
    }

    @Override
    public final InternalRow next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        hasRow = false;
        return row.getRow();
    }

    final void close() {
        if (!closed) {
            closed = true;
            try {
                source.close();
            } catch (IOException e) {
                throw new UncheckedIOException("can't close " + file + ": " + e.getMessage(), e);
            }
        }
    }
}
