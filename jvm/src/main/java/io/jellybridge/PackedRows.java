package io.jellybridge;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Change rows packed into one {@code byte[]}, so that a call between Python and the JVM moves thousands of them.
 *
 * <p>The layout, little-endian: the number of rows, an int32; then for each row a record of fixed size with patch, tx
 * and row (int64 each; -1 = null) and the lengths of op, subject, predicate, object, graph, name and
 * value (int32 each; -1 = null); then the UTF-8 bytes of all of these, in that order. Python's {@code _rows.py} is the
 * other end.
 */
final class PackedRows {
    private static final int COUNT_BYTES = Integer.BYTES;
    private static final int NUMBERS = 3;
    private static final int TEXTS = 7;
    private static final int RECORD_BYTES = NUMBERS * Long.BYTES + TEXTS * Integer.BYTES;
    private static final Op[] OPS = Op.values();
    private static final byte[][] OP_NAMES = opNames();

    private PackedRows() {
    }

    private static byte[][] opNames() {
        byte[][] names = new byte[OPS.length][];
        for (Op op : OPS) {
            names[op.ordinal()] = op.name().getBytes(StandardCharsets.US_ASCII);
        }
        return names;
    }

    /** Packs the events of a reader; the ends of patches show in the rows' patch numbers only. */
    static final class Packer implements PatchHandler<byte[]> {
        private final ChangeCounter numbers;
        private final ByteArrayOutputStream texts = new ByteArrayOutputStream();
        private ByteBuffer records = ByteBuffer.allocate(64 * RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);

        Packer(PatchSource<byte[]> source) {
            this.numbers = source.numbers();
        }

        int rows() {
            return records.position() / RECORD_BYTES;
        }

        /** The bytes of the batch so far. */
        int bytes() {
            return COUNT_BYTES + records.position() + texts.size();
        }

        /** The batch; the packer is empty afterwards. */
        byte[] take() {
            ByteBuffer batch = ByteBuffer.allocate(bytes()).order(ByteOrder.LITTLE_ENDIAN);
            batch.putInt(rows()).put(records.flip()).put(texts.toByteArray());
            records.clear();
            texts.reset();
            return batch.array();
        }

        @Override
        public void header(byte[] key, byte[] value) {
            pack(Op.H, null, null, null, null, key, value);
        }

        @Override
        public void transaction(Op op) {
            pack(op, null, null, null, null, null, null);
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            pack(op, null, null, null, graph, name, namespace);
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            pack(op, subject, predicate, object, graph, null, null);
        }

        @Override
        public void endPatch() {
            // the next row has another patch number
        }

        private void pack(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph, byte[] name,
                byte[] value) {
            if (records.remaining() < RECORD_BYTES) {
                ByteBuffer larger = ByteBuffer.allocate(2 * records.capacity()).order(ByteOrder.LITTLE_ENDIAN);
                records = larger.put(records.flip());
            }
            records.putLong(numbers.patch()).putLong(numbers.tx()).putLong(numbers.row());
            text(OP_NAMES[op.ordinal()]);
            text(subject);
            text(predicate);
            text(object);
            text(graph);
            text(name);
            text(value);
        }

        private void text(byte[] text) {
            records.putInt(text == null ? -1 : text.length);
            if (text != null) {
                texts.writeBytes(text);
            }
        }
    }

    /**
     * Hands the rows of a batch over, in their order; their tx is not looked at.
     *
     * @throws IllegalArgumentException a row is none, or the rows are not in order; see {@link ChangeRowSink#row}
     */
    static void unpack(byte[] batch, ChangeRowSink sink) {
        ByteBuffer records = ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN);
        int rows = records.getInt();
        int text = COUNT_BYTES + rows * RECORD_BYTES;
        byte[][] texts = new byte[TEXTS][];
        for (int row = 0; row < rows; row++) {
            long patch = records.getLong();
            records.getLong();
            long number = records.getLong();
            for (int i = 0; i < TEXTS; i++) {
                int length = records.getInt();
                texts[i] = length < 0 ? null : Arrays.copyOfRange(batch, text, text + length);
                text += Math.max(length, 0);
            }
            sink.row(patch, number, texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], texts[6]);
        }
    }
}
