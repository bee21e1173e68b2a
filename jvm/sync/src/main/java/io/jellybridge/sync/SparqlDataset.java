package io.jellybridge.sync;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpException;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.dataset.DatasetFiles;
import io.jellybridge.jena.dataset.OpenDataset.LoadReport;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.riot.RdfFile;
import java.io.IOException;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.sparql.core.Quad;

/**
 * A dataset of any store with the SPARQL 1.1 Protocol. Its guarantees depend on the store. Besides the rules for every server,
 * it has these:
 *
 * <ul>
 *   <li>A patch, or the batch of a step, is one transaction if it fits into one request, and if the store applies a request
 *       completely or not at all. Otherwise it is several transactions, see {@link SparqlDelivery}.</li>
 *   <li>Blank nodes are IRIs in the store, see {@link SkolemTerms}. Queries and updates of users see the IRIs, but results of
 *       queries have blank nodes again.</li>
 *   <li>Prefixes are not stored, since SPARQL can't set them.</li>
 * </ul>
 *
 * <p>Not thread-safe.
 */
public final class SparqlDataset extends ServerDataset {
    // Every store supports JSON. Its labels are valid for one response; stable blank nodes come as IRIs.
    private static final Formats FORMATS = new Formats(ResultSetLang.RS_JSON, Lang.NTRIPLES, Lang.NQUADS);

    private final SparqlOptions options;
    private final SkolemTerms skolem;
    private final DefaultGraph defaultGraph;
    private final SparqlDelivery delivery;

    SparqlDataset(SparqlOptions options, boolean positions) {
        this(options, positions, new SkolemTerms(options.skolemBase()), new SparqlClient(
                new SparqlClient.Endpoint(new HttpCalls(options.queries()), ""),
                new SparqlClient.Endpoint(new HttpCalls(options.updates()), "")));
    }

    private SparqlDataset(SparqlOptions options, boolean positions, SkolemTerms skolem, SparqlClient client) {
        super(client, positions, FORMATS, skolem::toDisplay);
        this.options = options;
        this.skolem = skolem;
        this.defaultGraph = new DefaultGraph(client, options.defaultGraph());
        this.delivery = new SparqlDelivery(client, options.lease());
    }

    /** Opens a dataset, see {@link ServerLocation#open}. */
    static SparqlDataset open(SparqlOptions options, boolean positions) throws IOException {
        SparqlDataset dataset = new SparqlDataset(options, positions);
        dataset.runQuery("ASK { }");
        return dataset;
    }

    SkolemTerms skolem() {
        return skolem;
    }

    @Override
    String defaultGraph() throws IOException {
        defaultGraph.checkReadable();
        return defaultGraph.name();
    }

    /** A check that also rejects terms that such a store can't represent. */
    private static final class Check extends ApplyCheck {
        private final SkolemTerms skolem;
        private boolean changesDefaultGraph;

        Check(PatchSource<Node> source, SkolemTerms skolem) {
            super(source, false);
            this.skolem = skolem;
        }

        @Override
        public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
            super.statement(op, subject, predicate, object, graph);
            changesDefaultGraph |= graph == null || Quad.isDefaultGraph(graph);
            String problem = skolem.findProblem(subject, predicate, object, graph);
            if (problem != null) {
                throw refuseRow(problem);
            }
        }
    }

    private ApplyCheck checkPatches(Patches patches) throws IOException {
        try (PatchSource<Node> source = patches.open(new NodeTerms())) {
            Check check = new Check(source, skolem);
            check.readAll(check);
            if (check.changesDefaultGraph) {
                defaultGraph.checkChangeable();
            }
            return check;
        }
    }

    /** Collects the applied statements until they are taken. */
    private final class Rows extends AppliedRows<Node> {
        private SparqlChanges changes = new SparqlChanges(skolem, defaultGraph.name());

        Rows(ApplyCheck check) {
            super(check);
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            changes.addStatement(op, subject, predicate, object, graph);
        }

        boolean isFull() {
            return changes.size() >= options.requestRows() || changes.bytes() >= options.requestBytes();
        }

        SparqlChanges take() {
            SparqlChanges taken = changes;
            changes = new SparqlChanges(skolem, defaultGraph.name());
            return taken;
        }
    }

    /** {@inheritDoc} The receipt of each request is a number under a key of this call, which is deleted at the end. */
    @Override
    public ApplyReport apply(String name, Patches patches, ProgressListener listener) throws IOException {
        checkOpen();
        ApplyCheck check = checkPatches(patches);
        try (SparqlDelivery.Loose loose = delivery.new Loose(); PatchSource<Node> source = patches.open(new NodeTerms())) {
            Rows rows = new Rows(check);
            boolean more = true;
            while (more) {
                long patch = rows.patches();
                boolean begun = false;
                try {
                    while (more && rows.patches() == patch) {
                        more = source.next(rows);
                        if (rows.isFull() && more && rows.patches() == patch) {
                            begun = true;
                            loose.sendChanges(rows.take());
                            listener.progress(rows.rows());
                        }
                    }
                    check.compareRows(source, !more);
                    SparqlChanges rest = rows.take();
                    if (rest.size() > 0) {
                        loose.sendChanges(rest);
                    }
                    loose.check();
                } catch (HttpException e) {
                    throw begun ? ApplyException.ofPart(name, patch, e) : ApplyException.ofFile(name, patch, e);
                }
            }
            listener.progress(rows.rows());
            return rows.report();
        }
    }

    @Override
    public boolean hasAtomicBatches() {
        return false;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A batch that does not fit into one request is sent as several requests, of which the last sets the position. After an
     * interruption, the store has a part of the batch and the old position. Repeating the step completes it.
     *
     * @throws SyncLeaseException another sync writes to this store
     */
    @Override
    public ApplyReport apply(Patches patches, PositionUpdate advance, ProgressListener listener) throws IOException {
        // Reads the position first, so that patches are not checked in vain.
        advance.check(storedPosition(advance.key()));
        ApplyCheck check = checkPatches(patches);
        try (SparqlDelivery.Step step = delivery.new Step(advance);
                PatchSource<Node> source = patches.open(new NodeTerms())) {
            Rows rows = new Rows(check);
            while (source.next(rows)) {
                if (rows.isFull()) {
                    step.sendChanges(rows.take());
                    listener.progress(rows.rows());
                }
            }
            check.compareRows(source, true);
            step.finish(rows.take());
            listener.progress(rows.rows());
            return rows.report();
        }
    }

    /**
     * Returns the part of a selection that the server can evaluate. A blank node is another term in the store. So if the
     * selection may match one, all rows are fetched and filtered here.
     */
    @Override
    QuadSelection toAskable(QuadSelection selection) {
        boolean mayBeBlank = Stream.of(selection.subject(), selection.predicate(), selection.object(), selection.graph())
                .anyMatch(wanted -> wanted.values() != null
                        && wanted.values().stream().anyMatch(term -> term.contains("_:")));
        return mayBeBlank ? QuadSelection.ALL : selection;
    }

    /** {@inheritDoc} The whole file is read first, then sent as one patch. */
    @Override
    public LoadReport load(RdfFile source) throws IOException {
        checkOpen();
        try (PatchBody<Node> body = new PatchBody<>(true, new NodeTerms())) {
            LoadReport report = DatasetFiles.read(source, additionSink(body), false);
            apply(source.name(), PatchFiles.openPatches(body.finish().toString()), ProgressListener.NONE);
            return report;
        }
    }
}
