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
    /** The file; null if there is none yet, none is possible, or the capture has ended, which does not wait for a commit. */
    private volatile PositionFile file;
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
        PositionFile current = file;
        if (current == null) {
            try {
                current = PositionFile.create(dataset);
            } catch (IOException e) {
                current = null; // the quad takes its place
            }
            file = current;
        }
        if (current == null) {
            stored.set(dataset, id);
        } else if (!stored.isAt(dataset, current.reference())) {
            stored.set(dataset, StoredPosition.toCanonical(current.reference()));
        }
    }

    @Override
    public Runnable afterLog() {
        // The next transaction may have begun when this one is told that it is committed.
        PositionFile written = file;
        String committed = id;
        try {
            if (written != null) {
                written.begin(committed);
                return () -> written.end(committed);
            }
        } catch (IOException e) {
            close(written);
        }
        if (!stored.isAt(dataset, StoredPosition.parse(committed))) {
            stored.set(dataset, committed);
        }
        return NOTHING;
    }

    /**
     * Ends the capture.
     *
     * @param mayWrite true if nobody writes to the dataset. Then its position becomes a quad again
     */
    void end(boolean mayWrite) {
        PositionFile last = file;
        if (last == null) {
            return;
        }
        if (mayWrite) {
            try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
                String at = last.position();
                if (at != null && stored.isAt(dataset, last.reference())) {
                    stored.set(dataset, at);
                    transaction.commit();
                    last.delete();
                }
            } catch (IOException | RuntimeException e) {
                // The file has it, or no position refers to it any more.
            }
        }
        close(last);
    }

    private void close(PositionFile last) {
        try {
            last.close();
        } catch (IOException e) {
            // What was written is on the disk.
        }
        file = null;
    }
}
