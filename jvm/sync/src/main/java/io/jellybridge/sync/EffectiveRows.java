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
 * The statements and prefixes of a batch that are to arrive: those that are not in a block that ends with {@code TA}. By
 * itself this only counts them.
 */
class EffectiveRows {

    /** Takes a prefix; {@code namespace} is null in a {@code PD} without one. */
    void prefix(Op op, byte[] name, byte[] namespace) {
        // for those who want more than the counts
    }

    /** Takes a statement; {@code graph} is null for the default graph. */
    void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        // likewise
    }

    /**
     * Reads the batch, twice: it is checked first, and a block says at its end only that it is aborted. What applying it
     * would report.
     *
     * @throws RuntimeException the patches break their format, or ask for what no dataset may hold, see {@link ApplyCheck}
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
