package io.jellybridge.convert;

import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermBuilder;
import java.io.IOException;
import org.apache.jena.graph.Node;

/** A source of patches that converts Jena's terms to terms of another type. */
record NodePatches<T>(PatchSource<Node> source, TermBuilder<Node, T> terms) implements ForwardingSource<Node, T> {

    @Override
    public boolean next(PatchHandler<T> handler) throws IOException {
        return source.next(new PatchTranslator<>(terms, handler));
    }
}
