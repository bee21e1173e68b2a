package io.jellybridge.jena.capture;

import io.jellybridge.log.CaptureWriter;
import io.jellybridge.log.ChainPlace;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;

/** A log in a folder with a single capture as its writer, see {@link CaptureWriter}. */
final class CaptureFolder implements CaptureLog {
    private final StoreLog log;
    private final CaptureWriter writer;
    private final boolean isNew;

    /**
     * Opens or creates the log in a folder.
     *
     * @throws IllegalStateException another capture has it
     * @throws io.jellybridge.codec.FormatException a file is damaged in a way that no crash explains
     * @throws IOException the folder contains other files
     */
    CaptureFolder(Path folder, CaptureOptions options) throws IOException {
        if (Files.isRegularFile(folder)) {
            throw new IOException(
                    folder + " is a file; capture into a folder, or into a new file whose name ends with .jellyp");
        }
        FolderStore store = new FolderStore(folder);
        this.isNew = !StoreLog.isLog(store);
        this.log = StoreLog.openOrCreate(store);
        this.writer = new CaptureWriter(log, options.rotation(), options.fsync());
    }

    @Override
    public boolean isNew() {
        return isNew;
    }

    @Override
    public StoreLog log() {
        return log;
    }

    @Override
    public long version() {
        return writer.head().version();
    }

    @Override
    public ChainPlace next() throws IOException {
        return writer.next();
    }

    @Override
    public Path folder() {
        return log.folder();
    }

    @Override
    public Node head() {
        String id = writer.head().id();
        return id == null ? null : NodeFactory.createURI(ID_SCHEME + id);
    }

    @Override
    public void prepare() throws IOException {
        writer.prepare();
    }

    @Override
    public void append(OpenPatch patch) throws IOException {
        try (InputStream bytes = patch.end()) {
            writer.append(patch.id().getURI(), patch.hash(), bytes);
        }
    }

    @Override
    public boolean isStopped() {
        return writer.isBroken();
    }

    @Override
    public void rotate() throws IOException {
        writer.rotate();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }

    /** Releases the lock of the folder, as the end of the process does. */
    void releaseLock() throws IOException {
        writer.releaseLock();
    }

    @Override
    public void discard() throws IOException {
        if (isNew) {
            writer.discard();
        } else {
            close();
        }
    }
}
