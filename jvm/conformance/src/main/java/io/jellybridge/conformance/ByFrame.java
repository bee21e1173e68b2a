package io.jellybridge.conformance;

import io.jellybridge.codec.RdfHandler;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Passes the events of a Jelly-RDF stream on, and says where its frames end.
 *
 * @param to  takes all but the ends of frames
 * @param end gets the metadata of each frame that ends
 */
record ByFrame(RdfHandler<byte[]> to, Consumer<Map<String, byte[]>> end) implements RdfHandler<byte[]> {

    /** Does nothing with the events: for who asks for frames only. */
    static final RdfHandler<byte[]> IGNORED = new RdfHandler<>() {
        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            // ignored
        }
    };

    @Override
    public void namespace(byte[] name, byte[] namespace) {
        to.namespace(name, namespace);
    }

    @Override
    public void startGraph(byte[] graph) {
        to.startGraph(graph);
    }

    @Override
    public void endGraph() {
        to.endGraph();
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        to.statement(subject, predicate, object, graph);
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        end.accept(metadata);
    }
}
