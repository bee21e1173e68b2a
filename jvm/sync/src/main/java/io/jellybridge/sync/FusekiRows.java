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
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.riot.rowset.RowSetReader;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.util.Context;

/** Quads from the result of a query, in a temporary file, which goes with this. */
final class FusekiRows implements QuadCursor {
    private static final Var SUBJECT = Var.alloc("s");
    private static final Var PREDICATE = Var.alloc("p");
    private static final Var OBJECT = Var.alloc("o");
    private static final Var GRAPH = Var.alloc("g");

    private final CanonicalNodes terms = new CanonicalNodes();
    private final Path file;
    private final InputStream in;
    private final RowSet rows;

    /**
     * @param file has the variables s, p, o, g
     * @param lang in which it is: RDF Thrift, since the others rename blank nodes
     * @throws JenaException it is in another, or is none at all
     */
    FusekiRows(Path file, Lang lang) throws IOException {
        if (!lang.equals(ResultSetLang.RS_Thrift)) {
            throw new RiotException("it is in " + lang.getName() + ", not in RDF Thrift");
        }
        this.file = file;
        in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        try {
            rows = RowSetReader.createReader(lang).read(in, new Context());
        } catch (JenaException e) {
            in.close();
            throw e;
        }
    }

    @Override
    public boolean hasNext() {
        return rows.hasNext();
    }

    Quad nextQuad() {
        Binding row = rows.next();
        Node graph = row.contains(GRAPH) ? row.get(GRAPH) : Quad.defaultGraphIRI;
        return Quad.create(graph, row.get(SUBJECT), row.get(PREDICATE), row.get(OBJECT));
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
