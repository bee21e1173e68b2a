package io.jellybridge.convert;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import java.io.IOException;

/** A source of statements from a Jelly-RDF stream. */
record JellySource<T>(RdfReader<T> reader) implements StatementSource<T> {

    @Override
    public boolean next(RdfHandler<T> handler) throws IOException {
        return reader.next(handler);
    }

    @Override
    public FormatException error(String rule, String found, String advice) {
        return reader.error(rule, found, advice);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
