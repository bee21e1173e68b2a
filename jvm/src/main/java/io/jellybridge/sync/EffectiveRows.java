package io.jellybridge.sync;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.util.BitSet;

/** The statements and prefixes of a batch that are to arrive: those that are not in a block that ends with {@code TA}. */
abstract class EffectiveRows {
    private final BitSet abortedBlocks = new BitSet();

    /** Takes a prefix; {@code namespace} is null in a {@code PD} without one. */
    abstract void prefix(Op op, byte[] name, byte[] namespace);

    /** Takes a statement; {@code graph} is null for the default graph. */
    abstract void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph);

    /** How many blocks were left out. */
    final long aborted() {
        return abortedBlocks.cardinality();
    }

    /** Reads the batch, twice: a block says at its end only that it is aborted. */
    final void readAll(PatchBatch batch) throws IOException {
        try (PatchSource<byte[]> source = batch.open(new Utf8Terms())) {
            source.readAll(new Rows(source) {
                @Override
                public void transaction(Op op) {
                    if (op == Op.TA) {
                        abortedBlocks.set(Math.toIntExact(source.numbers().tx()));
                    }
                }
            });
        }
        try (PatchSource<byte[]> source = batch.open(new Utf8Terms())) {
            source.readAll(new Rows(source) {
                @Override
                public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
                    if (arrives()) {
                        EffectiveRows.this.prefix(op, name, namespace);
                    }
                }

                @Override
                public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    if (arrives()) {
                        EffectiveRows.this.statement(op, subject, predicate, object, graph);
                    }
                }
            });
        }
    }

    private class Rows extends PatchAdapter<byte[]> {
        private final PatchSource<byte[]> source;

        Rows(PatchSource<byte[]> source) {
            this.source = source;
        }

        /** Whether the row just read is in no block that is aborted. */
        final boolean arrives() {
            long tx = source.numbers().tx();
            return tx < 0 || !abortedBlocks.get((int) tx);
        }
    }
}
