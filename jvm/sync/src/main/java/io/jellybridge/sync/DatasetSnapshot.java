package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.util.List;

/** What an open dataset holds, all of it or some graphs. For one thread. */
final class DatasetSnapshot implements Snapshot {
    private final OpenDataset dataset;
    private final QuadSelection selection;
    private final KeptTerms kept = new KeptTerms();
    private boolean inTdb;

    /** @param graphs as terms; null: all, the default graph too */
    DatasetSnapshot(OpenDataset dataset, List<byte[]> graphs) {
        this.dataset = dataset;
        this.selection = graphs == null ? QuadSelection.ALL : new QuadSelection(
                Wanted.ANY, Wanted.ANY, Wanted.ANY,
                Wanted.oneOf(graphs.stream().map(graph -> new String(graph, UTF_8)).collect(toSet())), Long.MAX_VALUE);
        this.inTdb = !KeptTerms.areAsGiven(dataset);
    }

    @Override
    public String name() {
        return "the dataset";
    }

    @Override
    public void read(RdfHandler<byte[]> handler) throws IOException {
        try (QuadCursor rows = dataset.rows(selection)) {
            while (rows.hasNext()) {
                byte[][] quad = rows.next();
                inTdb = inTdb && kept.inTdb(quad[0]) == quad[0] && kept.inTdb(quad[2]) == quad[2];
                handler.statement(quad[0], quad[1], quad[2], quad[3]);
            }
        }
    }

    /** How many quads there are now. */
    long size() throws IOException {
        return selection.equals(QuadSelection.ALL) ? dataset.size() : dataset.count(selection);
    }

    /**
     * Whether another snapshot counts in the form in which TDB2 keeps it: all that this holds is in that form, and nothing
     * says that the dataset keeps terms as they are given. Known when all of it was read.
     */
    boolean isInTdb() {
        return inTdb;
    }
}
