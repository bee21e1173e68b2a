package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.DifferenceFile;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.files.ExternalSorter.Run;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.ContentHash;
import io.jellybridge.structure.BlankTerms;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.jena.graph.Node;

/**
 * Makes a dataset equal to a snapshot by the smallest change. It compares the two and applies the difference as one patch, in
 * one transaction. Equal quads are not touched, and readers meanwhile see the old state. A comparison that does not fit into
 * the heap uses temporary files.
 *
 * <p>The dataset stores the last publication under {@link #KEY}. If two publications start from the same state, the second is
 * rejected and changes nothing. If they publish different graphs, both are applied.
 *
 * <p>TDB2 stores numbers, dates and similar literals in its own form, and returns them in that form. So the snapshot is
 * converted to it; otherwise each publication would find a difference. A server does not tell how it stores terms. The
 * snapshot is converted unless the server has a term in another form. Not thread-safe.
 */
public final class Publication {
    /** The key under which a dataset stores its last publication, beside its positions. */
    public static final String KEY = "urn:jellybridge:publish";

    /** The largest number of attempts on a dataset where others publish other graphs. */
    private static final int MOST_ATTEMPTS = 20;

    private final OpenDataset dataset;
    private final List<PublishedFile> files;
    private final EmptyFiles empty;
    private final List<byte[]> graphs;
    private final BlankNodes blankNodes;
    private final DeletionLimit limit;
    private final List<PublicationGuard> guards;
    /** What SHACL says of changed subjects; null for nothing. */
    private final ChangedShapes shapes;
    private final Check check;
    private final ProgressListener listener;
    /** The last result: its counts, and the states before and after it as text, which are null if not requested. */
    private Report found;
    private String stateBefore;
    private String stateAfter;
    /** The version of the dataset that was compared; null if the dataset does not tell. */
    private String version;
    private List<String> warnings = List.of();

    /** The way to check that a shared dataset equals the snapshot after a publication. */
    public enum Check {
        /** Reads all quads again. */
        CONTENT,
        /** Compares the number of quads, which the server counts. */
        COUNT
    }

    /**
     * The result of a publication or of a dry run.
     *
     * @param before    the number of quads in the published graphs before
     * @param deleted   the number of deleted quads
     * @param added     the number of added quads
     * @param unsettled the value of {@link Difference#unsettled}
     * @param prefixes  the number of prefixes that get a namespace; 0 if the dataset does not tell its prefixes
     */
    public record Report(long before, long deleted, long added, int unsettled, int prefixes) {

        static Report of(Difference difference, int prefixes) {
            return new Report(difference.before(), difference.deleted(), difference.added(), difference.unsettled(), prefixes);
        }

        /** Returns the number of quads in the published graphs afterwards. */
        public long after() {
            return before - deleted + added;
        }

        public boolean changed() {
            return deleted + added + prefixes > 0;
        }
    }

    /**
     * Creates a publication of files. If blank nodes are compared by structure, each file has its own. By label, all files
     * share them.
     *
     * @param files the files. If each has a graph, these graphs are published and the others stay. If none has one, the whole
     *              dataset is published, unless all files are in a format of triples: then it is the default graph
     */
    public Publication(OpenDataset dataset, List<PublishedFile> files, BlankNodes blankNodes, DeletionLimit limit,
            Check check, ProgressListener listener) {
        this(dataset, files, blankNodes, limit, List.of(), null, check, listener);
    }

    /**
     * Creates a publication as the other constructor does.
     *
     * @param guards limits for statements of some kinds
     * @param shapes shapes for what changes; null for none
     */
    public Publication(OpenDataset dataset, List<PublishedFile> files, BlankNodes blankNodes, DeletionLimit limit,
            List<PublicationGuard> guards, ChangedShapes shapes, Check check, ProgressListener listener) {
        this.guards = List.copyOf(guards);
        this.shapes = shapes;
        this.dataset = dataset;
        boolean isOfOneGraph = files.stream().allMatch(file -> file.ofItsGraph().graph() != null);
        this.files = isOfOneGraph ? files.stream().map(PublishedFile::ofItsGraph).toList() : List.copyOf(files);
        this.empty = new EmptyFiles(this.files);
        this.graphs = isOfOneGraph ? this.files.stream().map(PublishedFile::graph).toList() : null;
        this.blankNodes = blankNodes;
        this.limit = limit;
        this.check = check;
        this.listener = listener;
    }

    /** Returns the name of the snapshot in errors. */
    private String name() {
        return files.size() == 1 ? files.get(0).snapshot().name() : "the snapshot";
    }

    /** Returns the number of quads in the graphs to publish. */
    private long size() throws IOException {
        return new DatasetSnapshot(dataset, graphs).size();
    }

    /** Returns true if the content is checked afterwards. */
    private boolean checksContent() {
        return dataset.isShared() && check == Check.CONTENT;
    }

    /**
     * Computes the difference, and writes it as a patch without a header. The dataset is not changed.
     *
     * @param patch  the output; null for none
     * @param states true to compute {@link #stateBefore} and {@link #stateAfter}
     * @throws IllegalStateException the difference deletes more than the limit allows, or a file is empty that must not be
     * @throws RuntimeException      the snapshot is invalid, or has data that the dataset can't store (the error of the
     *                               format)
     * @throws IOException           data can't be read or written
     */
    public Report computeDifference(FileLocation patch, boolean states) throws IOException {
        checkAndWrite(read -> states, patch);
        return found;
    }

    /**
     * Returns the number of statements in the files that were left out, since they are the position of the dataset they come
     * from.
     */
    public long positions() {
        return empty.positions();
    }

    /** Returns the results of the shapes that are no violations, a line each. */
    public List<String> warnings() {
        return warnings;
    }

    /**
     * Returns the state of the published graphs at the time of the difference, as text; null if not requested. Texts of
     * different graphs differ.
     */
    public String stateBefore() {
        return stateBefore;
    }

    /** Returns the state after the difference is applied, in the same form. */
    public String stateAfter() {
        return stateAfter;
    }

    /**
     * Publishes the snapshot. If the dataset tells its version, the difference is applied to the version that was compared. Otherwise,
     * or if others have changed the dataset meanwhile, a shared dataset is checked afterwards.
     *
     * @param patch a file for the difference, in a format of patches. If nothing differs, its transaction is empty
     * @throws IllegalStateException the difference deletes more than the limit allows, a file is empty that must not be, or
     *                               another publication came first; nothing was changed. Also thrown if others changed the
     *                               dataset of a server meanwhile, so that it does not equal the snapshot
     * @throws RuntimeException      the snapshot is invalid, or has data that the dataset can't store (the error of the
     *                               format); nothing was changed
     * @throws IOException           data can't be read, or the dataset failed or can't be reached
     */
    public Report publish(FileLocation patch) throws IOException {
        return dataset.exclusively(() -> {
            Position at = dataset.storedPosition(KEY);
            checkAndWrite(patch, false);
            if (found.changed() && !applyToVersion(at, patch)) {
                // Others have changed it, or have published first.
                boolean isOld = version != null && (stateBefore == null || !state().equals(stateBefore));
                if (isOld) {
                    checkAndWrite(patch, true);
                    if (found.changed() && !Objects.equals(Position.idOf(at), Position.idOf(dataset.storedPosition(KEY)))) {
                        throw publishedError(null);
                    }
                }
                if (found.changed() && !(isOld && applyToVersion(at, patch))) {
                    applyDifference(at, patch);
                    checkAfter();
                }
            }
            return found;
        });
    }

    /**
     * Computes, checks and writes the difference with the states that a publication needs.
     *
     * @param again true if the difference was computed before, for a version that the dataset no longer has
     */
    private void checkAndWrite(FileLocation patch, boolean again) throws IOException {
        boolean isOfGraphs = dataset.isShared() && graphs != null;
        checkAndWrite(read -> isOfGraphs || checksContent() && (again || read == null), patch);
    }

    /** Applies the difference if the dataset has the version that was compared, and returns true if it did. */
    private boolean applyToVersion(Position at, FileLocation patch) throws IOException {
        if (version == null) {
            return false;
        }
        try {
            applyOnce(at, version, patch);
            return true;
        } catch (PositionConflictException e) {
            return false;
        }
    }

    private void applyOnce(Position at, String expectedVersion, FileLocation patch) throws IOException {
        listener.phase("apply", found.added() + found.deleted());
        String next = "<urn:uuid:" + UUID.randomUUID() + ">";
        PositionUpdate step = new PositionUpdate(KEY, Position.idOf(at), next).withVersion(expectedVersion);
        try {
            dataset.apply(PatchFiles.openPatches(patch, null, true), step, listener);
        } catch (PositionConflictException e) {
            if (!next.equals(e.found())) {
                throw e;
            } // otherwise it was applied, and a proxy sent the request twice
        }
    }

    /**
     * Applies the difference. If other publications came first, it is applied after them, provided that they did not change
     * the compared state.
     */
    private void applyDifference(Position at, FileLocation patch) throws IOException {
        Position stand = at;
        for (int attempt = 1; ; attempt++) {
            try {
                applyOnce(stand, null, patch);
                return;
            } catch (PositionConflictException e) {
                stand = dataset.storedPosition(KEY); // read first, to detect a publication that comes after it
                boolean isOfOthers = graphs != null && attempt < MOST_ATTEMPTS && state().equals(stateBefore);
                if (!isOfOthers) {
                    throw publishedError(e);
                }
            }
        }
    }

    private static IllegalStateException publishedError(PositionConflictException cause) {
        return new IllegalStateException("another publication came first, and the difference is of what the dataset held before it; "
                + "nothing of this one was applied; publish again", cause);
    }

    /** Reads the dataset and returns its state in the form of {@link #stateBefore}. */
    private String state() throws IOException {
        return toText(new DatasetSnapshot(dataset, graphs).state());
    }

    /**
     * Computes the difference, checks that it is within the limits and that the dataset can take it, and writes it in the same
     * pass as the last check.
     *
     * @param states whether to compute the states, by the version that was read
     * @param patch  the output, which is written only if all checks pass; null for none
     */
    private void checkAndWrite(Predicate<String> states, FileLocation patch) throws IOException {
        dataset.checkChangeable();
        try (Difference difference = computeDifference(states)) {
            empty.checkFiles(difference, limit);
            limit.checkDeletions(found.before(), found.deleted());
            PublicationGuard.checkGuard(guards, difference);
            warnings = shapes == null ? List.of() : shapes.checkShapes(difference);
            try (DifferenceCheck check = DifferenceCheck.open(dataset, version, name())) {
                if (patch == null) {
                    difference.read(check);
                } else {
                    new DifferenceFile(patch, null, ConvertOptions.strict(false)).write(difference, check::passTo);
                }
            }
        }
    }

    private Difference computeDifference(Predicate<String> states) throws IOException {
        DatasetSnapshot old = new DatasetSnapshot(dataset, graphs);
        Difference difference = compare(old, () -> states.test(old.version()));
        version = old.version();
        found = Report.of(difference, changePrefixes(difference));
        stateBefore = difference.oldState() == null ? null : toText(difference.oldState());
        stateAfter = difference.newState() == null ? null : toText(difference.newState());
        return difference;
    }

    private Difference compare(DatasetSnapshot old, BooleanSupplier states) throws IOException {
        listener.phase("compare", 0);
        return Difference.of(old, new Next(old), blankNodes, new ProgressMeter(listener::reading), states,
                !guards.isEmpty() || shapes != null);
    }

    /**
     * Adds the prefixes of the files to a patch. A publication of the whole dataset or the default graph sets them; one of
     * named graphs sets those whose name the dataset does not have, so that the files of other graphs keep theirs. None is
     * deleted. A server does not tell its prefixes, so it gets them with the next change of statements.
     *
     * @return the number of prefixes that change, as far as the dataset tells its own
     */
    private int changePrefixes(Difference difference) throws IOException {
        boolean areNamed = graphs != null && !graphs.stream().allMatch(PublishedFile::isDefault);
        Map<String, String> there = dataset.prefixes().orElse(null);
        SortedMap<String, String> adds = new TreeMap<>(difference.newPrefixes());
        SortedMap<String, String> deletes = new TreeMap<>();
        if (there == null) {
            boolean isSent = !areNamed && difference.deleted() + difference.added() > 0;
            difference.changePrefixes(deletes, isSent ? adds : deletes);
            return 0;
        }
        adds.entrySet().removeIf(prefix -> areNamed ? there.containsKey(prefix.getKey())
                : prefix.getValue().equals(there.get(prefix.getKey())));
        DatasetTerms terms = new DatasetTerms();
        adds.keySet().stream().filter(there::containsKey).forEach(name ->
                deletes.put(name, terms.isValidPrefix(name, there.get(name)) ? there.get(name) : null));
        difference.changePrefixes(deletes, adds);
        return adds.size();
    }

    /** Returns a state with a hash of the graphs' names, of which there may be many. */
    private String toText(QuadsHash state) {
        if (graphs == null) {
            return state.toString();
        }
        String names = graphs.stream().map(graph -> new String(graph, UTF_8)).distinct().sorted().collect(Collectors.joining(" "));
        return state + " " + HexFormat.of().formatHex(ContentHash.newSha256().digest(names.getBytes(UTF_8)));
    }

    /**
     * Checks that the dataset of a server equals the snapshot after the difference was applied. Others may have changed it
     * meanwhile, since nothing locks them out.
     *
     * @throws IllegalStateException it does not equal the snapshot
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
        try (Difference left = compare(new DatasetSnapshot(dataset, graphs), () -> false)) {
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
                    + new CanonicalQuad(subject, predicate, object, graph).text());
        }

        @Override
        public String toString() {
            return String.join(" and ", rows.values());
        }
    }

    /**
     * Returns the state that {@link #noteState} stored when a publication moved the dataset to a position of its log; null if
     * there is none.
     *
     * @param position the id of a patch, as the dataset stores it
     */
    public static String notedState(OpenDataset dataset, String position) throws IOException {
        Position noted = dataset.storedPosition(KEY);
        return noted != null && noted.id().equals(position) ? noted.applied() : null;
    }

    /** Stores the state of the dataset at a position of its log, in its own transaction. */
    public static void noteState(OpenDataset dataset, String position, String state) throws IOException {
        Position noted = dataset.storedPosition(KEY);
        Position next = new Position(position, state);
        if (!next.equals(noted)) {
            PositionUpdate step = new PositionUpdate(KEY, Position.of(Position.idOf(noted)), next, List.of());
            dataset.apply(JoinedPatches.of(List.of()), step, ProgressListener.NONE);
        }
    }

    /**
     * The snapshot in the form in which the dataset will store it. It can be read while the dataset is read, or afterwards.
     */
    private final class Next implements Snapshot {
        private final DatasetSnapshot old;
        private final StoredTerms kept = new StoredTerms();

        Next(DatasetSnapshot old) {
            this.old = old;
        }

        @Override
        public String name() {
            return Publication.this.name();
        }

        @Override
        public void read(RdfHandler<byte[]> handler) throws IOException {
            if (StoredTerms.areAsGiven(dataset)) {
                readFiles(handler);
                return;
            }
            // Quads that TDB2 would change wait until the whole dataset was read. Only then it is known whether to convert
            // them.
            try (Run<CanonicalQuad> altered = new Run<>(CanonicalQuad.FORM)) {
                readFiles(ForwardingRdfHandler.ofStatements((subject, predicate, object, graph) -> {
                    if (kept.isInTdb(subject) && kept.isInTdb(object)) {
                        handler.statement(subject, predicate, object, graph);
                    } else {
                        Io.unchecked(() -> altered.write(new CanonicalQuad(subject, predicate, object, graph)));
                    }
                }, handler));
                boolean inTdb = old.isInTdb();
                altered.read().forEach(quad -> {
                    CanonicalQuad is = inTdb ? kept.inTdb(quad) : quad;
                    handler.statement(is.subject(), is.predicate(), is.object(), is.graph());
                });
            }
        }

        private void readFiles(RdfHandler<byte[]> handler) throws IOException {
            // New nodes must not get the labels of nodes in graphs that are not compared.
            boolean besides = graphs != null && blankNodes != BlankNodes.LABEL && hasOtherGraphs();
            String all = besides ? Long.toHexString(UUID.randomUUID().getMostSignificantBits()) + "-" : "";
            boolean apart = blankNodes != BlankNodes.LABEL && (files.size() > 1 || besides);
            SortedMap<String, byte[]> prefixes = new TreeMap<>();
            for (int i = 0; i < files.size(); i++) {
                Prefixes own = new Prefixes();
                empty.read(i, ForwardingRdfHandler.ofStatements(apart ? renamingTo(all + i + "-", handler) : handler, own));
                own.namespaces.forEach(prefixes::putIfAbsent); // of two files with one name, the first has it
            }
            prefixes.forEach((name, namespace) -> handler.namespace(name.getBytes(UTF_8), namespace));
        }

        /** Returns true if the dataset may have graphs that are not published. */
        private boolean hasOtherGraphs() throws IOException {
            return graphs.size() > 1 || !PublishedFile.isDefault(graphs.get(0))
                    || dataset.runQuery("ASK { GRAPH ?graph { ?s ?p ?o } FILTER (?graph != <" + StoredPosition.GRAPH + ">) }")
                            .equals("{\"boolean\":true}");
        }

        /** Keeps the prefixes of a file that a dataset can have. */
        private static final class Prefixes implements RdfHandler<byte[]> {
            private final DatasetTerms terms = new DatasetTerms();
            private final TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
            private final SortedMap<String, byte[]> namespaces = new TreeMap<>();

            @Override
            public void namespace(byte[] name, byte[] namespace) {
                String prefix = new String(name, UTF_8);
                if (terms.prefixProblem(prefix, nodes.translate(namespace)) == null) {
                    namespaces.put(prefix, namespace);
                }
            }

            @Override
            public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                // another handler has them
            }
        }

        /** Returns a handler that adds a prefix to the labels of blank nodes. */
        private static RdfHandler<byte[]> renamingTo(String before, RdfHandler<byte[]> handler) {
            return new BlankTerms(label -> ("_:" + before
                    + new String(label, "_:".length(), label.length - "_:".length(), UTF_8)).getBytes(UTF_8)).renameTo(handler);
        }
    }
}
