package io.jellybridge.sync;

import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.nodes.CanonicalNodes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.jena.graph.Node;
import org.apache.jena.query.ARQ;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.rowset.RowSetReader;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.graph.NodeTransform;
import org.apache.jena.sparql.graph.NodeTransformLib;
import org.apache.jena.sparql.util.Context;

/** Quads from the result of a query, in a temporary file, which goes with this. */
final class ResultRows implements QuadCursor {
    private static final Var SUBJECT = Var.alloc("s");
    private static final Var PREDICATE = Var.alloc("p");
    private static final Var OBJECT = Var.alloc("o");
    private static final Var GRAPH = Var.alloc("g");

    private final CanonicalNodes terms = new CanonicalNodes();
    private final Path file;
    private final NodeTransform shown;
    private final InputStream in;
    private final RowSet rows;

    /**
     * @param file  has the variables s, p, o, g
     * @param shown what a term in it is here
     * @throws JenaException it is no result in this language
     */
    ResultRows(Path file, Lang lang, NodeTransform shown) throws IOException {
        this.file = file;
        this.shown = shown;
        in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        try {
            rows = RowSetReader.createReader(lang).read(in, keepingLabels());
        } catch (JenaException e) {
            in.close();
            throw e;
        }
    }

    /** How results are read in which the labels of blank nodes count. */
    static Context keepingLabels() {
        return new Context().set(ARQ.inputGraphBNodeLabels, true);
    }

    @Override
    public boolean hasNext() {
        return rows.hasNext();
    }

    Quad nextQuad() {
        Binding row = rows.next();
        Node graph = row.contains(GRAPH) ? row.get(GRAPH) : Quad.defaultGraphIRI;
        return NodeTransformLib.transform(shown,
                Quad.create(graph, row.get(SUBJECT), row.get(PREDICATE), row.get(OBJECT)));
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
