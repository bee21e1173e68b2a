package io.jellybridge.sync;

import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.convert.Difference;
import io.jellybridge.jena.data.Position;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the files of a publication that have no statement. Each file is checked: if one of several exports failed, the others
 * are no reason to empty its graph. Not thread-safe.
 */
final class EmptyFiles {
    private final List<PublishedFile> files;
    private final long[] statements;
    private final long[] positions;

    EmptyFiles(List<PublishedFile> files) {
        this.files = files;
        this.statements = new long[files.size()];
        this.positions = new long[files.size()];
    }

    /**
     * Returns the number of statements in all files that were left out, since they are the position of the dataset they come
     * from.
     */
    long positions() {
        return Arrays.stream(positions).sum();
    }

    /** Reads one of the files and counts its statements. It skips the graph of positions. */
    void read(int file, RdfHandler<byte[]> handler) throws IOException {
        statements[file] = 0;
        positions[file] = 0;
        files.get(file).readStatements(ForwardingRdfHandler.ofStatements((subject, predicate, object, graph) -> {
            if (Position.isGraph(graph)) {
                positions[file]++;
                return;
            }
            statements[file]++;
            handler.statement(subject, predicate, object, graph);
        }, handler));
    }

    /**
     * Checks that no file is empty whose graph, or else the dataset, would lose quads.
     *
     * @throws IllegalStateException a file is; the message names it and how to allow it
     */
    void checkFiles(Difference difference, DeletionLimit limit) throws IOException {
        boolean mayAllBeDeleted = files.size() == 1 && limit.isGiven();
        for (int i = 0; i < statements.length && difference.deleted() > 0; i++) {
            PublishedFile file = files.get(i);
            if (statements[i] == 0 && !file.mayBeEmpty() && !mayAllBeDeleted) {
                long deleted = file.graph() == null ? difference.deleted() : deletedOf(file.graph(), difference);
                if (deleted > 0) {
                    throw refusalError(file, deleted);
                }
            }
        }
    }

    private static long deletedOf(byte[] wanted, Difference difference) throws IOException {
        long[] deleted = new long[1];
        difference.read(new PatchAdapter<byte[]>() {
            @Override
            public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                deleted[0] += op == Op.D && PublishedFile.isOf(wanted, graph) ? 1 : 0;
            }
        });
        return deleted[0];
    }

    private IllegalStateException refusalError(PublishedFile file, long deleted) {
        String graph = file.graph() == null ? "" : " of the " + PublishedFile.toDisplay(file.graph());
        String limit = files.size() == 1 ? ", or by max_delete (--max-delete) 100%" : "";
        return new IllegalStateException(file.snapshot().name() + " has no statement, and " + deleted + " quads" + graph
                + " would be deleted; nothing of the snapshot was applied; if that file is meant to be empty, allow it by name, "
                + "allow_empty (--allow-empty)" + limit);
    }
}
