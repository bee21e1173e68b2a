package io.jellybridge.convert;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermBuilder;
import java.io.IOException;
import org.apache.jena.graph.Node;

/** Patches whose terms come as Jena's, with terms of another kind. */
record NodePatches<T>(PatchSource<Node> source, TermBuilder<Node, T> terms) implements PatchSource<T> {

    @Override
    public boolean next(PatchHandler<T> handler) throws IOException {
        return source.next(new PatchTranslator<>(terms, handler));
    }

    @Override
    public ChangeCounter numbers() {
        return source.numbers();
    }

    @Override
    public RuntimeException error(String rule, String found, String advice) {
        return source.error(rule, found, advice);
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
