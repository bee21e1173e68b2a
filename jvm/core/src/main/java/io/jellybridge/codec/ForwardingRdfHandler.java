package io.jellybridge.codec;

import java.util.Map;

/**
 * A handler that passes all events to another handler. Subclasses add behaviour to some events.
 *
 * @param <T> the type of a term
 */
public abstract class ForwardingRdfHandler<T> implements RdfHandler<T> {
    private final RdfHandler<T> target;

    /**
     * Creates a handler.
     *
     * @param target the handler that receives the events
     */
    protected ForwardingRdfHandler(RdfHandler<T> target) {
        this.target = target;
    }

    /** Returns a handler that passes statements to one handler, and all other events to another. */
    public static <T> RdfHandler<T> ofStatements(RdfHandler<T> statements, RdfHandler<T> others) {
        return new ForwardingRdfHandler<>(others) {
            @Override
            public void statement(T subject, T predicate, T object, T graph) {
                statements.statement(subject, predicate, object, graph);
            }
        };
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
