package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A snapshot of an open dataset, or of some of its graphs. */
public final class DatasetSnapshot implements Snapshot {
    private final OpenDataset dataset;
    private final QuadSelection selection;
    /** The version that was read; null if the dataset does not tell, or was not read yet. */
    private String version;
    private final StoredTerms kept = new StoredTerms();
    /** The result of {@link #isInTdb}. It is completed when it is known. */
    private final CompletableFuture<Boolean> inTdb = new CompletableFuture<>();

    /**
     * Creates a snapshot.
     *
     * @param graphs the graphs, as {@link PublishedFile#graph}; null for all graphs and the default graph
     */
    public DatasetSnapshot(OpenDataset dataset, List<byte[]> graphs) {
        this.dataset = dataset;
        this.selection = graphs == null ? QuadSelection.ALL : new QuadSelection(
                Wanted.ANY, Wanted.ANY, Wanted.ANY,
                new Wanted(graphs.stream().filter(graph -> !PublishedFile.isDefault(graph)).map(graph -> new String(graph, UTF_8))
                        .collect(toSet()), List.of(), graphs.stream().anyMatch(PublishedFile::isDefault)), Long.MAX_VALUE);
        if (dataset instanceof DatasetStore) {
            inTdb.complete(!StoredTerms.areAsGiven(dataset));
        }
    }

    @Override
    public String name() {
        return "the dataset";
    }

    @Override
    public boolean tellsPrefixes() throws IOException {
        return dataset.prefixes().isPresent();
    }

    @Override
    public void read(RdfHandler<byte[]> handler) throws IOException {
        try (QuadCursor rows = dataset.readRows(selection)) {
            version = rows.version();
            dataset.prefixes().ifPresent(prefixes -> prefixes.forEach((name, namespace) ->
                    handler.namespace(name.getBytes(UTF_8), Utf8Terms.toTerm(namespace))));
            while (rows.hasNext()) {
                byte[][] quad = rows.next();
                if (!inTdb.isDone() && !(kept.isInTdb(quad[0]) && kept.isInTdb(quad[2]))) {
                    inTdb.complete(false);
                }
                handler.statement(quad[0], quad[1], quad[2], quad[3]);
            }
            inTdb.complete(true);
        } finally {
            inTdb.complete(false); // releases a waiting thread if the dataset can't be read
        }
    }

    /** Returns the quads of a cursor, without the graph of positions, which a difference leaves out too. */
    static Items<CanonicalQuad> readQuads(QuadCursor rows) {
        return () -> {
            while (rows.hasNext()) {
                byte[][] quad = rows.next();
                if (!Position.isGraph(quad[3])) {
                    return new CanonicalQuad(quad[0], quad[1], quad[2], quad[3]);
                }
            }
            return null;
        };
    }

    /** Reads the dataset and returns the hash over its quads. */
    QuadsHash state() throws IOException {
        try (QuadCursor rows = dataset.readRows(selection)) {
            return new QuadsHash().addAll(readQuads(rows));
        }
    }

    /** Returns the version that was read, see {@link QuadCursor#version}; null before. */
    String version() {
        return version;
    }

    /** Returns the current number of quads. */
    long size() throws IOException {
        return selection.equals(QuadSelection.ALL) ? dataset.size() : dataset.count(selection);
    }

    /** {@inheritDoc} A server does not tell whether it stores terms as TDB2 does. Its form is the given one. */
    @Override
    public CanonicalQuad asStored(CanonicalQuad quad) throws IOException {
        return dataset instanceof DatasetStore && isInTdb() ? kept.inTdb(quad) : quad;
    }

    /**
     * Returns true if another snapshot must be compared in the form in which TDB2 stores terms. This holds if all quads of the
     * dataset have that form, and the dataset is not known to keep terms unchanged. Waits until a read in another thread has
     * found it out.
     *
     * @throws InterruptedIOException the thread was interrupted
     */
    boolean isInTdb() throws IOException {
        try {
            return inTdb.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // no code completes it with an error
        }
    }
}
