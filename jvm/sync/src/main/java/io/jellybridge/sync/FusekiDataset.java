package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QueryJson;
import io.jellybridge.jena.data.SelectedQuads;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.Updates;
import io.jellybridge.jena.dataset.DatasetFiles;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.riot.RdfFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.query.Query;
import org.apache.jena.query.QueryFactory;
import org.apache.jena.query.Syntax;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.riot.rowset.RowSetReader;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.exec.QueryExecResult;
import org.apache.jena.sparql.util.Context;

/**
 * A dataset of a Fuseki server, with our module or as it comes. Differs from a dataset in this process in this:
 * <ul>
 *   <li>Rows, and what is dumped, come by a query of all quads; prefixes do not come along.</li>
 *   <li>{@link #load} reads the file here, and sends it as one patch, so that the labels of blank nodes are kept, and it is
 *       known that all of it arrived.</li>
 *   <li>{@link #update} is sent once: when no answer comes, it is not known whether it was done, and the error says so.</li>
 *   <li>Changes can't be captured: others write to the server too.</li>
 *   <li>The graph of {@link StoredPosition}s is left out of rows, the count and what is dumped. Queries and updates are the
 *       server's, and see it.</li>
 * </ul>
 * One thread at a time.
 */
public final class FusekiDataset implements OpenDataset {
    private static final byte[] NOTE = PatchProtocol.NOTE.getBytes(UTF_8);
    // RDF Thrift keeps the labels of blank nodes, which the standard formats rename.
    private static final String ROWS = "application/sparql-results+thrift";
    private static final String ANSWER = "application/sparql-results+json";
    private static final String GRAPH = "application/rdf+thrift";

    private final FusekiClient client;
    private final PatchDelivery delivery;
    private final boolean positions;
    private boolean closed;

    private FusekiDataset(FusekiClient client, boolean positions) {
        this.client = client;
        this.positions = positions;
        this.delivery = new PatchDelivery(client);
    }

    /** A dataset without its positions, of which nothing is asked yet, not even whether it is there. */
    public FusekiDataset(FusekiOptions options) {
        this(new FusekiClient(options), false);
    }

    /** Opens a dataset without its positions, see {@link #open(FusekiOptions, boolean)}. */
    public static FusekiDataset open(FusekiOptions options) throws IOException {
        return open(options, false);
    }

    /**
     * Opens a dataset, after asking whether it is there.
     *
     * @param positions whether the graph of {@link StoredPosition}s is among the rows, the count and what is dumped
     * @throws HttpException there is no such server, it has no such dataset, or it does not let us in
     */
    public static FusekiDataset open(FusekiOptions options, boolean positions) throws IOException {
        FusekiClient client = new FusekiClient(options);
        client.select("SELECT * { } LIMIT 0");
        return new FusekiDataset(client, positions);
    }

    @Override
    public boolean isShared() {
        return true;
    }

    // --- changes

    /** {@inheritDoc} A position under a key of this call is the receipt of each patch; it is deleted in the end. */
    @Override
    public ApplyReport apply(String name, Patches patches, ProgressListener listener) throws IOException {
        checkOpen();
        ApplyCheck check = ApplyCheck.of(patches);
        try (Receipts receipts = new Receipts(); PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
            BodyRows rows = new BodyRows(check);
            boolean more = true;
            while (more) {
                long patch = rows.patches();
                try (PatchBody<byte[]> body = delivery.body(new Utf8Terms())) {
                    rows.to(body);
                    while (more && rows.patches() == patch) {
                        more = source.next(rows);
                    }
                    if (!body.isEmpty()) {
                        send(receipts, body, name, patch);
                        listener.progress(rows.rows());
                    }
                }
            }
            listener.progress(rows.rows());
            return rows.report();
        }
    }

    private static void send(Receipts receipts, PatchBody<byte[]> body, String name, long patch) throws IOException {
        try {
            receipts.send(body);
        } catch (HttpException e) {
            throw ApplyException.ofFile(name, patch, e);
        }
    }

    /** Bodies that are sent one after the other, each with a receipt under a key that nobody else uses. */
    private final class Receipts implements AutoCloseable {
        private final String key = "urn:jellybridge:apply:" + UUID.randomUUID();
        private String position;
        private int sent;

        void send(PatchBody<?> body) throws IOException {
            String next = "\"" + ++sent + "\"^^<http://www.w3.org/2001/XMLSchema#integer>";
            Advance advance = new Advance(key, position, next);
            position = next;
            delivery.deliver(body.finish(), advance, false);
        }

        @Override
        public void close() throws IOException {
            if (sent > 0) {
                client.update("DELETE WHERE { GRAPH <%s> { <%s> ?p ?o } }"
                        .formatted(StoredPosition.GRAPH, key), true);
            }
        }
    }

    /**
     * {@inheritDoc} The patches are checked here, then sent as one request, see {@link PatchDelivery}. For our module one
     * reading does both; text must not have what ends with {@code TA}, which takes another.
     *
     * @throws SyncLeaseException another sync writes to this dataset, whose server has not our module
     */
    @Override
    public ApplyReport apply(Patches patches, Advance advance, ProgressListener listener) throws IOException {
        // Asked first, so that all patches need not be checked to find out that they are not wanted.
        advance.check(stand(advance.key()));
        ApplyReport report;
        try {
            report = send(patches, advance);
        } catch (PatchDelivery.OtherFormatException e) {
            report = send(patches, advance);
        }
        listener.progress(report.added() + report.deleted());
        return report;
    }

    private ApplyReport send(Patches patches, Advance advance) throws IOException {
        return delivery.hasModule() ? sendChecking(patches, advance) : sendChecked(patches, advance);
    }

    private ApplyReport sendChecking(Patches patches, Advance advance) throws IOException {
        try (PatchSource<Node> source = patches.open(new NodeTerms());
                PatchBody<Node> body = delivery.body(new NodeTerms())) {
            advance.notes().forEach(note -> body.header(NOTE, NodeFactory.createLiteralString(note)));
            ApplyReport report = new CheckedRows(source, body).readAll();
            delivery.deliver(body.finish(), advance, true);
            return report;
        }
    }

    private ApplyReport sendChecked(Patches patches, Advance advance) throws IOException {
        ApplyCheck check = ApplyCheck.of(patches);
        try (PatchSource<byte[]> source = patches.open(new Utf8Terms());
                PatchBody<byte[]> body = delivery.body(new Utf8Terms())) {
            BodyRows rows = new BodyRows(check);
            rows.to(body);
            source.readAll(rows);
            delivery.deliver(body.finish(), advance, true);
            return rows.report();
        }
    }

    @Override
    public Position stand(String key) throws IOException {
        checkOpen();
        return delivery.stand(key);
    }

    @Override
    public List<String> notes(String key) throws IOException {
        checkOpen();
        return delivery.notes(key);
    }

    @Override
    public void update(String sparql, boolean load) throws IOException {
        checkOpen();
        Updates.parse(sparql, load); // so that what is wrong with it is the same error everywhere
        client.update(sparql, false);
    }

    @Override
    public void load(RdfFile source) throws IOException {
        checkOpen();
        try (PatchBody<Node> body = delivery.body(new NodeTerms()); Receipts receipts = new Receipts()) {
            DatasetFiles.read(source, additions(body), false);
            receipts.send(body);
        }
    }

    private static StreamRDF additions(PatchBody<Node> body) {
        return new StreamRDFBase() {

            @Override
            public void prefix(String prefix, String iri) {
                body.prefix(Op.PA, prefix.getBytes(UTF_8), NodeFactory.createURI(iri));
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

    /** @throws UnsupportedOperationException always */
    @Override
    public Capture startCapture(Path log, CaptureOptions options) {
        throw new UnsupportedOperationException("changes of a dataset behind HTTP can't be captured, since others write to "
                + "the server too; capture where the dataset is opened, or have Fuseki write its log (patch:LoggedDataset)");
    }

    // --- reading

    @Override
    public String query(String sparql) throws IOException {
        checkOpen();
        Query query = QueryFactory.create(sparql, Syntax.syntaxARQ);
        String accept = query.isSelectType() ? ROWS : query.isAskType() ? ANSWER : GRAPH;
        HttpResponse<byte[]> answer = client.query(sparql, accept, BodyHandlers.ofByteArray());
        try {
            return query.isSelectType() || query.isAskType() ? result(answer) : constructed(query, answer);
        } catch (JenaException e) {
            throw client.noResult(e);
        }
    }

    /**
     * What an answer is in, by its own word; in the one that was asked for where it says nothing.
     *
     * @throws JenaException it is something else, such as a page: read as RDF Thrift, that could be a result without rows
     */
    private static Lang lang(HttpResponse<?> answer, Lang asked) {
        String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "").trim();
        Lang lang = type.isEmpty() ? asked : RDFLanguages.contentTypeToLang(type);
        if (lang == null) {
            throw new RiotException("it is " + type);
        }
        return lang;
    }

    private static String result(HttpResponse<byte[]> answer) {
        QueryExecResult result = RowSetReader.createReader(lang(answer, ResultSetLang.RS_JSON))
                .readAny(new ByteArrayInputStream(answer.body()), new Context());
        return result.isRowSet() ? QueryJson.of(result.rowSet()) : QueryJson.of(result.booleanResult());
    }

    private static String constructed(Query query, HttpResponse<byte[]> answer) {
        DatasetGraph found = DatasetGraphFactory.create();
        RDFParser.source(new ByteArrayInputStream(answer.body())).lang(lang(answer, Lang.RDFTHRIFT))
                .labelToNode(LabelToNode.createUseLabelAsGiven()).parse(found);
        return query.isConstructQuad()
                ? QueryJson.ofQuads(found.find())
                : QueryJson.ofTriples(found.getDefaultGraph().find());
    }

    /** {@inheritDoc} The dataset is put together in memory. */
    @Override
    public void dump(RdfFile file) throws IOException {
        DatasetGraph all = DatasetGraphFactory.create();
        try (FusekiRows rows = fetch(QuadSelection.ALL)) {
            while (rows.hasNext()) {
                all.add(rows.nextQuad());
            }
        }
        DatasetFiles.dump(all, file);
    }

    @Override
    public long size() throws IOException {
        checkOpen();
        String all = SelectionPattern.of(QuadSelection.ALL, positions);
        String count = client.select("SELECT (count(*) AS ?n) " + all).get(0).get("n");
        return Long.parseLong(count.substring(1, count.indexOf('"', 1)));
    }

    @Override
    public QuadCursor rows(QuadSelection selection) throws IOException {
        return SelectedQuads.of(fetch(selection), selection);
    }

    private FusekiRows fetch(QuadSelection selection) throws IOException {
        checkOpen();
        Path file = Files.createTempFile("jellybridge-", ".srt");
        try {
            String limit = selection.limit() < Long.MAX_VALUE && selection.isExact() ? " LIMIT " + selection.limit() : "";
            String query = "SELECT ?s ?p ?o ?g " + SelectionPattern.of(selection, positions) + limit;
            HttpResponse<?> answer = client.query(query, ROWS, HttpCalls.into(file));
            return new FusekiRows(file, lang(answer, ResultSetLang.RS_Thrift));
        } catch (JenaException e) {
            Files.deleteIfExists(file);
            throw client.noResult(e);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    // --- end

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the dataset was closed; open it again");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
