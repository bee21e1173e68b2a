package io.jellybridge.fuseki;

import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.NodeWiseDataset;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * A dataset of a server whose changes go to a patch log. It reads from the dataset beneath, so queries are as fast as without
 * it. All changes and transactions go through a {@link Capture}.
 *
 * <p>The graph of {@link StoredPosition}s is shown as on any other server, since clients keep their positions there. Changes of
 * it are not recorded. Only a change of one key reaches it: clearing a graph or everything leaves it alone. The position of the
 * capture itself can't be deleted.
 */
final class LoggedDataset extends NodeWiseDataset {
    private static final Node OWN_POSITION = NodeFactory.createURI(CaptureOptions.POSITION_KEY);
    /** The datasets of this JVM that record, by the folders of their logs. */
    private static final Map<Path, LoggedDataset> OPEN = new ConcurrentHashMap<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.values().forEach(LoggedDataset::endCapture),
                "jellybridge end of captures"));
    }

    private final Path log;
    private final Capture capture;
    private final DatasetGraph recorded;

    private LoggedDataset(DatasetGraph base, Path log, CaptureOptions options) throws IOException {
        super(base);
        this.log = log;
        this.capture = new Capture(base, log, options, new Object(), () -> OPEN.remove(log, this));
        this.recorded = capture.dataset();
    }

    /**
     * Starts to record a dataset. If it is recorded in that log already, returns the open one.
     *
     * @param log the folder of the log
     * @throws IllegalArgumentException the dataset can't be recorded
     * @throws IllegalStateException    the log is that of another dataset, or something else writes to it
     * @throws IOException              the log can't be opened
     */
    static LoggedDataset open(DatasetGraph base, Path log, CaptureOptions options) throws IOException {
        String problem = findProblem(base);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        Path folder = log.toAbsolutePath().normalize();
        synchronized (OPEN) {
            LoggedDataset open = OPEN.get(folder);
            if (open == null || open.getWrapped() != base) {
                open = new LoggedDataset(base, folder, options);
                OPEN.put(folder, open);
            }
            return open;
        }
    }

    /** Returns the reason why a dataset can't be recorded; null if it can. */
    private static String findProblem(DatasetGraph base) {
        if (of(base) != null) {
            return "it is recorded already, in " + of(base).log;
        }
        if (!base.supportsTransactionAbort()) {
            return "its transactions can't abort (" + base.getClass().getSimpleName() + "), so a refused change could not be "
                    + "taken back; record the TDB2 database or the transactional dataset in memory that it is made of";
        }
        return findInnermost(base).getClass().getName().contains(".tdb1.")
                ? "it is a TDB1 database; move it to TDB2" : null;
    }

    /** Returns the recording dataset that a dataset is or wraps; null if there is none. */
    static LoggedDataset of(DatasetGraph dataset) {
        return NamedDatasets.find(dataset, LoggedDataset.class);
    }

    /** Returns what a dataset stores its data in, beneath all wrappers. */
    static DatasetGraph findInnermost(DatasetGraph dataset) {
        DatasetGraph inner = dataset;
        while (inner instanceof DatasetGraphWrapper wrapper && !TDBInternal.isTDB2(inner)) {
            inner = wrapper.getWrapped();
        }
        return inner;
    }

    /** Returns the folder of the log. */
    Path log() {
        return log;
    }

    /** Returns the newest version of the log, whether readers see it already or not. */
    long version() throws IOException {
        return capture.version();
    }

    /** Returns the number of patches that were recorded since the start. */
    long patches() {
        return capture.patches();
    }

    /** Makes all patches so far visible to readers of the log. */
    void publish() throws IOException {
        capture.rotate();
    }

    /** Ends the recording and completes the log. The dataset then refuses changes. */
    void endCapture() {
        try {
            capture.close();
        } catch (IOException | RuntimeException e) {
            Fuseki.serverLog.error("jellybridge: the log {} can't be completed; the next start will do it", log, e);
        }
    }

    @Override
    public void close() {
        endCapture();
        super.close();
    }

    // --- changes and transactions

    @Override
    protected DatasetGraph getW() {
        return recorded;
    }

    @Override
    protected DatasetGraph getT() {
        return recorded;
    }

    @Override
    public PrefixMap prefixes() {
        return recorded.prefixes();
    }

    // --- the graph of positions

    @Override
    public void add(Node graph, Node subject, Node predicate, Node object) {
        (StoredPosition.isGraph(graph) ? get() : recorded).add(graph, subject, predicate, object);
    }

    @Override
    public void delete(Node graph, Node subject, Node predicate, Node object) {
        if (!StoredPosition.isGraph(graph)) {
            recorded.delete(graph, subject, predicate, object);
        } else if (!OWN_POSITION.equals(subject)) {
            get().delete(graph, subject, predicate, object);
        }
    }

    @Override
    public void deleteAny(Node graph, Node subject, Node predicate, Node object) {
        if (!StoredPosition.isGraph(graph)) {
            recorded.deleteAny(graph, subject, predicate, object);
        } else if (subject != null && subject.isConcrete()) {
            List<Quad> found = Iter.toList(get().find(graph, subject, predicate, object));
            found.forEach(this::delete);
        }
    }

    @Override
    public void removeGraph(Node graph) {
        if (!StoredPosition.isGraph(graph)) {
            recorded.removeGraph(graph);
        }
    }
}
