package io.jellybridge.conformance;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;

/** Passes rows on without their graphs, as a TRIPLES stream takes them. */
final class WithoutGraphs extends ForwardingHandler<byte[]> {

    WithoutGraphs(PatchHandler<byte[]> to) {
        to(to);
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        super.prefix(op, name, namespace, null);
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        super.statement(op, subject, predicate, object, null);
    }
}
