package io.jellybridge.sync;

import io.jellybridge.codec.Op;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyCheck;

/** Writes the rows that are applied into the bodies of requests. Transactions are left out: a request is one. */
final class BodyRows extends AppliedRows<byte[]> {
    private PatchBody<byte[]> body;

    BodyRows(ApplyCheck check) {
        super(check);
    }

    /** Sets where rows go from here. */
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
