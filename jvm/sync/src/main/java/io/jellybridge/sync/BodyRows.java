package io.jellybridge.sync;

import io.jellybridge.codec.Op;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyCheck;

/** Writes the applied rows into the bodies of requests. It skips transaction rows, since each request is a transaction. */
final class BodyRows extends AppliedRows<byte[]> {
    private PatchBody<byte[]> body;

    BodyRows(ApplyCheck check) {
        super(check);
    }

    /** Sets the body for the following rows. */
    void to(PatchBody<byte[]> next) {
        body = next;
    }

    @Override
    protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
        body.prefix(op, name, namespace);
    }

    @Override
    protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        body.statement(op, subject, predicate, object, graph);
    }
}
