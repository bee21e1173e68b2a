package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetFiles;
import io.jellybridge.jena.dataset.OpenDataset.LoadReport;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.riot.RdfFile;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.sparql.core.Quad;

/**
 * A dataset of a Fuseki server, with our module or without it. {@link #load} reads the file locally and sends it as one patch.
 * So the labels of blank nodes are kept, and a receipt shows that the whole file arrived.
 */
public final class FusekiDataset extends ServerDataset {
    // RDF Thrift keeps the labels of blank nodes, which the standard formats rename.
    private static final Formats THRIFT = new Formats(ResultSetLang.RS_Thrift, Lang.RDFTHRIFT, Lang.RDFTHRIFT);
    private static final byte[] NOTE = PatchProtocol.NOTE.getBytes(UTF_8);

    private final FusekiClient client;
    private final FusekiDelivery delivery;

    private FusekiDataset(FusekiClient client, boolean positions) {
        super(client, positions, THRIFT, term -> term);
        this.client = client;
        this.delivery = new FusekiDelivery(client);
    }

    /** Creates a dataset without its positions. It sends no request yet, so the dataset may not exist. */
    public FusekiDataset(FusekiOptions options) {
        this(new FusekiClient(options), false);
    }

    /** Opens a dataset without its positions, see {@link #open(FusekiOptions, boolean)}. */
    public static FusekiDataset open(FusekiOptions options) throws IOException {
        return open(options, false);
    }

    /**
     * Opens a dataset, and checks that it exists.
     *
     * @param positions true to include the graph of {@link StoredPosition}s in the rows, the count and dumps
     * @throws HttpException the server or its dataset does not exist, or access is denied
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

    /** {@inheritDoc} Our module sends all quads in Jelly; a stock server sends them, or the default graph, as N-Quads. */
    @Override
    QuadCursor download(boolean ofDefaultGraph, boolean positions) throws IOException {
        Path file = Files.createTempFile("jellybridge-", ".quads");
        QuadCursor rows = null;
        try {
            HttpHeaders headers = client.fetchQuads(file);
            if (headers != null) {
                rows = DownloadedRows.ofJelly(file, client.options().url(), positions,
                        headers.firstValue(QuadsProtocol.DATASET_VERSION).orElse(null));
            } else if (client.fetchNQuads(ofDefaultGraph, file)) {
                rows = DownloadedRows.ofNQuads(file, client.options().url(), positions);
            }
            return rows;
        } finally {
            if (rows == null) {
                Files.deleteIfExists(file);
            }
        }
    }

    // --- changes

    /** {@inheritDoc} Asks for the patch service. */
    @Override
    public void checkChangeable() throws IOException {
        checkOpen();
        delivery.hasModule();
    }

    /** {@inheritDoc} The receipt of each patch is a position under a key of this call, see {@link Receipts}. */
    @Override
    public ApplyReport apply(String name, Patches patches, ProgressListener listener) throws IOException {
        checkOpen();
        ApplyCheck check = ApplyCheck.of(patches);
        try (Receipts receipts = new Receipts(); PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
            BodyRows rows = new BodyRows(check, null);
            boolean more = true;
            while (more) {
                long patch = rows.patches();
                try (PatchBody<byte[]> body = delivery.newBody(new Utf8Terms())) {
                    rows.setTarget(body);
                    while (more && rows.patches() == patch) {
                        more = source.next(rows);
                    }
                    check.compareRows(source, !more);
                    if (!body.isEmpty()) {
                        sendPatches(receipts, body, name, patch);
                        listener.progress(rows.rows());
                    }
                }
            }
            listener.progress(rows.rows());
            return rows.report();
        }
    }

    private static void sendPatches(Receipts receipts, PatchBody<byte[]> body, String name, long patch) throws IOException {
        try {
            receipts.sendBody(body);
        } catch (HttpException | FormatException e) {
            throw ApplyException.ofFile(name, patch, e);
        }
    }

    /**
     * A sequence of bodies, each with a receipt under a unique key. The receipt is deleted at the end. It stays if the first body
     * may arrive again, which our module would apply to a dataset without a receipt.
     */
    private final class Receipts implements AutoCloseable {
        private final String key = "urn:jellybridge:apply:" + UUID.randomUUID();
        private String position;
        private int sent;
        private boolean isDeletable;

        void sendBody(PatchBody<?> body) throws IOException {
            String next = "\"" + ++sent + "\"^^<http://www.w3.org/2001/XMLSchema#integer>";
            PositionUpdate advance = new PositionUpdate(key, position, next);
            position = next;
            isDeletable |= !delivery.hasModule();
            boolean mayComeAgain = delivery.deliver(body.finish(), advance, false);
            isDeletable |= sent == 1 && !mayComeAgain;
        }

        @Override
        public void close() {
            if (isDeletable) {
                client.deleteReceipt(key);
            }
        }
    }

    /**
     * {@inheritDoc} The patches are checked locally, then sent as one request, see {@link FusekiDelivery}. For our module one
     * pass does both. Text must not have blocks that end with {@code TA}, so it takes a second pass.
     *
     * @throws SyncLeaseException another sync writes to this dataset, whose server does not have our module
     */
    @Override
    public ApplyReport apply(Patches patches, PositionUpdate advance, ProgressListener listener) throws IOException {
        // Reads the position first, so that patches are not checked in vain.
        advance.check(storedPosition(advance.key()));
        ApplyReport report;
        try {
            report = sendPatches(patches, advance);
        } catch (FusekiDelivery.OtherFormatException e) {
            report = sendPatches(patches, advance);
        }
        listener.progress(report.added() + report.deleted());
        return report;
    }

    private ApplyReport sendPatches(Patches patches, PositionUpdate advance) throws IOException {
        return delivery.hasModule() ? sendChecking(patches, advance) : sendChecked(patches, advance);
    }

    private ApplyReport sendChecking(Patches patches, PositionUpdate advance) throws IOException {
        try (PatchSource<Node> source = patches.open(new NodeTerms());
                PatchBody<Node> body = delivery.newBody(new NodeTerms())) {
            advance.notes().forEach(note -> body.header(NOTE, NodeFactory.createLiteralString(note)));
            ApplyReport report = new CheckedRows(source, body).readAll();
            delivery.deliver(body.finish(), advance, true);
            return report;
        }
    }

    private ApplyReport sendChecked(Patches patches, PositionUpdate advance) throws IOException {
        try (PatchBody<byte[]> body = delivery.newBody(new Utf8Terms())) {
            ApplyReport report = AppliedRows.read(patches, check -> new BodyRows(check, body));
            delivery.deliver(body.finish(), advance, true);
            return report;
        }
    }

    @Override
    public LoadReport load(RdfFile source) throws IOException {
        checkOpen();
        try (PatchBody<Node> body = delivery.newBody(new NodeTerms()); Receipts receipts = new Receipts()) {
            LoadReport report = DatasetFiles.read(source, additionSink(body), false);
            receipts.sendBody(body);
            return report;
        }
    }

    /** Writes the applied rows into the bodies of requests. It skips transaction rows, since each request is a transaction. */
    private static final class BodyRows extends AppliedRows<byte[]> {
        private PatchBody<byte[]> body;

        /**
         * Creates a handler.
         *
         * @param body the first body; null if it comes by {@link #setTarget}
         */
        BodyRows(ApplyCheck check, PatchBody<byte[]> body) {
            super(check);
            this.body = body;
        }

        /** Sets the body for the following rows. */
        void setTarget(PatchBody<byte[]> next) {
            body = next;
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
            body.prefix(op, name, namespace, null);
        }

        @Override
        protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            body.statement(op, subject, predicate, object, graph);
        }
    }

    /**
     * Checks rows and writes them into the body of a request. It also writes transactions, for our module, which skips blocks
     * that end with {@code TA}.
     */
    private static final class CheckedRows extends AppliedRows<Node> {
        private final ApplyCheck check;
        private final PatchBody<Node> body;

        /**
         * Creates a check.
         *
         * @param source the rows
         */
        CheckedRows(PatchSource<Node> source, PatchBody<Node> body) {
            this.check = new ApplyCheck(source, false);
            this.body = body;
        }

        /**
         * Reads all rows.
         *
         * @return the report that applying them will give
         */
        ApplyReport readAll() throws IOException {
            check.readAll(this);
            return report();
        }

        @Override
        public void header(byte[] key, Node value) {
            check.header(key, value);
        }

        @Override
        protected void applyTransaction(Op op) {
            body.transaction(op);
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, Node namespace) {
            check.prefix(op, name, namespace, null);
            body.prefix(op, name, namespace, null);
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            check.statement(op, subject, predicate, object, graph);
            body.statement(op, subject, predicate, object, graph);
        }
    }
}
