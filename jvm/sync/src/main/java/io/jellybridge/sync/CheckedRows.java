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
 * Checks rows, and writes them into the body of a request on the way. Transactions go along, so this is for our module,
 * which leaves out itself what ends with {@code TA}.
 */
final class CheckedRows extends AppliedRows<Node> {
    private final ApplyCheck check;
    private final PatchBody<Node> body;

    /** @param source what is read */
    CheckedRows(PatchSource<Node> source, PatchBody<Node> body) {
        super(new AbortedBlocks<>()); // none is known before its end
        this.check = new ApplyCheck(source, false);
        this.body = body;
    }

    /** Reads all rows; what applying them will do. */
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
