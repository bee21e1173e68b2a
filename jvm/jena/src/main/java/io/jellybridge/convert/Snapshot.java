package io.jellybridge.convert;

import io.jellybridge.codec.RdfHandler;
import java.io.IOException;

/** What a dataset holds at one time: a set of statements, in any order and however often each. For one thread. */
public interface Snapshot {

    /** What errors and reports call it. */
    String name();

    /**
     * Hands over its statements, each term as canonical N-Triples in UTF-8, whose arrays nobody changes. Called once.
     *
     * @throws RuntimeException it breaks its format: the error of that format
     * @throws IOException      it can't be read
     */
    void read(RdfHandler<byte[]> handler) throws IOException;
}
