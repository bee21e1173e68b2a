package io.jellybridge;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.ChangeRows.ChangeRowHandler;
import io.jellybridge.codec.Op;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A batch of change rows as columns in one buffer, which a single call passes between Python and the JVM. The columns have the
 * memory layout of Apache Arrow, so Python does no work for each row.
 *
 * <p>The byte order is that of the machine. The batch starts with pairs of int32. The first pair is the number of rows, and 0.
 * Then each of the ten columns has a pair: the number of its nulls, and the number of bytes of its texts (0 for a column of
 * numbers).
 *
 * <p>The columns follow, each with these parts:
 * <ol>
 * <li>The validity bitmap, with a bit per row, lowest first; 1 = not null. It is missing if the column has no null.
 * <li>The int64 values; or for texts, int32 offsets, one more than there are rows.
 * <li>The UTF-8 of texts, which the offsets delimit.
 * </ol>
 * Each part is padded to a multiple of 8 bytes. A column of nulls only has no parts. The Python side is {@code _rows.py}.
 */
final class ColumnarRows {
    /** The largest number of rows in a batch that this side makes. */
    private static final int MAX_ROWS = 1 << 14;
    private static final int ALIGNMENT = 8;

    private static final int PATCH = 0;
    private static final int TX = 1;
    private static final int ROW = 2;
    private static final int OP = 3;
    private static final int TEXTS = 7;
    private static final int COLUMNS = OP + TEXTS;
    private static final int HEAD_BYTES = (1 + COLUMNS) * 2 * Integer.BYTES;

    private final int rows;
    private final Column[] columns = new Column[COLUMNS];

    /**
     * Reads a batch from Python.
     *
     * @param batch must not change while this object is used
     */
    ColumnarRows(ByteBuffer batch) {
        rows = batch.getInt(0);
        int at = HEAD_BYTES;
        for (int i = 0; i < COLUMNS; i++) {
            int head = (1 + i) * 2 * Integer.BYTES;
            int nulls = batch.getInt(head);
            int validity = at;
            int values = validity + (nulls > 0 ? aligned(bitmapBytes(rows)) : 0);
            int texts = values + aligned(i < OP ? rows * Long.BYTES : (rows + 1) * Integer.BYTES);
            columns[i] = new Column(batch, nulls == rows, nulls > 0, validity, values, texts);
            at = nulls == rows ? at : texts + aligned(batch.getInt(head + Integer.BYTES));
        }
    }

    int rows() {
        return rows;
    }

    /**
     * Passes a row to a sink. Its tx is ignored.
     *
     * @throws IllegalArgumentException the row is invalid or out of order; see {@link ChangeRowSink#row}
     */
    void hand(int row, ChangeRowSink sink) {
        sink.row(columns[PATCH].getNumber(row, 0), columns[ROW].getNumber(row, ChangeRowSink.NO_ROW), getText(row, 0),
                getText(row, 1), getText(row, 2), getText(row, 3), getText(row, 4), getText(row, 5), getText(row, 6));
    }

    private byte[] getText(int row, int column) {
        return columns[OP + column].getText(row);
    }

    private static int bitmapBytes(int rows) {
        return (rows + Byte.SIZE - 1) / Byte.SIZE;
    }

    private static int aligned(int bytes) {
        return Math.addExact(bytes, ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** The places of a column's parts in the batch. */
    private record Column(ByteBuffer batch, boolean allNull, boolean hasNulls, int validity, int values, int texts) {

        private boolean isNull(int row) {
            return allNull || hasNulls && (batch.get(validity + row / Byte.SIZE) >> row % Byte.SIZE & 1) == 0;
        }

        long getNumber(int row, long otherwise) {
            return isNull(row) ? otherwise : batch.getLong(values + row * Long.BYTES);
        }

        byte[] getText(int row) {
            if (isNull(row)) {
                return null;
            }
            int start = batch.getInt(values + row * Integer.BYTES);
            byte[] text = new byte[batch.getInt(values + (row + 1) * Integer.BYTES) - start];
            batch.get(texts + start, text);
            return text;
        }
    }

    /** Returns a direct buffer of at least this many bytes: the given one if it is large enough, else a new one. */
    static ByteBuffer ensure(ByteBuffer buffer, int bytes) {
        if (buffer.capacity() >= bytes) {
            return buffer;
        }
        return ByteBuffer.allocateDirect(larger(buffer.capacity(), bytes));
    }

    private static int larger(int capacity, int needed) {
        return (int) Math.max(needed, Math.min(2L * capacity, Integer.MAX_VALUE - ALIGNMENT));
    }

    /** Returns a view of the first bytes of a buffer, in the byte order of the machine. */
    static ByteBuffer head(ByteBuffer buffer, int bytes) {
        return buffer.slice(0, bytes).order(ByteOrder.nativeOrder());
    }

    /** A packer of change rows into batches. */
    static final class Packer implements ChangeRowHandler<byte[]> {
        private final Numbers[] numbers = {new Numbers(), new Numbers(), new Numbers()};
        private final Texts[] texts = new Texts[TEXTS];
        private int rows;
        private int textBytes;
        private ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);

        Packer() {
            Arrays.setAll(texts, column -> new Texts());
        }

        int rows() {
            return rows;
        }

        /** Returns the number of bytes of the texts so far. */
        int textBytes() {
            return textBytes;
        }

        boolean isFull() {
            return rows == MAX_ROWS;
        }

        /** Returns the batch and empties the packer. The next batch reuses its memory. */
        ByteBuffer take() {
            int bytes = HEAD_BYTES;
            for (Values column : numbers) {
                bytes = Math.addExact(bytes, column.toBytes(rows));
            }
            for (Values column : texts) {
                bytes = Math.addExact(bytes, column.toBytes(rows));
            }
            buffer = ensure(buffer, bytes);
            ByteBuffer batch = head(buffer, bytes);
            batch.putInt(rows).putInt(0);
            for (Numbers column : numbers) {
                batch.putInt(column.nulls).putInt(0);
            }
            for (Texts column : texts) {
                batch.putInt(column.nulls).putInt(column.size);
            }
            for (Numbers column : numbers) {
                column.put(batch, rows);
            }
            for (Texts column : texts) {
                column.put(batch, rows);
                column.size = 0;
            }
            rows = 0;
            textBytes = 0;
            return batch.rewind();
        }

        @Override
        public void row(long patch, long tx, long row, Op op, byte[] subject, byte[] predicate, byte[] object,
                byte[] graph, byte[] name, byte[] value) {
            numbers[PATCH].add(rows, patch);
            numbers[TX].add(rows, tx);
            numbers[ROW].add(rows, row);
            text(0, op.text());
            text(1, subject);
            text(2, predicate);
            text(3, object);
            text(4, graph);
            text(5, name);
            text(6, value);
            rows++;
        }

        private void text(int column, byte[] text) {
            texts[column].add(rows, text);
            textBytes = Math.addExact(textBytes, text == null ? 0 : text.length);
        }
    }

    /** A column that is being filled. */
    private abstract static class Values {
        private final byte[] validity = new byte[bitmapBytes(MAX_ROWS)];
        int nulls;

        final void mark(int row, boolean isPresent) {
            if (isPresent) {
                validity[row / Byte.SIZE] |= (byte) (1 << row % Byte.SIZE);
            } else {
                nulls++;
            }
        }

        /** Returns the number of bytes of the column's parts. */
        final int toBytes(int rows) {
            int bitmap = nulls > 0 ? aligned(bitmapBytes(rows)) : 0;
            return nulls == rows ? 0 : Math.addExact(bitmap, valueBytes(rows));
        }

        /** Appends the column's parts to a batch, and resets its nulls. */
        final void put(ByteBuffer batch, int rows) {
            if (nulls < rows) {
                if (nulls > 0) {
                    batch.put(validity, 0, bitmapBytes(rows));
                    alignTo(batch);
                }
                putValues(batch, rows);
                alignTo(batch);
            }
            nulls = 0;
            Arrays.fill(validity, 0, bitmapBytes(rows), (byte) 0);
        }

        abstract int valueBytes(int rows);

        abstract void putValues(ByteBuffer batch, int rows);

        static void alignTo(ByteBuffer batch) {
            while (batch.position() % ALIGNMENT != 0) {
                batch.put((byte) 0);
            }
        }
    }

    private static final class Numbers extends Values {
        private final long[] values = new long[MAX_ROWS];

        /** @param value -1 = null */
        void add(int row, long value) {
            mark(row, value != -1);
            values[row] = value;
        }

        @Override
        int valueBytes(int rows) {
            return rows * Long.BYTES;
        }

        @Override
        void putValues(ByteBuffer batch, int rows) {
            batch.asLongBuffer().put(values, 0, rows);
            batch.position(batch.position() + rows * Long.BYTES);
        }
    }

    private static final class Texts extends Values {
        /** The start of each text, then the end of the last one. */
        private final int[] offsets = new int[MAX_ROWS + 1];
        private byte[] utf8 = new byte[1 << 16];
        private int size;

        void add(int row, byte[] text) {
            mark(row, text != null);
            if (text != null) {
                int end = Math.addExact(size, text.length);
                if (end > utf8.length) {
                    utf8 = Arrays.copyOf(utf8, larger(utf8.length, end));
                }
                System.arraycopy(text, 0, utf8, size, text.length);
                size = end;
            }
            offsets[row + 1] = size;
        }

        @Override
        int valueBytes(int rows) {
            return Math.addExact(aligned((rows + 1) * Integer.BYTES), aligned(size));
        }

        @Override
        void putValues(ByteBuffer batch, int rows) {
            batch.asIntBuffer().put(offsets, 0, rows + 1);
            batch.position(batch.position() + (rows + 1) * Integer.BYTES);
            alignTo(batch);
            batch.put(utf8, 0, size);
        }
    }
}
