package io.jellybridge.sync;

import io.jellybridge.http.HttpException;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.riot.QueryResponse;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.RiotException;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.graph.NodeTransform;
import org.apache.jena.sparql.graph.NodeTransformLib;

/** Quads from the result of a query. They are in a temporary file, which {@link #close} deletes. */
final class ResultRows implements QuadCursor {
    private static final Var SUBJECT = Var.alloc("s");
    private static final Var PREDICATE = Var.alloc("p");
    private static final Var OBJECT = Var.alloc("o");
    private static final Var GRAPH = Var.alloc("g");

    private final CanonicalNodes terms = new CanonicalNodes();
    private final Path file;
    private final SparqlClient client;
    private final NodeTransform shown;
    private final InputStream in;
    private final RowSet rows;

    /**
     * Creates a cursor.
     *
     * @param file  the result, with the variables s, p, o, g
     * @param shown converts a term of the server to a local term
     * @throws HttpException it is not the result of a query
     */
    ResultRows(Path file, QueryResponse response, SparqlClient client, NodeTransform shown) throws IOException {
        this.file = file;
        this.client = client;
        this.shown = shown;
        in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        try {
            rows = response.result(in).rowSet();
        } catch (RiotException e) {
            in.close();
            throw client.unread(e);
        }
    }

    /**
     * Returns true if there is another quad.
     *
     * @throws UncheckedIOException of an {@link HttpException}, if the rest is not the result of a query
     */
    @Override
    public boolean hasNext() {
        return read(rows::hasNext);
    }

    /** Returns the next quad, and throws the same error as {@link #hasNext}. */
    Quad nextQuad() {
        Binding row = read(rows::next);
        Node graph = row.contains(GRAPH) ? row.get(GRAPH) : Quad.defaultGraphIRI;
        return NodeTransformLib.transform(shown,
                Quad.create(graph, row.get(SUBJECT), row.get(PREDICATE), row.get(OBJECT)));
    }

    private <R> R read(Supplier<R> reading) {
        try {
            return reading.get();
        } catch (RiotException e) {
            throw new UncheckedIOException(client.unread(e));
        }
    }

    @Override
    public byte[][] next() {
        return terms.bytes(nextQuad());
    }

    @Override
    public void close() {
        try (in) {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
