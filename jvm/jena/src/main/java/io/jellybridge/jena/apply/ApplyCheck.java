package io.jellybridge.jena.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.data.DataView;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.JellyPatchReader;
import java.io.IOException;
import org.apache.jena.graph.Node;

/** The first of two passes over patches: also refuses what a dataset could not take, before it is touched. */
public class ApplyCheck extends AbortedBlocks<Node> {
    private static final String CORRECT_IT = "correct it where the patch is written; nothing was applied";

    private final PatchSource<Node> source;
    private final DatasetTerms terms = new DatasetTerms();
    private final boolean isTdb2;

    /** A check that hears what is in the source, see {@link #of}. */
    public ApplyCheck(PatchSource<Node> source, boolean isTdb2) {
        this.source = source;
        source.requireBalance();
        this.isTdb2 = isTdb2;
    }

    /** Reads patches to their end, where it is not known what the dataset is, see {@link #of(PatchSource, boolean)}. */
    public static ApplyCheck of(Patches patches) throws IOException {
        try (PatchSource<Node> source = patches.open(new NodeTerms())) {
            return of(source, false);
        }
    }

    /**
     * Reads a source to its end.
     *
     * @param source its terms are made by {@link NodeTerms}
     * @param isTdb2 whether the patches are for a dataset of TDB2, which can't keep all terms
     * @throws RuntimeException the patches break their format, or ask for what no dataset may hold (rule {@code apply} or
     *                          {@code term}): the error of the format, with the place
     * @throws IOException      they can't be read
     */
    public static ApplyCheck of(PatchSource<Node> source, boolean isTdb2) throws IOException {
        ApplyCheck check = new ApplyCheck(source, isTdb2);
        check.readAll(check);
        return check;
    }

    /** Reads the source to its end, for who asks this about each row on the way, see {@link #of(PatchSource, boolean)}. */
    public final void readAll(PatchHandler<Node> rows) throws IOException {
        JellyPatchReader.readAll(source, rows);
    }

    @Override
    public void prefix(Op op, byte[] name, Node namespace, Node graph) {
        String problem = terms.prefixProblem(new String(name, UTF_8), namespace);
        if (problem != null) {
            throw refuse(problem);
        }
    }

    @Override
    public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
        String problem = DataView.problem(terms, isTdb2, graph, subject, predicate, object);
        if (problem != null) {
            throw refuse(problem);
        }
    }

    /** The error of the last row, which no dataset of this kind may hold. */
    protected final RuntimeException refuse(String found) {
        return source.error("apply", found, CORRECT_IT);
    }
}
