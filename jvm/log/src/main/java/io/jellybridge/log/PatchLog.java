package io.jellybridge.log;

import io.jellybridge.codec.Io;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A patch log: an append-only sequence of patches. Each patch has a version, a number that grows by one, and an id, its
 * permanent name. It also names the id of the patch before it.
 *
 * <p>Any number of processes can read and append at the same time. An object is not thread-safe.
 */
public interface PatchLog extends PatchAppender, Closeable {

    /** Returns the id of the log itself, a UUID. It is unique and never changes. */
    String id() throws IOException;

    /** Returns the location of the log, for messages. */
    String name();

    /**
     * Returns the newest patch. Without patches, it returns the patch of the newest checkpoint, such as the state that the log
     * begins with.
     */
    LogHead head() throws IOException;

    /** Returns the hash of the head when {@link #head} was called last, see {@link Chain#own}. It stands for the whole history. */
    String headHash();

    /**
     * Returns the version of the oldest patch in the log. Without patches, it returns the version that the first one will get.
     */
    long first() throws IOException;

    /** Returns the newest checkpoint up to a version, from its own description; null if there is none. */
    Checkpoint findCheckpoint(long upTo) throws IOException;

    /** Returns the newest version, even if its patch is damaged; 0 for an empty log. */
    default long headVersion() throws IOException {
        return head().version();
    }

    /**
     * Returns the version of the patch with an id; 0 if there is none.
     *
     * @param patchId the id, a UUID
     */
    long versionWith(String patchId) throws IOException;

    /**
     * Waits until the log has a newer version, or the time is over.
     *
     * @param after the newest version that the caller knows
     * @return false if the log can't wait, or something on the way has cut the wait; ask it again later
     * @throws IOException the log can't be opened, or the thread was interrupted
     */
    default boolean awaitNewer(long after, Duration longest) throws IOException {
        return false;
    }

    /**
     * Returns this log with its store, for what needs more than its patches.
     *
     * @throws IllegalArgumentException it is behind a server
     */
    default StoreLog stored() {
        throw new IllegalArgumentException(name() + " is no folder: do this where its files are");
    }

    /**
     * Makes the files of a checkpoint available locally.
     *
     * @param folder an empty folder, which receives the files of a checkpoint on a server
     * @throws IOException the files are not available, for example because the checkpoint was deleted
     */
    Checkpoint fetchFiles(Checkpoint checkpoint, Path folder) throws IOException;

    /**
     * Returns the patches of a range, in their order. It may include patches that are appended after the call.
     *
     * @param from the first version
     * @param to   the last version; beyond the head, the range ends at the head
     */
    LogEntries fetch(long from, long to) throws IOException;

    /** Passes the patches that {@link #fetch} returns to a consumer. Each can be read during the call only. */
    default void forEach(long from, long to, Io.Consumer<LogEntry> consumer) throws IOException {
        try (LogEntries entries = fetch(from, to)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                consumer.accept(entry);
            }
        }
    }

    /** Begins a call that appends several patches. By default, each is appended by itself. */
    default Batch batch() throws IOException {
        List<LogHead> made = new ArrayList<>();
        return new Batch() {
            @Override
            public LogHead append(CheckedPatch patch, ExpectedPrevious follows) throws IOException {
                LogHead head = PatchLog.this.append(patch, follows);
                made.add(head);
                return head;
            }

            @Override
            public List<LogHead> put() {
                return made;
            }

            @Override
            public void close() {
                // each is in the log already
            }
        };
    }
}
