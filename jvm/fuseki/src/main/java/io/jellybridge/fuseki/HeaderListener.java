package io.jellybridge.fuseki;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import java.io.IOException;
import org.apache.jena.graph.Node;

/** A source that passes on all events. Subclasses listen to the headers. */
abstract class HeaderListener extends ForwardingHandler<Node> implements ForwardingSource<Node, Node> {
    private final PatchSource<Node> source;

    HeaderListener(PatchSource<Node> source) {
        this.source = source;
    }

    @Override
    public final PatchSource<Node> source() {
        return source;
    }

    @Override
    public final boolean next(PatchHandler<Node> events) throws IOException {
        to(events);
        return source.next(this);
    }
}
