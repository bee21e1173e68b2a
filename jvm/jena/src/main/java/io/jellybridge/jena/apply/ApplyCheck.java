package io.jellybridge.jena.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.JellyPatchReader;
import io.jellybridge.log.EntryCheck;
import java.io.IOException;
import org.apache.jena.graph.Node;

/**
 * The first of two passes over patches. It rejects everything that a dataset can't store, and placeholders for lost patches,
 * before the dataset is changed.
 */
public class ApplyCheck extends AbortedBlocks<Node> {
    private static final String CORRECT_IT = "correct it where the patch is written; nothing was applied";
    private static final String GO_PAST_IT = "; in a log that has it already: if a later patch deletes it, sync with net_effect "
            + "(--net-effect); else make a checkpoint of a version without it (jellybridge log checkpoint), with which a new copy "
            + "begins";

    private final PatchSource<Node> source;
    private final DatasetTerms terms = new DatasetTerms();
    private final boolean isTdb2;
    private long lastRow;

    /** Creates a check that receives the rows of the source, see {@link #of}. */
    public ApplyCheck(PatchSource<Node> source, boolean isTdb2) {
        this.source = source;
        source.requireBalance();
        this.isTdb2 = isTdb2;
    }

    /** Checks patches for a dataset of unknown kind, see {@link #of(PatchSource, boolean)}. */
    public static ApplyCheck of(Patches patches) throws IOException {
        try (PatchSource<Node> source = patches.open(new NodeTerms())) {
            return of(source, false);
        }
    }

    /**
     * Checks all patches of a source.
     *
     * @param source its terms are created by {@link NodeTerms}
     * @param isTdb2 true if the patches are for a TDB2 dataset, which can't store all terms
     * @throws RuntimeException the patches break their format, or no dataset can store them (rule {@code apply} or {@code
     *                          term}): the error of the format, with the position
     * @throws IOException they can't be read
     */
    public static ApplyCheck of(PatchSource<Node> source, boolean isTdb2) throws IOException {
        ApplyCheck check = new ApplyCheck(source, isTdb2);
        check.readAll(check);
        return check;
    }

    /** Reads the source to its end, for a caller that handles the rows too, see {@link #of(PatchSource, boolean)}. */
    public final void readAll(PatchHandler<Node> rows) throws IOException {
        JellyPatchReader.readAll(source, rows);
        lastRow = source.numbers().row();
    }

    /**
     * Checks that a later pass has not read more rows than this one; and at its end, not fewer.
     *
     * @throws IllegalStateException it has, since the patches have changed
     */
    public final void compareRows(PatchSource<?> later, boolean isAtEnd) {
        long found = later.numbers().row();
        if (found > lastRow || isAtEnd && found < lastRow) {
            throw changedError();
        }
    }

    @Override
    public void header(byte[] key, Node value) {
        if (EntryCheck.isLost(key)) {
            throw EntryCheck.lossError(source, new CanonicalNodes().toBytes(value));
        }
    }

    @Override
    public void prefix(Op op, byte[] name, Node namespace, Node graph) {
        String problem = terms.prefixProblem(new String(name, UTF_8), namespace);
        if (problem != null) {
            throw refuseRow(problem);
        }
    }

    @Override
    public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
        String problem = UserDataView.findProblem(terms, false, graph, subject, predicate, object);
        if (problem != null) {
            throw refuseRow(problem);
        }
        if (isTdb2 && op == Op.A) { // to delete what TDB2 can't hold changes nothing
            refuseTerm(source, UserDataView.findProblem(terms, true, graph, subject, predicate, object));
        }
    }

    /**
     * Rejects the last row if a TDB2 database can't store it.
     *
     * @param problem the reason; null if it can be stored
     */
    static void refuseTerm(PatchSource<?> source, String problem) {
        if (problem != null) {
            throw source.newError("apply", problem, CORRECT_IT + GO_PAST_IT);
        }
    }

    /** Creates the error for the last row, which a dataset of this kind can't store. */
    protected final RuntimeException refuseRow(String found) {
        return source.newError("apply", found, CORRECT_IT);
    }
}
