package io.jellybridge.convert;

import io.jellybridge.codec.RdfHandler;
import java.util.Map;

/** Hands the events of a stream on; subclasses do more with some of them. */
abstract class RdfEvents implements RdfHandler<byte[]> {
    private final RdfHandler<byte[]> target;

    RdfEvents(RdfHandler<byte[]> target) {
        this.target = target;
    }

    @Override
    public void namespace(byte[] name, byte[] namespace) {
        target.namespace(name, namespace);
    }

    @Override
    public void startGraph(byte[] graph) {
        target.startGraph(graph);
    }

    @Override
    public void endGraph() {
        target.endGraph();
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        target.statement(subject, predicate, object, graph);
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        target.endFrame(metadata);
    }
}
