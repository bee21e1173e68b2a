package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.DifferenceFile;
import io.jellybridge.convert.Meter;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.Place;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.files.ExternalSorter.Run;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.structure.BlankTerms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Makes a dataset equal to a snapshot by the smallest change: what it holds and the snapshot are compared, and the
 * difference is applied as one patch, in one transaction. What is equal is not touched, and who reads meanwhile reads the
 * old state. What does not fit into the heap is compared in temporary files.
 *
 * <p>The dataset keeps under {@link #KEY} which publication was the last. Of two at once that read the same state, the
 * second is refused, and nothing of it arrives; where each is of other graphs, both arrive.
 *
 * <p>TDB2 keeps numbers, dates and the like in a form of its own, and gives them back so: there the snapshot counts in that
 * form, else each publication would find a difference. Of a server nobody tells what it keeps its data in; the snapshot
 * counts in that form unless the server holds a term in another. For one thread.
 */
public final class Publication {
    /** Under which a dataset keeps the last publication, beside its positions. */
    public static final String KEY = "urn:jellybridge:publish";

    /** How often a difference is taken to a dataset of which others publish other graphs. */
    private static final int MOST_ATTEMPTS = 20;

    private final OpenDataset dataset;
    private final List<PublishedFile> files;
    private final EmptyFiles empty;
    private final List<byte[]> graphs;
    private final BlankNodes blankNodes;
    private final DeletionLimit limit;
    private final Check check;
    private final ProgressListener listener;
    /** What was found last: the numbers, and as one text what the dataset had and has then, null where nobody asked. */
    private Report found;
    private String stateBefore;
    private String stateAfter;

    /** How it is found out whether a dataset that others may change holds the snapshot afterwards. */
    public enum Check {
        /** All of it is read again. */
        CONTENT,
        /** The server counts. */
        COUNT
    }

    /**
     * What was done, or would be.
     *
     * @param before    how many quads the dataset had, in the graphs that were published
     * @param deleted   how many of them are deleted
     * @param added     how many came
     * @param unsettled see {@link Difference#unsettled}
     */
    public record Report(long before, long deleted, long added, int unsettled) {

        static Report of(Difference difference) {
            return new Report(difference.before(), difference.deleted(), difference.added(), difference.unsettled());
        }

        /** How many quads there are then, in the graphs that were published. */
        public long after() {
            return before - deleted + added;
        }

        public boolean changed() {
            return deleted + added > 0;
        }
    }

    /**
     * A publication of files together. By structure, each file has blank nodes of its own; by label, all together.
     *
     * @param files either each of a graph, and then those graphs are published and the others stay; or none, and then all of
     *              the dataset
     */
    public Publication(OpenDataset dataset, List<PublishedFile> files, BlankNodes blankNodes, DeletionLimit limit,
            Check check, ProgressListener listener) {
        this.dataset = dataset;
        this.files = List.copyOf(files);
        this.empty = new EmptyFiles(this.files);
        this.graphs = files.stream().allMatch(file -> file.graph() == null) ? null
                : files.stream().map(PublishedFile::graph).toList();
        this.blankNodes = blankNodes;
        this.limit = limit;
        this.check = check;
        this.listener = listener;
    }

    /** What errors call the snapshot. */
    private String name() {
        return files.size() == 1 ? files.get(0).snapshot().name() : "the snapshot";
    }

    /** How many quads the dataset has, in the graphs that are to be published. */
    public long size() throws IOException {
        return new DatasetSnapshot(dataset, graphs).size();
    }

    /** Whether the content is to be looked at afterwards. */
    private boolean checksContent() {
        return dataset.isShared() && check == Check.CONTENT;
    }

    /**
     * Finds the difference and keeps it as a patch, without a header; the dataset stays as it is.
     *
     * @param patch  where it goes; null: nowhere
     * @param states whether {@link #stateBefore} and {@link #stateAfter} are wanted
     * @throws IllegalStateException more would be deleted than the limit allows, or a file is empty that may not be
     * @throws RuntimeException      the snapshot breaks its format, or holds what the dataset can't: the error of that format
     * @throws IOException           something can't be read or written
     */
    public Report difference(Place patch, boolean states) throws IOException {
        try (Difference difference = checked(states)) {
            if (patch != null) {
                write(difference, patch);
            }
            return found;
        }
    }

    /** How many statements of the files were left out, since they say where the dataset stands that they come from. */
    public long positions() {
        return empty.positions();
    }

    /**
     * As one text, what the dataset held of what is published when the difference was found; null where that was not asked
     * for. Texts of different graphs are different.
     */
    public String stateBefore() {
        return stateBefore;
    }

    /** Likewise, what it holds when the difference was applied. */
    public String stateAfter() {
        return stateAfter;
    }

    /**
     * Publishes.
     *
     * @param patch a file for the difference, in a format of patches; where nothing differs, its transaction is empty
     * @throws IllegalStateException more would be deleted than the limit allows, a file is empty that may not be, or another
     *                               publication came in between;
     *                               nothing was changed. Or others changed the dataset of a server meanwhile, and it is not
     *                               equal to the snapshot
     * @throws RuntimeException      the snapshot breaks its format, or holds what the dataset can't: the error of that format;
     *                               nothing was changed
     * @throws IOException           something can't be read, or the dataset can't be reached or failed
     */
    public Report publish(Place patch) throws IOException {
        return dataset.alone(() -> {
            Position at = dataset.stand(KEY);
            try (Difference difference = checked(checksContent() || dataset.isShared() && graphs != null)) {
                write(difference, patch);
            }
            Report report = found;
            if (report.changed()) {
                take(at, patch);
                checkAfter();
            }
            return report;
        });
    }

    /** Applies the difference; behind publications that came first, where they left what was compared as it was. */
    private void take(Position at, Place patch) throws IOException {
        listener.phase("apply", found.added() + found.deleted());
        Position stand = at;
        for (int attempt = 1; ; attempt++) {
            Advance step = new Advance(KEY, Position.id(stand), "<urn:uuid:" + UUID.randomUUID() + ">");
            try {
                dataset.apply(PatchFiles.patches(patch, null, true), step, listener);
                return;
            } catch (PositionConflictException e) {
                stand = dataset.stand(KEY); // first: who comes after that is seen by it
                boolean isOfOthers = graphs != null && attempt < MOST_ATTEMPTS && state().equals(stateBefore);
                if (!isOfOthers) {
                    throw new IllegalStateException("another publication came first, and the difference is of what the dataset "
                            + "held before it; nothing of this one was applied; publish again", e);
                }
            }
        }
    }

    /** What the dataset holds now of what is published, as {@link #stateBefore}. */
    private String state() throws IOException {
        return text(new DatasetSnapshot(dataset, graphs).state());
    }

    /** A difference within the limit, of which the dataset can hold all that is added. */
    private Difference checked(boolean states) throws IOException {
        Difference difference = difference(states);
        try {
            empty.check(difference, limit);
            limit.check(found.before(), found.deleted());
            AdditionCheck.check(difference, dataset, name());
            return difference;
        } catch (IOException | RuntimeException e) {
            difference.close();
            throw e;
        }
    }

    private Difference difference(boolean states) throws IOException {
        listener.phase("compare", 0);
        DatasetSnapshot old = new DatasetSnapshot(dataset, graphs);
        Difference difference = Difference.of(old, new Next(old), blankNodes, new Meter(listener::reading), states);
        found = Report.of(difference);
        stateBefore = states ? text(difference.oldState()) : null;
        stateAfter = states ? text(difference.newState()) : null;
        return difference;
    }

    private String text(QuadsHash state) {
        String of = graphs == null ? "" : graphs.stream().map(graph -> " " + new String(graph, UTF_8)).sorted()
                .collect(Collectors.joining());
        return state + of;
    }

    private static void write(Difference difference, Place patch) throws IOException {
        new DifferenceFile(patch, null, ConvertOptions.strict(false)).write(difference);
    }

    /**
     * Looks whether the dataset of a server holds the snapshot now that the difference was applied: others may have changed
     * it meanwhile, whom nothing keeps waiting.
     *
     * @throws IllegalStateException it does not
     */
    public void checkAfter() throws IOException {
        if (checksContent()) {
            listener.phase("verify", 0);
            if (!state().equals(stateAfter)) {
                checkDifference();
            }
        } else if (dataset.isShared()) {
            long quads = size();
            if (quads != found.after()) {
                throw notEqual("it has " + quads + " quads then, and the snapshot " + found.after());
            }
        }
    }

    private void checkDifference() throws IOException {
        try (Difference left = difference(false)) {
            if (left.deleted() + left.added() > 0) {
                FirstRows first = new FirstRows();
                left.read(first);
                throw notEqual("it lacks " + left.added() + " quads of the snapshot and has " + left.deleted() + " others ("
                        + first + ")");
            }
        }
    }

    private static IllegalStateException notEqual(String what) {
        return new IllegalStateException("the difference was applied, but the dataset is not equal to the snapshot: " + what
                + "; others changed it meanwhile, or the server keeps some terms in another form; publish again");
    }

    /** The first row of each kind, for a message. */
    private static final class FirstRows extends PatchAdapter<byte[]> {
        private final Map<Op, String> rows = new EnumMap<>(Op.class);

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            rows.computeIfAbsent(op, kind -> (kind == Op.A ? "it lacks " : "it has ")
                    + new String(new CanonicalQuad(subject, predicate, object, graph).line(), UTF_8).stripTrailing());
        }

        @Override
        public String toString() {
            return String.join(" and ", rows.values());
        }
    }

    /**
     * What the dataset held when it came to a position of its log by a publication, as {@link #noteState} keeps it; null
     * where nothing is known of that.
     *
     * @param position the id of a patch, as the dataset keeps it
     */
    public static String notedState(OpenDataset dataset, String position) throws IOException {
        Position noted = dataset.stand(KEY);
        return noted != null && noted.id().equals(position) ? noted.applied() : null;
    }

    /** Keeps what the dataset holds at a position of its log, in a transaction of its own. */
    public static void noteState(OpenDataset dataset, String position, String state) throws IOException {
        Position noted = dataset.stand(KEY);
        Position next = new Position(position, state);
        if (!next.equals(noted)) {
            Advance step = new Advance(KEY, Position.of(Position.id(noted)), next, List.of());
            dataset.apply(JoinedPatches.of(List.of()), step, ProgressListener.NONE);
        }
    }

    /** The snapshot as the dataset will hold it; while what it holds is read, or after that. */
    private final class Next implements Snapshot {
        private final DatasetSnapshot old;
        private final KeptTerms kept = new KeptTerms();

        Next(DatasetSnapshot old) {
            this.old = old;
        }

        @Override
        public String name() {
            return Publication.this.name();
        }

        @Override
        public void read(RdfHandler<byte[]> handler) throws IOException {
            if (KeptTerms.areAsGiven(dataset)) {
                readFiles(handler);
                return;
            }
            // What TDB2 would alter is put aside until all of the dataset was read, and it is known whether to.
            try (Run<CanonicalQuad> altered = new Run<>(CanonicalQuad.FORM)) {
                readFiles((subject, predicate, object, graph) -> {
                    if (kept.isInTdb(subject) && kept.isInTdb(object)) {
                        handler.statement(subject, predicate, object, graph);
                    } else {
                        write(new CanonicalQuad(subject, predicate, object, graph), altered);
                    }
                });
                Items<CanonicalQuad> left = altered.read();
                boolean inTdb = old.isInTdb();
                for (CanonicalQuad quad = left.next(); quad != null; quad = left.next()) {
                    CanonicalQuad is = inTdb ? kept.inTdb(quad) : quad;
                    handler.statement(is.subject(), is.predicate(), is.object(), is.graph());
                }
            }
        }

        private static void write(CanonicalQuad quad, Run<CanonicalQuad> to) {
            try {
                to.write(quad);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void readFiles(RdfHandler<byte[]> handler) throws IOException {
            // New nodes must not get the labels of those in graphs that are not compared.
            String all = graphs == null ? "" : Long.toHexString(UUID.randomUUID().getMostSignificantBits()) + "-";
            boolean apart = blankNodes == BlankNodes.STRUCTURE && (files.size() > 1 || graphs != null);
            for (int i = 0; i < files.size(); i++) {
                empty.read(i, apart ? renaming(all + i + "-", handler) : handler);
            }
        }

        /** The same, but that the labels of blank nodes have something before them. */
        private static RdfHandler<byte[]> renaming(String before, RdfHandler<byte[]> handler) {
            BlankTerms terms = new BlankTerms(label ->
                    ("_:" + before + new String(label, "_:".length(), label.length - "_:".length(), UTF_8)).getBytes(UTF_8));
            return (subject, predicate, object, graph) -> handler.statement(
                    terms.rename(subject), terms.rename(predicate), terms.rename(object), terms.rename(graph));
        }
    }
}
