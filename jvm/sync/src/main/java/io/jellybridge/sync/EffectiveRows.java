package io.jellybridge.sync;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.jena.apply.ApplyReport;
import java.io.IOException;

/**
 * A reader of the statements and prefixes in a batch that would be applied. It skips blocks that end with {@code TA}. This
 * class only counts; subclasses can receive the rows.
 */
class EffectiveRows {

    /** Receives a prefix. {@code namespace} is null in a {@code PD} without one. */
    void prefix(Op op, byte[] name, byte[] namespace) {
        // for subclasses that need more than the counts
    }

    /** Receives a statement. {@code graph} is null for the default graph. */
    void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        // likewise
    }

    /**
     * Reads the batch twice. The first pass checks it, and finds the aborted blocks, which are known only at their end.
     *
     * @return the report that applying the batch would give
     * @throws RuntimeException the patches are invalid, or have a row that no dataset can apply, see {@link ApplyCheck}
     */
    final ApplyReport readAll(Patches batch) throws IOException {
        ApplyCheck check = ApplyCheck.of(batch);
        try (PatchSource<byte[]> source = batch.open(new Utf8Terms())) {
            AppliedRows<byte[]> rows = new AppliedRows<>(check) {
                @Override
                protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
                    EffectiveRows.this.prefix(op, name, namespace);
                }

                @Override
                protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    EffectiveRows.this.statement(op, subject, predicate, object, graph);
                }
            };
            source.readAll(rows);
            return rows.report();
        }
    }
}
