package io.jellybridge.sync;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.apply.AppliedRows;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The net effect of a batch: the last operation of each quad and each prefix. They keep their order, since a store may treat
 * two literals as one ({@code "042"} and {@code "42"} in TDB2). The quads of the batch are in memory.
 */
final class NetEffect {

    private NetEffect() {
    }

    /** Reads a batch and creates its net effect, which the caller closes. */
    static PatchSpool of(Patches batch) throws IOException {
        Map<Row, Op> rows = new LinkedHashMap<>();
        AppliedRows.read(batch, check -> new AppliedRows<>(check) {
            @Override
            protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
                put(new Row(name, null, null, null, namespace), op);
            }

            @Override
            protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                put(new Row(subject, predicate, object, graph, null), op);
            }

            private void put(Row row, Op op) {
                rows.remove(row);
                rows.put(row, op);
            }
        });
        PatchSpool effect = new PatchSpool();
        try (PatchWriter<byte[]> writer = effect.writer()) {
            writer.transaction(Op.TX);
            rows.forEach((row, op) -> row.write(op, writer));
            writer.transaction(Op.TC);
        } catch (IOException | RuntimeException e) {
            effect.close();
            throw e;
        }
        return effect;
    }

    /** A quad, or a prefix with its last namespace. The namespace is not compared. */
    private record Row(byte[] subject, byte[] predicate, byte[] object, byte[] graph, byte[] namespace) {

        void write(Op op, PatchWriter<byte[]> writer) {
            if (predicate == null) {
                writer.prefix(op, subject, namespace, null);
            } else {
                writer.statement(op, subject, predicate, object, graph);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Row row && Arrays.equals(subject, row.subject)
                    && Arrays.equals(predicate, row.predicate) && Arrays.equals(object, row.object)
                    && Arrays.equals(graph, row.graph);
        }

        @Override
        public int hashCode() {
            int hash = Arrays.hashCode(subject);
            hash = 31 * hash + Arrays.hashCode(predicate);
            hash = 31 * hash + Arrays.hashCode(object);
            return 31 * hash + Arrays.hashCode(graph);
        }
    }
}
