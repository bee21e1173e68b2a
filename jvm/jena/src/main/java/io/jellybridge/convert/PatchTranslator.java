package io.jellybridge.convert;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.TermBuilder;

/** A handler that converts the terms of all events and passes these on. */
record PatchTranslator<A, B>(TermBuilder<A, B> terms, PatchHandler<B> target) implements PatchHandler<A> {

    @Override
    public void header(byte[] key, A value) {
        target.header(key, terms.translate(value));
    }

    @Override
    public void transaction(Op op) {
        target.transaction(op);
    }

    @Override
    public void prefix(Op op, byte[] name, A namespace, A graph) {
        target.prefix(op, name, terms.translate(namespace), terms.translateGraph(graph));
    }

    @Override
    public void statement(Op op, A subject, A predicate, A object, A graph) {
        target.statement(op, terms.translate(subject), terms.translate(predicate), terms.translate(object),
                terms.translateGraph(graph));
    }

    @Override
    public void endPatch() {
        target.endPatch();
    }
}
