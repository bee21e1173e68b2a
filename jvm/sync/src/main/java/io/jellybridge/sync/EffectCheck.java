package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.structure.BlankTerms;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.jena.graph.Node;

/**
 * Checks that patches fit a dataset, without changing it. Each row must delete a quad that is present, or add one that is not.
 * Without blank nodes, a row that does not is harmless. With blank nodes whose labels the dataset does not have, a patch leaves
 * the old nodes there and adds new ones beside them. So deletions of these are checked by default. The quads of the patches are
 * kept in memory. The check looks up each of them in a local dataset. It does the same on a server that can be asked for each, if
 * they are few; otherwise it reads the whole dataset once. Not thread-safe.
 */
public final class EffectCheck {
    private static final int MOST_REQUESTS = 100;
    private static final String BLANK_ADVICE = "blank nodes are found by their labels, and the patch has the labels of the files "
            + "that were compared; publish the new file, or compare it with a dump of this dataset (.nq), or apply the patch to the "
            + "old file by apply --on; check_effective=False (--no-check) applies it all the same; nothing was applied";

    private final OpenDataset dataset;
    private final Patches patches;
    private final Rows rows;
    private final StoredTerms kept = new StoredTerms();
    private final boolean isAsGiven;

    private EffectCheck(OpenDataset dataset, Patches patches, Rows rows) {
        this.rows = rows;
        this.dataset = dataset;
        this.patches = patches;
        this.isAsGiven = StoredTerms.areAsGiven(dataset);
    }

    /** The rows that must change the dataset. */
    public enum Rows {
        ALL,
        /** Deletions of quads with blank nodes. */
        BLANK,
        NONE;

        /** Returns the constant of that name, in lower case. */
        public static Rows byName(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * Checks that patches fit a dataset.
     *
     * @throws FormatException a row would change nothing; the message names it. Also thrown if the patches are invalid, or
     *                         have a row that no dataset can apply
     * @throws IOException     the patches or the dataset can't be read
     */
    public static void check(OpenDataset dataset, Patches patches, Rows rows) throws IOException {
        if (rows != Rows.NONE) {
            new EffectCheck(dataset, patches, rows).run();
        }
    }

    private void run() throws IOException {
        Named named;
        try (PatchSource<Node> source = patches.open(new NodeTerms())) {
            named = new Named(source);
            named.readAll(named);
        }
        if (!named.quads.isEmpty()) {
            checkRows(named, findQuads(named.quads));
        }
    }

    /** The rows that must change the dataset, found in the pass that checks all rows. They include those of aborted transactions. */
    private final class Named extends ApplyCheck {
        private final CanonicalNodes texts = new CanonicalNodes();
        private final Map<String, CanonicalQuad> quads = new HashMap<>();

        Named(PatchSource<Node> source) {
            super(source, false);
        }

        @Override
        public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
            super.statement(op, subject, predicate, object, graph);
            if (rows == Rows.ALL || op == Op.D && (mayBeBlank(subject) || mayBeBlank(object) || mayBeBlank(graph))) {
                CanonicalQuad quad = new CanonicalQuad(texts.toBytes(subject), texts.toBytes(predicate), texts.toBytes(object),
                        texts.graphBytes(graph));
                if (rows == Rows.ALL || isBlank(quad)) {
                    quads.put(keyOf(quad), quad);
                }
            }
        }

        private boolean mayBeBlank(Node term) {
            return term != null && (term.isBlank() || term.isTripleTerm());
        }
    }

    /** Returns the keys of those of the quads that the dataset has. */
    private Set<String> findQuads(Map<String, CanonicalQuad> quads) throws IOException {
        Set<String> there = new HashSet<>();
        boolean isMany = dataset.isShared() && quads.size() > MOST_REQUESTS;
        if (isMany || quads.values().stream().anyMatch(this::needsAll)) {
            addAll(QuadSelection.ALL, quads.keySet(), there);
        } else {
            for (CanonicalQuad quad : quads.values()) {
                askFor(quad, quads.keySet(), there);
            }
        }
        return there;
    }

    /** Follows the patches, from the quads that the dataset has. */
    private void checkRows(Named named, Set<String> there) throws IOException {
        try (PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
            source.readAll(new AppliedRows<byte[]>(named) {
                @Override
                protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    CanonicalQuad quad = new CanonicalQuad(subject, predicate, object, graph);
                    if (rows == Rows.ALL || isBlank(quad)) {
                        checkRow(op, quad, source);
                    }
                }

                private void checkRow(Op op, CanonicalQuad quad, PatchSource<byte[]> source) {
                    String key = keyOf(quad);
                    boolean isNamed = named.quads.containsKey(key);
                    boolean changes = !isNamed || (op == Op.D ? there.remove(key) : there.add(key));
                    if (!changes && (rows == Rows.ALL || op == Op.D)) {
                        String line = quad.text();
                        throw source.newError("apply", op == Op.D ? "the deletion of what the dataset does not hold: " + line
                                : "the addition of what the dataset holds already: " + line,
                                isBlank(quad) ? BLANK_ADVICE : "the patch is of another state of the dataset; nothing was applied");
                    }
                }
            });
        }
    }

    private static boolean isBlank(CanonicalQuad quad) {
        return BlankTerms.anyIn(quad.subject(), quad.predicate(), quad.object(), quad.graph());
    }

    /** Returns the key of a quad: its line, in the form in which the dataset may store it. */
    private String keyOf(CanonicalQuad quad) {
        return (isAsGiven ? quad : kept.inTdb(quad)).text();
    }

    private void askFor(CanonicalQuad quad, Set<String> named, Set<String> there) throws IOException {
        addAll(toSelection(quad), named, there);
        CanonicalQuad inTdb = kept.inTdb(quad);
        if (!isAsGiven && inTdb != quad) {
            addAll(toSelection(inTdb), named, there);
        }
    }

    /** Returns true if only reading all of the dataset finds a quad. */
    private boolean needsAll(CanonicalQuad quad) {
        return dataset instanceof ServerDataset server && server.toAskable(toSelection(quad)).equals(QuadSelection.ALL);
    }

    private static QuadSelection toSelection(CanonicalQuad quad) {
        return new QuadSelection(exactly(quad.subject()), exactly(quad.predicate()), exactly(quad.object()),
                quad.graph() == null ? Wanted.NULL : exactly(quad.graph()), Long.MAX_VALUE);
    }

    private static Wanted exactly(byte[] term) {
        return Wanted.oneOf(Set.of(new String(term, UTF_8)));
    }

    /** Adds the quads of a selection that the dataset has and the patches name. */
    private void addAll(QuadSelection selection, Set<String> named, Set<String> there) throws IOException {
        try (QuadCursor rows = dataset.readRows(selection)) {
            rows.forEachRemaining(quad -> {
                String key = keyOf(new CanonicalQuad(quad[0], quad[1], quad[2], quad[3]));
                if (named.contains(key)) {
                    there.add(key);
                }
            });
        }
    }
}
