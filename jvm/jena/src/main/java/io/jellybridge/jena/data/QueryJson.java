package io.jellybridge.jena.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.stream.JsonWriter;
import io.jellybridge.codec.Io;
import io.jellybridge.jena.nodes.CanonicalNodes;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.jena.graph.Triple;
import org.apache.jena.query.Query;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.QueryExec;
import org.apache.jena.sparql.exec.RowSet;

/**
 * Writes the result of a query as JSON, with terms as in change rows:
 *
 * <pre>
 * SELECT                 {"vars":["s","o"],"rows":[["&lt;http://e/s&gt;",null],...]}
 * ASK                    {"boolean":true}
 * CONSTRUCT, DESCRIBE    {"triples":[[subject,predicate,object],...]}
 * CONSTRUCT with GRAPH   {"quads":[[subject,predicate,object,graph or null],...]}
 * </pre>
 *
 * <p>The terms are canonical N-Triples. Triples and quads occur once each.
 */
public final class QueryJson {
    private final CanonicalNodes terms = new CanonicalNodes();
    private final StringWriter text = new StringWriter();
    private final JsonWriter json = new JsonWriter(text);

    private QueryJson() {
    }

    /** Runs a query and returns its result. */
    static String of(Query query, QueryExec execution) {
        return toText(result -> result.write(query, execution));
    }

    /** Returns the result of a SELECT. */
    public static String of(RowSet rows) {
        return toText(result -> result.writeRows(rows));
    }

    /** Returns the result of an ASK. */
    public static String of(boolean answer) {
        return toText(result -> result.json.name("boolean").value(answer));
    }

    /** Returns the result of a CONSTRUCT or DESCRIBE. */
    public static String ofTriples(Iterator<Triple> triples) {
        return toText(result -> result.writeTriples(triples));
    }

    /** Returns the result of a CONSTRUCT with GRAPH. */
    public static String ofQuads(Iterator<Quad> quads) {
        return toText(result -> result.writeQuads(quads));
    }

    private static String toText(Io.Consumer<QueryJson> content) {
        QueryJson result = new QueryJson();
        try {
            result.json.beginObject();
            content.accept(result);
            result.json.endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter never fails
        }
        return result.text.toString();
    }

    private void write(Query query, QueryExec execution) throws IOException {
        if (query.isSelectType()) {
            writeRows(execution.select());
        } else if (query.isAskType()) {
            json.name("boolean").value(execution.ask());
        } else if (query.isConstructType() && query.isConstructQuad()) {
            writeQuads(execution.constructQuads());
        } else if (query.isConstructType()) {
            writeTriples(execution.constructTriples());
        } else if (query.isDescribeType()) {
            writeTriples(execution.describeTriples());
        } else {
            throw new IllegalArgumentException("a query that is not SELECT, ASK, CONSTRUCT or DESCRIBE");
        }
    }

    private void writeRows(RowSet rows) throws IOException {
        List<Var> vars = rows.getResultVars();
        json.name("vars").beginArray();
        for (Var name : vars) {
            json.value(name.getVarName());
        }
        json.endArray();
        json.name("rows").beginArray();
        while (rows.hasNext()) {
            Binding row = rows.next();
            json.beginArray();
            for (Var name : vars) {
                writeTerm(terms.toBytes(row.get(name)));
            }
            json.endArray();
        }
        json.endArray();
    }

    private void writeTriples(Iterator<Triple> triples) throws IOException {
        writeEach("triples", triples, triple -> new byte[][] {
            terms.toBytes(triple.getSubject()), terms.toBytes(triple.getPredicate()), terms.toBytes(triple.getObject())});
    }

    private void writeQuads(Iterator<Quad> quads) throws IOException {
        writeEach("quads", quads, terms::toBytes);
    }

    private <S> void writeEach(String name, Iterator<S> statements, Function<S, byte[][]> parts) throws IOException {
        json.name(name).beginArray();
        Set<S> written = new HashSet<>();
        while (statements.hasNext()) {
            S statement = statements.next();
            if (written.add(statement)) {
                json.beginArray();
                for (byte[] part : parts.apply(statement)) {
                    writeTerm(part);
                }
                json.endArray();
            }
        }
        json.endArray();
    }

    private void writeTerm(byte[] term) throws IOException {
        if (term == null) {
            json.nullValue();
        } else {
            json.value(new String(term, UTF_8));
        }
    }
}
