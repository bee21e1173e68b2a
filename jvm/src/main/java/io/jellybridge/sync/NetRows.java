package io.jellybridge.sync;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.jena.ApplyReport;
import io.jellybridge.jena.PatchCheck;

/**
 * Hands on what is to arrive of patches: statements and prefixes, without the blocks that end with {@code TA}. Headers,
 * transactions and ends of patches are counted only, since the request is the transaction.
 */
final class NetRows implements PatchHandler<byte[]> {
    private final PatchSource<byte[]> source;
    private final PatchCheck check;
    private PatchBody<byte[]> body;
    private long patches;
    private long transactions;
    private long added;
    private long deleted;
    private long aborted;
    private long rowsHere;

    NetRows(PatchSource<byte[]> source, PatchCheck check) {
        this.source = source;
        this.check = check;
    }

    /** Sets where rows go from here. */
    void to(PatchBody<byte[]> next) {
        body = next;
        rowsHere = 0;
    }

    /** How many rows went to the body that was set last. */
    long rowsHere() {
        return rowsHere;
    }

    long patches() {
        return patches;
    }

    ApplyReport report() {
        return new ApplyReport(patches, transactions, added, deleted, aborted);
    }

    private boolean isUndone() {
        return check.isAborted(source.numbers().tx());
    }

    @Override
    public void header(byte[] key, byte[] value) {
        // headers are about the patch, not about the dataset
    }

    @Override
    public void transaction(Op op) {
        if (op == Op.TC) {
            transactions++;
        } else if (op == Op.TA) {
            aborted++;
        }
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        if (!isUndone()) {
            // Without its graph: a dataset has one map of prefixes.
            body.prefix(op, name, namespace);
            rowsHere++;
        }
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        if (isUndone()) {
            return;
        }
        body.statement(op, subject, predicate, object, graph);
        rowsHere++;
        if (op == Op.A) {
            added++;
        } else {
            deleted++;
        }
    }

    @Override
    public void endPatch() {
        patches++;
    }
}
