package io.jellybridge.sync;

import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.jena.apply.ApplyReport;
import java.io.IOException;
import org.apache.jena.graph.Node;

/**
 * Checks rows and writes them into the body of a request. It also writes transactions, for our module, which skips blocks that
 * end with {@code TA}.
 */
final class CheckedRows extends AppliedRows<Node> {
    private final ApplyCheck check;
    private final PatchBody<Node> body;

    /**
     * Creates a check.
     *
     * @param source the rows
     */
    CheckedRows(PatchSource<Node> source, PatchBody<Node> body) {
        super(new AbortedBlocks<>()); // no aborted block is known before its end
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
    protected void applyTransaction(Op op) {
        body.transaction(op);
    }

    @Override
    protected void applyPrefix(Op op, byte[] name, Node namespace) {
        check.prefix(op, name, namespace, null);
        body.prefix(op, name, namespace);
    }

    @Override
    protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
        check.statement(op, subject, predicate, object, graph);
        body.statement(op, subject, predicate, object, graph);
    }
}
