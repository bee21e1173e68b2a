package io.jellybridge.jena.capture;

import io.jellybridge.jena.data.PositionFile;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.WriteTransaction;
import java.io.IOException;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * Keeps the position of a captured dataset with each commit: the id of the patch. A TDB2 database on a disk has it in a {@link
 * PositionFile} while the capture runs, and any other dataset as a quad. If the file can't be written, the quad is.
 */
final class CapturePosition implements CapturingDatasetGraph.CommitSteps {
    private final DatasetGraph dataset;
    private final StoredPosition stored;
    private final CaptureSink sink;
    /** The file; null if there is none yet, or none is possible. */
    private PositionFile file;
    /** The id of the patch that is being committed. */
    private String id;

    CapturePosition(DatasetGraph dataset, StoredPosition stored, CaptureSink sink) {
        this.dataset = dataset;
        this.stored = stored;
        this.sink = sink;
    }

    @Override
    public void beforeLog() {
        id = StoredPosition.toCanonical(sink.id());
        if (file == null) {
            try {
                file = PositionFile.create(dataset);
            } catch (IOException e) {
                file = null; // the quad takes its place
            }
        }
        if (file == null) {
            stored.set(dataset, id);
        } else if (!stored.isAt(dataset, file.reference())) {
            stored.set(dataset, StoredPosition.toCanonical(file.reference()));
        }
    }

    @Override
    public Runnable afterLog() {
        if (file == null) {
            return NOTHING;
        }
        try {
            file.begin(id);
        } catch (IOException e) {
            stored.set(dataset, id);
            close();
            return NOTHING;
        }
        // The next transaction may have begun when this one is told that it is committed.
        PositionFile written = file;
        String committed = id;
        return () -> written.end(committed);
    }

    /**
     * Ends the capture.
     *
     * @param mayWrite true if nobody writes to the dataset. Then its position becomes a quad again
     */
    void end(boolean mayWrite) {
        if (file == null) {
            return;
        }
        if (mayWrite) {
            try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
                String at = file.position();
                if (at != null && stored.isAt(dataset, file.reference())) {
                    stored.set(dataset, at);
                    transaction.commit();
                    file.delete();
                }
            } catch (IOException | RuntimeException e) {
                // The file has it, or no position refers to it any more.
            }
        }
        close();
    }

    private void close() {
        try {
            file.close();
        } catch (IOException e) {
            // What was written is on the disk.
        }
        file = null;
    }
}
