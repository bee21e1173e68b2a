package io.jellybridge.log;

import io.jellybridge.codec.StreamFrames;
import io.jellybridge.files.AtomicFolder;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A writer of the next object of a {@link StoreLog}, if the patches follow its head. Others may write meanwhile. */
public final class ObjectWriter {
    private final StoreLog log;
    private final LogStore store;

    /** Creates a writer. */
    public ObjectWriter(StoreLog log) {
        this.log = log;
        this.store = log.store();
    }

    /**
     * Puts patches after a head, if it is still the head and nobody writes to the log exclusively.
     *
     * @param made    the file with the patches
     * @param written what it has, one or more
     * @throws FileAlreadyExistsException there is a patch after that head
     */
    void putAfter(LogHead head, String hashBefore, Path made, List<IndexCache.Row> written) throws IOException {
        String prev = written.get(0).header().prev();
        String file = LogObject.fileName(head.version() + 1);
        try (Closeable lock = store.lockForAppend()) {
            if (lock == null) {
                throw LogBusyException.ofCapture(log.name());
            }
            if (!store.comparesHeads()) {
                log.completeCapture(head.version());
                log.patches().forget();
                LogHead now = log.head();
                if (!now.equals(head) || !log.headHash().equals(hashBefore)) {
                    throw new LogConflictException(log.name(), prev, now);
                }
            }
            store.create(file, made);
            if (!store.hasLocks() && !isNext(head, file, written)) {
                store.delete(file);
                throw new LogConflictException(log.name(), prev, log.head());
            }
        }
        log.noteAppended(written, file, Files.size(made));
    }

    /**
     * Appends patches that a client wrote for this log as one object.
     *
     * @param version the version of the first one
     * @param object  the bytes
     * @param from    the name of the bytes in errors of their format
     * @return false if the patches are there already
     * @throws LogConflictException     the version is not the next one, the first patch follows another head, or the log has an id
     * @throws LogBusyException         a capture writes to the log
     * @throws IllegalArgumentException they do not follow each other, or are not as many as they say
     * @throws RuntimeException         one was not written for its version of this log
     */
    public boolean put(long version, InputStream object, String from) throws IOException {
        Path made = store.temporary();
        try {
            Files.copy(object, made, StandardCopyOption.REPLACE_EXISTING);
            AtomicFolder.force(made, StandardOpenOption.WRITE);
            List<IndexCache.Row> written = readAll(made, version, from);
            PatchHeader header = written.get(0).header();
            IndexCache.Row last = written.get(written.size() - 1);
            if (!store.comparesHeads() || !isBehindHead(version, header)) {
                LogHead head = log.headAfterCapture();
                long first = log.first();
                boolean isOld = last.version() >= first && last.version() <= head.version();
                if (isOld && last.header().equals(log.headerAt(last.version(), first))) {
                    return false; // the answer to the first request was lost
                }
                if (!isBehindHead(version, header)) {
                    throw new LogConflictException(log.name(), header.prev(), head);
                }
                requireNewIds(written, head);
            }
            putAfter(log.known(), log.headHash(), made, written);
            return true;
        } catch (FileAlreadyExistsException e) {
            throw new LogConflictException(log.name(), null, log.head());
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /** Returns true if a patch of a version follows the head that was seen last. */
    private boolean isBehindHead(long version, PatchHeader header) {
        LogHead head = log.known();
        return version == head.version() + 1 && header.chain().before().equals(log.headHash())
                && Objects.equals(header.prev(), head.id());
    }

    /** Reads the patches of a file that were written for this log from a version on. */
    private List<IndexCache.Row> readAll(Path made, long version, String from) throws IOException {
        List<IndexCache.Row> read = new ArrayList<>();
        PatchHeader before = null;
        for (StoredSlice stored : StoredSlice.of(made)) {
            long next = version + read.size();
            StoredPatches.Checked patch = StoredPatches.checkPatch(stored, from, log.id(), next);
            if (patch.fault() != null) {
                throw patch.fault();
            }
            PatchHeader header = patch.header();
            if (before != null && !(header.chain().before().equals(before.hash()) && header.prev().equals(before.id()))) {
                throw new IllegalArgumentException(from + ": the patch of version " + next + " does not follow the one before it");
            }
            before = header;
            read.add(IndexCache.Row.of(next, header, patch.content().rows(), patch.content().hash(), stored, null));
        }
        int stated = StreamFrames.readCount(Files.newInputStream(made));
        if (stated != read.size() || stated > LogBatch.MOST_PATCHES) {
            throw new IllegalArgumentException(from + " has " + read.size() + " patches, and says in its first frame that it has "
                    + stated + "; write the number there, and put " + LogBatch.MOST_PATCHES + " at most");
        }
        return read;
    }

    /** Checks that the log does not have the id of a patch, and each id is there once. */
    private void requireNewIds(List<IndexCache.Row> written, LogHead head) throws IOException {
        Set<String> ids = new HashSet<>();
        String before = log.idBeforeFirst();
        for (IndexCache.Row patch : written) {
            IndexCache.Row there = log.patches().find(patch.id(), head.version());
            if (there != null || patch.id().equals(before) || !ids.add(patch.id())) {
                throw LogConflictException.idTakenError(log.name(), new LogHead(there != null ? there.version()
                        : patch.id().equals(before) ? log.first() - 1 : head.version() + ids.size(), patch.id()));
            }
        }
    }

    /**
     * Returns true if an object that was created after a head is the next one. It is not if the log went on meanwhile, and a
     * compaction or a pruning then deleted the object with the name of the next version; or if a state became version 1.
     *
     * @throws IOException the list lacks the object, so others may have appended after it
     */
    private boolean isNext(LogHead head, String file, List<IndexCache.Row> written) throws IOException {
        IndexCache.Row first = written.get(0);
        IndexCache.Row last = written.get(written.size() - 1);
        VersionMap layout = log.patches().readMap();
        LogObject object = layout.objectWith(first.version());
        if (object == null && store.lengthOf(file) >= 0) {
            throw new IOException("the list of " + store.name() + " lacks " + file + ", which is there; append the patch again");
        }
        if (object == null || !object.name().equals(file) && !first.header().equals(log.patches().headerIn(object, first.version()))) {
            return false;
        }
        if (head.version() > 0 ? layout.objectWith(head.version()) == null && log.patches().versionWithoutPatches() < head.version()
                : log.patches().versionWithoutPatches() > 0) {
            return false;
        }
        LogObject next = layout.objectWith(last.version() + 1);
        return next == null ? layout.last() == last.version()
                : last.header().hash().equals(log.patches().headerIn(next, last.version() + 1).chain().before());
    }
}
