package io.jellybridge.jena;

import java.util.function.Supplier;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * The position of a captured dataset, which each transaction that is in the log moves on, and no other may change: not one
 * that clears everything either. For one writing thread at a time.
 */
final class CapturePosition {
    private final DatasetGraph base;
    private final StoredPosition stored;
    private final Supplier<Node> next;
    /** What it was before the open transaction changed its graph; null when none has. */
    private volatile String before;

    /** @param next the id of the open transaction's patch */
    CapturePosition(DatasetGraph base, StoredPosition stored, Supplier<Node> next) {
        this.base = base;
        this.stored = stored;
        this.next = next;
    }

    /** Before a change in the graph of positions. */
    void remember() {
        if (before == null) {
            before = stored.get(base);
        }
    }

    /** Before the commit of a transaction that is in the log. */
    void advance() {
        stored.set(base, StoredPosition.canonical(next.get()));
    }

    /** Before the commit of a transaction that is not in the log. */
    void restore() {
        if (before != null) {
            stored.set(base, before);
        }
    }

    /** The transaction ended. */
    void forget() {
        before = null;
    }
}
