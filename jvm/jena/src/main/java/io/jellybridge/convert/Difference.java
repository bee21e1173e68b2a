package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.files.ExternalSorter.Run;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.structure.BlankGraph;
import io.jellybridge.structure.BlankTerms;
import io.jellybridge.structure.Matching;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * The changes that make one snapshot of another: one patch of one transaction, deletions before additions, each kind
 * ordered by graph, subject, predicate and object. Snapshots are sets; terms are the same when their canonical text is,
 * and blank nodes as {@link BlankNodes} says.
 *
 * <p>Both are sorted, in temporary files where they do not fit into a part of the heap, so that their size is bounded
 * by the disk alone. So are the changes, until {@link #close()}. By structure, the statements that have blank nodes are
 * kept in memory as a graph, in a sixth of the heap for each snapshot.
 */
public final class Difference implements Closeable {
    /** Of the heap, for each of the two snapshots. */
    private static final int HEAP_SHARE = 6;
    /** Where statements with blank nodes are sorted by themselves. */
    private static final int SMALL_SHARE = 12;
    private static final byte[] POSITIONS = ("<" + StoredPosition.GRAPH + ">").getBytes(UTF_8);

    private final Meter meter;
    private final Run<CanonicalQuad> deletions = new Run<>(CanonicalQuad.FORM);
    private final Run<CanonicalQuad> additions = new Run<>(CanonicalQuad.FORM);
    private boolean tripleTerms;
    private long before;
    private long deleted;
    private long added;
    private int unsettled;

    private Difference(Meter meter) throws IOException {
        this.meter = meter;
    }

    /**
     * Reads both snapshots and compares them.
     *
     * @throws RuntimeException a snapshot breaks its format: the error of that format; or has more statements with blank
     *                          nodes than memory is for
     * @throws IOException      something can't be read or written, or the work was cancelled
     */
    public static Difference of(Snapshot old, Snapshot next, BlankNodes blankNodes, Meter meter) throws IOException {
        Difference difference = new Difference(meter);
        boolean done = false;
        try {
            if (blankNodes == BlankNodes.STRUCTURE) {
                difference.findByStructure(old, next);
            } else {
                difference.find(old, next);
            }
            done = true;
            return difference;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            if (!done) {
                difference.close();
            }
        }
    }

    /** How many statements the old snapshot has, each counted once. */
    public long before() {
        return before;
    }

    public long deleted() {
        return deleted;
    }

    public long added() {
        return added;
    }

    /** Whether a triple term is in one of the snapshots. */
    public boolean holdsTripleTerms() {
        return tripleTerms;
    }

    /** By structure: in how many blank nodes symmetry was too much to search, see {@link Matching#unsettled}. */
    public int unsettled() {
        return unsettled;
    }

    /** Hands over the patch. May be called again. */
    public void read(PatchHandler<byte[]> patch) throws IOException {
        patch.transaction(Op.TX);
        hand(Op.D, deletions, patch);
        hand(Op.A, additions, patch);
        patch.transaction(Op.TC);
        patch.endPatch();
    }

    private void hand(Op op, Run<CanonicalQuad> changes, PatchHandler<byte[]> patch) throws IOException {
        Items<CanonicalQuad> left = changes.read();
        for (CanonicalQuad quad = left.next(); quad != null; quad = left.next()) {
            patch.statement(op, quad.subject(), quad.predicate(), quad.object(), quad.graph());
            meter.look();
        }
    }

    private void find(Snapshot old, Snapshot next) throws IOException {
        try (ExternalSorter<CanonicalQuad> was = sorter(HEAP_SHARE); ExternalSorter<CanonicalQuad> is = sorter(HEAP_SHARE)) {
            old.read(new Collector(was, was));
            next.read(new Collector(is, is));
            compare(was.sorted(), is.sorted());
        }
    }

    /** The new blank nodes get the names of the old ones that they are; then it is as by label. */
    private void findByStructure(Snapshot old, Snapshot next) throws IOException {
        try (ExternalSorter<CanonicalQuad> was = sorter(SMALL_SHARE); ExternalSorter<CanonicalQuad> is = sorter(SMALL_SHARE);
                ExternalSorter<CanonicalQuad> blankWas = sorter(SMALL_SHARE);
                ExternalSorter<CanonicalQuad> blankIs = sorter(SMALL_SHARE)) {
            old.read(new Collector(was, blankWas));
            next.read(new Collector(is, blankIs));
            Matching matching = Matching.of(graph(old, blankWas), graph(next, blankIs));
            unsettled = matching.unsettled();
            BlankTerms names = matching.names();
            move(blankWas, quad -> quad, was);
            move(blankIs, quad -> new CanonicalQuad(names.rename(quad.subject()), names.rename(quad.predicate()),
                    names.rename(quad.object()), names.rename(quad.graph())), is);
            compare(was.sorted(), is.sorted());
        }
    }

    private BlankGraph graph(Snapshot snapshot, ExternalSorter<CanonicalQuad> statements) throws IOException {
        BlankGraph graph = new BlankGraph(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        Items<CanonicalQuad> items = statements.sorted();
        for (CanonicalQuad quad = items.next(); quad != null; quad = items.next()) {
            meter.addRow();
            try {
                graph.add(quad.subject(), quad.predicate(), quad.object(), quad.graph());
            } catch (IllegalStateException e) {
                throw new IllegalStateException(snapshot.name() + ": " + e.getMessage(), e);
            }
        }
        return graph;
    }

    private static void move(ExternalSorter<CanonicalQuad> from, UnaryOperator<CanonicalQuad> change,
            ExternalSorter<CanonicalQuad> to) throws IOException {
        Items<CanonicalQuad> items = from.sorted();
        for (CanonicalQuad quad = items.next(); quad != null; quad = items.next()) {
            to.add(change.apply(quad));
        }
    }

    private static ExternalSorter<CanonicalQuad> sorter(int heapShare) {
        return new ExternalSorter<>(
                CanonicalQuad.FORM, CanonicalQuad.BY_GRAPH, Runtime.getRuntime().maxMemory() / heapShare);
    }

    /** Goes through both in their common order. */
    private void compare(Items<CanonicalQuad> old, Items<CanonicalQuad> next) throws IOException {
        CanonicalQuad was = old.next();
        CanonicalQuad is = next.next();
        while (was != null || is != null) {
            meter.addRow();
            int order = was == null ? 1 : is == null ? -1 : CanonicalQuad.BY_GRAPH.compare(was, is);
            if (order < 0) {
                deletions.write(was);
                deleted++;
            } else if (order > 0) {
                additions.write(is);
                added++;
            }
            before += order <= 0 ? 1 : 0;
            was = order <= 0 ? old.next() : was;
            is = order >= 0 ? next.next() : is;
        }
    }

    @Override
    public void close() throws IOException {
        try (deletions; additions) {
            // both, whatever becomes of the first
        }
    }

    /** Puts the statements of a snapshot into its sorter, those with blank nodes into one of their own. */
    private final class Collector implements RdfHandler<byte[]> {
        private final ExternalSorter<CanonicalQuad> sorter;
        private final ExternalSorter<CanonicalQuad> ofBlankNodes;

        Collector(ExternalSorter<CanonicalQuad> sorter, ExternalSorter<CanonicalQuad> ofBlankNodes) {
            this.sorter = sorter;
            this.ofBlankNodes = ofBlankNodes;
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            try {
                meter.addRow();
                if (Arrays.equals(graph, POSITIONS)) {
                    return; // is of the dataset that it comes from, and no patch may touch it
                }
                tripleTerms |= isTripleTerm(object) || isTripleTerm(subject);
                boolean apart = ofBlankNodes != sorter && BlankTerms.anyIn(subject, predicate, object, graph);
                (apart ? ofBlankNodes : sorter).add(new CanonicalQuad(subject, predicate, object, graph));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private boolean isTripleTerm(byte[] term) {
            return term.length > 1 && term[0] == '<' && term[1] == '<';
        }
    }
}
