package io.jellybridge.conformance;

import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.RdfHandler;
import java.util.Map;
import java.util.function.Consumer;

/** Passes the events of a Jelly-RDF stream on, and says where its frames end. */
final class ByFrame extends ForwardingRdfHandler<byte[]> {

    /** Does nothing with the events: for who asks for frames only. */
    static final RdfHandler<byte[]> IGNORED = (subject, predicate, object, graph) -> { };

    private final Consumer<Map<String, byte[]>> end;

    /**
     * @param to  takes all but the ends of frames
     * @param end gets the metadata of each frame that ends
     */
    ByFrame(RdfHandler<byte[]> to, Consumer<Map<String, byte[]>> end) {
        super(to);
        this.end = end;
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        end.accept(metadata);
    }
}
