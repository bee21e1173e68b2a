package io.jellybridge.jena.capture;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.log.ChainPlace;
import io.jellybridge.log.LogConflictException;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.ObjectWriter;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;

/**
 * A log that other programs may append to, too, such as one on a server or in a bucket. Each commit puts its patch as the next
 * version, which succeeds for one program only. After another program has appended, every commit fails. So of two servers that
 * record into one log, one goes on, and the other changes nothing any more.
 */
final class CaptureStore implements CaptureLog {
    private final StoreLog log;
    private final boolean isNew;
    private volatile LogHead head;
    private String hash;
    /** True if the log may have a patch whose commit has failed here. */
    private boolean isUnsure;
    /** The reason why no patch is accepted any more; null if there is none. */
    private volatile IOException fenced;

    /**
     * Opens or creates the log.
     *
     * @throws IOException the log can't be reached
     */
    CaptureStore(LogStore store) throws IOException {
        this.isNew = !StoreLog.isLog(store);
        this.log = StoreLog.openOrCreate(store);
        this.head = log.head();
        this.hash = log.headHash();
    }

    @Override
    public boolean isNew() {
        return isNew;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public StoreLog log() {
        return log;
    }

    @Override
    public long version() {
        return head.version();
    }

    @Override
    public Node head() {
        return head.id() == null ? null : NodeFactory.createURI(ID_SCHEME + head.id());
    }

    @Override
    public ChainPlace next() {
        return new ChainPlace(log.id(), head.version() + 1, hash);
    }

    @Override
    public Path folder() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    @Override
    public void prepare() throws IOException {
        if (fenced == null && isUnsure) {
            requireHead(log.head());
            isUnsure = false;
        }
        if (fenced != null) {
            throw fencedError(fenced);
        }
    }

    private void requireHead(LogHead found) {
        if (!found.equals(head)) {
            fenced = new IOException(log.name() + " is at " + found + ", and this dataset at " + head + ": another server records into "
                    + "the log by now, or the answer to the last change was lost. This dataset takes no more changes; restart its "
                    + "server, as a follower if another one records");
        }
    }

    private static IOException fencedError(IOException reason) {
        return new IOException(ExceptionMessages.toText(reason), reason);
    }

    @Override
    public void append(OpenPatch patch) throws IOException {
        long version = head.version() + 1;
        try (InputStream bytes = patch.end()) {
            new ObjectWriter(log).put(version, bytes, patch.id().getURI());
        } catch (LogConflictException e) {
            requireHead(e.found());
            throw fencedError(fenced == null ? new IOException(ExceptionMessages.toText(e), e) : fenced);
        } catch (IOException | RuntimeException e) {
            isUnsure = true;
            throw e instanceof IOException failed ? failed : new IOException(ExceptionMessages.toText(e), e);
        }
        head = new LogHead(version, patch.id().getURI().substring(ID_SCHEME.length()));
        hash = patch.hash();
    }

    @Override
    public boolean isStopped() {
        return fenced != null;
    }

    @Override
    public void rotate() {
        // each patch is visible at once
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
