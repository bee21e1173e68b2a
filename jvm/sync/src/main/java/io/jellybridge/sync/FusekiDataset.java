package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetFiles;
import io.jellybridge.jena.dataset.LoadReport;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.riot.RdfFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.sparql.core.Quad;

/**
 * A dataset of a Fuseki server, with our module or as it comes. {@link #load} reads the file here, and sends it as one
 * patch, so that the labels of blank nodes are kept, and it is known that all of it arrived.
 */
public final class FusekiDataset extends ServerDataset {
    // RDF Thrift keeps the labels of blank nodes, which the standard formats rename.
    private static final Formats THRIFT = new Formats(ResultSetLang.RS_Thrift, Lang.RDFTHRIFT, Lang.RDFTHRIFT);
    private static final byte[] NOTE = PatchProtocol.NOTE.getBytes(UTF_8);

    private final FusekiClient client;
    private final PatchDelivery delivery;

    private FusekiDataset(FusekiClient client, boolean positions) {
        super(client, positions, THRIFT, term -> term);
        this.client = client;
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
    String defaultGraph() {
        return Quad.defaultGraphIRI.getURI();
    }

    @Override
    QuadCursor all(boolean positions) throws IOException {
        Path file = Files.createTempFile("jellybridge-", ".jelly");
        QuadCursor rows = null;
        try {
            rows = client.quads(file) ? new JellyRows(file, client.options().url(), positions) : null;
            return rows;
        } finally {
            if (rows == null) {
                Files.deleteIfExists(file);
            }
        }
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
    public LoadReport load(RdfFile source) throws IOException {
        checkOpen();
        try (PatchBody<Node> body = delivery.body(new NodeTerms()); Receipts receipts = new Receipts()) {
            LoadReport report = DatasetFiles.read(source, additions(body), false);
            receipts.send(body);
            return report;
        }
    }
}
