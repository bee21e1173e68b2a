package io.jellybridge.conformance;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;

/** Passes rows on without their graphs, as a TRIPLES stream takes them. */
record WithoutGraphs(PatchHandler<byte[]> to) implements PatchHandler<byte[]> {

    @Override
    public void header(byte[] key, byte[] value) {
        to.header(key, value);
    }

    @Override
    public void transaction(Op op) {
        to.transaction(op);
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        to.prefix(op, name, namespace, null);
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        to.statement(op, subject, predicate, object, null);
    }

    @Override
    public void endPatch() {
        to.endPatch();
    }
}
