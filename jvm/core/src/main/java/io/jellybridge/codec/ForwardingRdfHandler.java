package io.jellybridge.codec;

import java.util.Map;

/**
 * Hands all events on to another handler; a subclass does more with some of them.
 *
 * @param <T> what a term is
 */
public abstract class ForwardingRdfHandler<T> implements RdfHandler<T> {
    private final RdfHandler<T> target;

    /** @param target where events go */
    protected ForwardingRdfHandler(RdfHandler<T> target) {
        this.target = target;
    }

    @Override
    public void namespace(byte[] name, T namespace) {
        target.namespace(name, namespace);
    }

    @Override
    public void startGraph(T graph) {
        target.startGraph(graph);
    }

    @Override
    public void endGraph() {
        target.endGraph();
    }

    @Override
    public void statement(T subject, T predicate, T object, T graph) {
        target.statement(subject, predicate, object, graph);
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        target.endFrame(metadata);
    }
}
