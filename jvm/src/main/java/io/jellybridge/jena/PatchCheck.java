package io.jellybridge.jena;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.StreamType;
import java.util.BitSet;
import org.apache.jena.graph.Node;

/**
 * The first of two passes over a file: refuses what a dataset could not take, before it is touched, and finds out which
 * transactions are aborted. Memory: one bit a transaction.
 */
final class PatchCheck implements PatchHandler<Node> {
    private static final String CORRECT_IT = "correct it where the patch is written; nothing was applied";

    private final PatchReader<Node> reader;
    private final BitSet aborted = new BitSet();
    private boolean transactionOpen;

    PatchCheck(PatchReader<Node> reader) {
        this.reader = reader;
    }

    /** The numbers of the aborted transactions in the file. */
    BitSet aborted() {
        return aborted;
    }

    @Override
    public void header(byte[] key, Node value) {
        // says nothing about the dataset
    }

    @Override
    public void transaction(Op op) {
        if (op == Op.TX && transactionOpen) {
            throw refuse("P-102", "TX within a transaction");
        }
        if (op != Op.TX && !transactionOpen) {
            throw refuse("P-101", op + " outside of a transaction");
        }
        transactionOpen = op == Op.TX;
        if (op == Op.TA) {
            aborted.set(Math.toIntExact(reader.tx()));
        }
    }

    @Override
    public void prefix(Op op, byte[] name, Node namespace, Node graph) {
        String problem = DatasetTerms.prefixProblem(new String(name, UTF_8));
        if (problem != null) {
            throw refuse("apply", problem);
        }
    }

    @Override
    public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
        String problem = DatasetTerms.problem(graph, subject, predicate, object);
        if (problem != null) {
            throw refuse("apply", problem);
        }
    }

    @Override
    public void endPatch() {
        if (transactionOpen) {
            throw refuse(reader.options().streamType() == StreamType.FRAME ? "P-15" : "P-104",
                    "the end of a patch within a transaction");
        }
    }

    private PatchFormatException refuse(String rule, String found) {
        return reader.error(rule, found, CORRECT_IT);
    }
}
