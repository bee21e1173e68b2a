package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
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
import io.jellybridge.structure.BlankTerms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Checks that patches fit a dataset, without changing it. Each row must delete a quad that is present, or add one that is not.
 * Without blank nodes, a row that does not is harmless. With blank nodes whose labels the dataset does not have, a patch leaves
 * the old nodes there and adds new ones beside them. So deletions of these are checked by default. The quads of the patches are
 * kept in memory. The check looks up each of them in a local dataset. It does the same on a server if they are few; otherwise
 * it reads the whole dataset. Not thread-safe.
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
        EffectCheck check = new EffectCheck(dataset, patches, rows);
        if (rows == Rows.ALL || rows == Rows.BLANK && check.deletesBlankNodes()) {
            check.run();
        }
    }

    private boolean deletesBlankNodes() throws IOException {
        boolean[] found = new boolean[1];
        PatchAdapter<byte[]> looking = new PatchAdapter<>() {
            @Override
            public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                found[0] |= op == Op.D && BlankTerms.anyIn(subject, predicate, object, graph);
            }
        };
        try (PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
            while (!found[0] && source.next(looking)) {
                // the adapter looks
            }
        }
        return found[0];
    }

    private void run() throws IOException {
        ApplyCheck check = ApplyCheck.of(patches);
        Set<String> there = new HashSet<>();
        Set<String> named = new HashSet<>();
        readRows(check, (op, quad, source) -> {
            if (rows == Rows.ALL || op == Op.D && isBlank(quad)) {
                named.add(keyOf(quad));
            }
        });
        if (dataset.isShared() && named.size() > MOST_REQUESTS) {
            addAll(QuadSelection.ALL, named, there);
        } else {
            Set<String> asked = new HashSet<>();
            readRows(check, (op, quad, source) -> {
                if (named.contains(keyOf(quad)) && asked.add(keyOf(quad))) {
                    askFor(quad, named, there);
                }
            });
        }
        readRows(check, (op, quad, source) -> {
            if (!named.contains(keyOf(quad))) {
                return;
            }
            boolean changes = op == Op.D ? there.remove(keyOf(quad)) : there.add(keyOf(quad));
            if (!changes && (rows == Rows.ALL || op == Op.D)) {
                String line = new String(quad.line(), UTF_8).stripTrailing();
                throw source.newError("apply", op == Op.D ? "the deletion of what the dataset does not hold: " + line
                        : "the addition of what the dataset holds already: " + line,
                        isBlank(quad) ? BLANK_ADVICE : "the patch is of another state of the dataset; nothing was applied");
            }
        });
    }

    private static boolean isBlank(CanonicalQuad quad) {
        return BlankTerms.anyIn(quad.subject(), quad.predicate(), quad.object(), quad.graph());
    }

    /** Receives each row that would be applied. */
    @FunctionalInterface
    private interface Row {
        void take(Op op, CanonicalQuad quad, PatchSource<byte[]> source) throws IOException;
    }

    private void readRows(ApplyCheck check, Row row) throws IOException {
        try (PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
            source.readAll(new AppliedRows<byte[]>(check) {
                @Override
                protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    try {
                        row.take(op, new CanonicalQuad(subject, predicate, object, graph), source);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Returns the key of a quad: its line, in the form in which the dataset may store it. */
    private String keyOf(CanonicalQuad quad) {
        return new String((isAsGiven ? quad : kept.inTdb(quad)).line(), UTF_8);
    }

    private void askFor(CanonicalQuad quad, Set<String> named, Set<String> there) throws IOException {
        addAll(toSelection(quad), named, there);
        CanonicalQuad inTdb = kept.inTdb(quad);
        if (!isAsGiven && inTdb != quad) {
            addAll(toSelection(inTdb), named, there);
        }
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
            while (rows.hasNext()) {
                byte[][] quad = rows.next();
                String key = keyOf(new CanonicalQuad(quad[0], quad[1], quad[2], quad[3]));
                if (named.contains(key)) {
                    there.add(key);
                }
            }
        }
    }
}
