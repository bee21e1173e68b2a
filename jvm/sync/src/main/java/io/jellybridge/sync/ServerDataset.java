package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpException;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.data.QueryJson;
import io.jellybridge.jena.data.SparqlLimits;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.riot.QueryResponse;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.query.Query;
import org.apache.jena.query.QueryFactory;
import org.apache.jena.query.Syntax;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.QueryExecResult;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.exec.RowSetStream;
import org.apache.jena.sparql.graph.NodeTransform;
import org.apache.jena.sparql.graph.NodeTransformLib;
import org.apache.jena.sys.JenaSystem;

/**
 * A dataset of a server with SPARQL. It differs from a local dataset in some ways:
 *
 * <ul>
 *   <li>Rows come from a query or a download of all quads. A dump has no prefixes.</li>
 *   <li>{@link #update} is sent once. Without a response it is unknown whether the update was done, and the error says so.</li>
 *   <li>Changes can't be captured, since others write to the server too.</li>
 *   <li>The graph of {@link StoredPosition}s is not in the rows, the count or a dump. Queries and updates run on the server,
 *       and see it.</li>
 * </ul>
 *
 * <p>Not thread-safe.
 */
abstract class ServerDataset implements OpenDataset {
    static {
        JenaSystem.init();
    }

    /** The default graph alone. It is most of most datasets, so that reading all quads is faster than a query. */
    private static final QuadSelection DEFAULT_GRAPH =
            new QuadSelection(Wanted.ANY, Wanted.ANY, Wanted.ANY, new Wanted(Set.of(), List.of(), true), Long.MAX_VALUE);

    private final SparqlClient client;
    private final Formats formats;
    private final NodeTransform shown;
    private final boolean showsPositions;
    private boolean closed;

    /**
     * The formats to request.
     *
     * @param rows  the format for SELECT
     * @param graph the format for CONSTRUCT and DESCRIBE
     * @param quads the format for CONSTRUCT with GRAPH
     */
    record Formats(Lang rows, Lang graph, Lang quads) {
    }

    /**
     * Creates a dataset.
     *
     * @param positions true to show the graph of positions
     * @param shown     converts a term of the server to a local term
     */
    ServerDataset(SparqlClient client, boolean positions, Formats formats, NodeTransform shown) {
        this.client = client;
        this.showsPositions = positions;
        this.formats = formats;
        this.shown = shown;
    }

    @Override
    public final boolean isShared() {
        return true;
    }

    @Override
    public final Position storedPosition(String key) throws IOException {
        checkOpen();
        return client.storedPosition(key);
    }

    @Override
    public final List<String> readNotes(String key) throws IOException {
        checkOpen();
        return client.readNotes(key);
    }

    @Override
    public final void update(String sparql, SparqlLimits limits) throws IOException {
        checkOpen();
        limits.update(sparql); // checks it here, so that an invalid update gives the same error everywhere
        clientWithin(limits).update(sparql, false);
    }

    /** Returns a sink that writes the content of a file as the rows of a patch. */
    static StreamRDF additionSink(PatchBody<Node> body) {
        return new StreamRDFBase() {

            @Override
            public void prefix(String prefix, String iri) {
                body.prefix(Op.PA, prefix.getBytes(UTF_8), NodeFactory.createURI(iri), null);
            }

            @Override
            public void triple(Triple triple) {
                body.statement(Op.A, triple.getSubject(), triple.getPredicate(), triple.getObject(), null);
            }

            @Override
            public void quad(Quad quad) {
                boolean isDefault = quad.isTriple() || quad.isDefaultGraph();
                body.statement(Op.A, quad.getSubject(), quad.getPredicate(), quad.getObject(),
                        isDefault ? null : quad.getGraph());
            }
        };
    }

    /**
     * Throws an error, since changes of a server can't be captured.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public final Capture startCapture(Path log, CaptureOptions options) {
        throw new UnsupportedOperationException("changes of a dataset behind HTTP can't be captured, since others write to "
                + "the server too; capture where the dataset is opened, or have Fuseki write its log (patch:LoggedDataset)");
    }

    /** Returns a client with one attempt, whose timeout is the limit. */
    private SparqlClient clientWithin(SparqlLimits limits) {
        return limits.timeout() == null ? client : client.with(http -> http.withTimeout(limits.timeout()).withAttempts(1));
    }

    // --- reading

    @Override
    public final String runQuery(String sparql, SparqlLimits limits) throws IOException {
        checkOpen();
        Query query = QueryFactory.create(sparql, Syntax.syntaxARQ);
        boolean isResult = query.isSelectType() || query.isAskType();
        Lang asked = query.isSelectType() ? formats.rows() : query.isAskType() ? ResultSetLang.RS_JSON
                : query.isConstructQuad() ? formats.quads() : formats.graph();
        HttpResponse<SpillBuffer> answer = clientWithin(limits).runQuery(sparql, asked.getHeaderString(), HttpCalls.body());
        SpillBuffer body = answer.body();
        try {
            QueryResponse response = client.readResponse(answer, asked);
            return isResult ? readResult(response, body.read()) : constructGraph(query, response, body.read());
        } catch (RiotException e) {
            throw client.unreadError(e);
        } finally {
            body.discard();
        }
    }

    private String readResult(QueryResponse response, InputStream answer) {
        QueryExecResult result = response.readResult(answer);
        return result.isRowSet() ? QueryJson.of(toDisplay(result.rowSet())) : QueryJson.of(result.booleanResult());
    }

    private RowSet toDisplay(RowSet rows) {
        return RowSetStream.create(rows.getResultVars(), Iter.map(rows, row -> NodeTransformLib.transform(row, shown)));
    }

    private String constructGraph(Query query, QueryResponse response, InputStream answer) {
        DatasetGraph found = DatasetGraphFactory.create();
        response.readStatements(answer, StreamRDFLib.dataset(found));
        return query.isConstructQuad()
                ? QueryJson.ofQuads(Iter.map(found.find(), quad -> NodeTransformLib.transform(shown, quad)))
                : QueryJson.ofTriples(Iter.map(found.getDefaultGraph().find(),
                        triple -> NodeTransformLib.transform(shown, triple)));
    }

    @Override
    public final long size() throws IOException {
        return count(QuadSelection.ALL);
    }

    /** {@inheritDoc} The server counts if it can select exactly these quads. */
    @Override
    public final long count(QuadSelection selection) throws IOException {
        boolean isAskable = selection.isExact() && selection.limit() == Long.MAX_VALUE
                && toAskable(selection).equals(selection);
        if (!isAskable) {
            return OpenDataset.super.count(selection);
        }
        checkOpen();
        String count = client.select("SELECT (count(*) AS ?n) " + toPattern(selection)).get(0).get("n");
        return Long.parseLong(count.substring(1, count.indexOf('"', 1)));
    }

    @Override
    public final QuadCursor readRows(QuadSelection selection) throws IOException {
        checkOpen();
        boolean isWhole = selection.equals(QuadSelection.ALL);
        QuadCursor all = isWhole || selection.equals(DEFAULT_GRAPH) ? download(!isWhole, showsPositions) : null;
        return isWhole && all != null ? all : selection.of(all != null ? all : fetchRows(toAskable(selection)));
    }

    private String toPattern(QuadSelection selection) throws IOException {
        return SelectionPattern.of(selection, selection.graph().orNull() ? defaultGraph() : null, showsPositions);
    }

    /**
     * Returns the server's name of the default graph, which keeps queries from using the union of all graphs; null if it has
     * no name.
     *
     * @throws HttpException the default graph can't be told from the union
     */
    abstract String defaultGraph() throws IOException;

    /** Returns the part of a selection that the server can evaluate. The result is filtered again here. */
    QuadSelection toAskable(QuadSelection selection) {
        return selection;
    }

    /**
     * Reads all quads in another way than by a query.
     *
     * @param ofDefaultGraph true if those of the default graph are enough
     * @param positions      true to include the graph of positions
     * @return null if the server has no other way
     */
    QuadCursor download(boolean ofDefaultGraph, boolean positions) throws IOException {
        return null;
    }

    private ResultRows fetchRows(QuadSelection selection) throws IOException {
        checkOpen();
        Path file = Files.createTempFile("jellybridge-", ".rows");
        Lang asked = formats.rows();
        try {
            String limit = selection.limit() < Long.MAX_VALUE && selection.isExact() ? " LIMIT " + selection.limit() : "";
            String query = "SELECT ?s ?p ?o ?g " + toPattern(selection) + limit;
            HttpResponse<?> answer = client.runQuery(query, asked.getHeaderString(), HttpCalls.writeTo(file));
            QueryResponse response = client.readResponse(answer, asked);
            if (!response.lang().equals(asked)) {
                throw new HttpException(client.queries().uri(), 200, "the answer is no result of a query: it is in "
                        + response.lang().getName() + ", not in " + asked.getName(), null);
            }
            return new ResultRows(file, response, client, shown);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    // --- end

    final void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the dataset was closed; open it again");
        }
    }

    @Override
    public final void close() {
        closed = true;
    }

    /** Quads from the result of a query. They are in a temporary file, which {@link #close} deletes. */
    static final class ResultRows implements QuadCursor {
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
                rows = response.readResult(in).rowSet();
            } catch (RiotException e) {
                in.close();
                throw client.unreadError(e);
            }
        }

        /**
         * Returns true if there is another quad.
         *
         * @throws UncheckedIOException of an {@link HttpException}, if the rest is not the result of a query
         */
        @Override
        public boolean hasNext() {
            return readRow(rows::hasNext);
        }

        /** Returns the next quad, and throws the same error as {@link #hasNext}. */
        @Override
        public byte[][] next() {
            Binding row = readRow(rows::next);
            Node graph = row.contains(GRAPH) ? row.get(GRAPH) : Quad.defaultGraphIRI;
            return terms.toBytes(NodeTransformLib.transform(shown,
                    Quad.create(graph, row.get(SUBJECT), row.get(PREDICATE), row.get(OBJECT))));
        }

        private <R> R readRow(Supplier<R> reading) {
            try {
                return reading.get();
            } catch (RiotException e) {
                throw new UncheckedIOException(client.unreadError(e));
            }
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

    /** Builds a SPARQL pattern that matches the selected quads, and perhaps others, with the variables s, p, o, g. */
    private static final class SelectionPattern {
        /** The start of an IRI as the text of a term, without characters that must be escaped. */
        private static final Pattern START_OF_IRI = Pattern.compile("<[^<>\"\\\\\\x00-\\x20]+");

        private SelectionPattern() {
        }

        /**
         * Builds a pattern.
         *
         * @param defaultGraph the name of the default graph; null if it has none
         * @param positions    true to include the graph of {@link StoredPosition}s
         */
        static String of(QuadSelection selection, String defaultGraph, boolean positions) {
            String triple = toCondition("s", selection.subject()) + toCondition("p", selection.predicate())
                    + toCondition("o", selection.object());
            Wanted graph = selection.graph();
            List<String> parts = new ArrayList<>();
            if (graph.orNull()) {
                parts.add("{ " + triple + (defaultGraph == null ? "?s ?p ?o" : "GRAPH <" + defaultGraph + "> { ?s ?p ?o }") + " }");
            }
            if (graph.takesTerms()) {
                parts.add("{ " + toCondition("g", graph) + triple + "GRAPH ?g { ?s ?p ?o }"
                        + (positions ? "" : " FILTER (?g != <" + StoredPosition.GRAPH + ">)") + " }");
            }
            return parts.isEmpty() ? "{ ?s ?p ?o FILTER (false) }" : "{ " + String.join(" UNION ", parts) + " }";
        }

        private static String toCondition(String variable, Wanted wanted) {
            StringBuilder asked = new StringBuilder();
            if (wanted.isFindable()) {
                // Jena's own syntax for an existing blank node.
                asked.append("VALUES ?").append(variable).append(wanted.values().stream()
                        .map(term -> term.startsWith("_:") ? "<" + term + ">" : term)
                        .collect(Collectors.joining(" ", " { ", " } ")));
            }
            for (String start : wanted.starts()) {
                if (START_OF_IRI.matcher(start).matches()) {
                    asked.append("FILTER (isIRI(?%1$s) && strStarts(str(?%1$s), \"%2$s\")) "
                            .formatted(variable, start.substring(1)));
                }
            }
            return asked.toString();
        }
    }
}
