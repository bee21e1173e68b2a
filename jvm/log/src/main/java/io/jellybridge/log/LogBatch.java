package io.jellybridge.log;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.http.HttpException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A call that appends patches to a {@link StoreLog}. They are written to one local file, which becomes the object of the next
 * version. After {@value #MOST_PATCHES} patches or 64 MiB, the next one begins another object. If others append meanwhile, the
 * patches are put after theirs, unless one says which patch it follows.
 */
final class LogBatch implements PatchAppender.Batch {
    /** The largest number of patches of an object. Their ids and hashes are in memory. */
    static final int MOST_PATCHES = 10_000;
    private static final long MOST_BYTES = 64L << 20;
    /** The largest number of attempts to put patches while others append. */
    private static final int MOST_ATTEMPTS = 30;

    private final StoreLog log;
    private final LogStore store;
    private final boolean several;
    private final int attempt;
    private final List<LogHead> made = new ArrayList<>();
    private Pending pending;

    /**
     * Begins a call.
     *
     * @param several true if it may append several patches
     */
    LogBatch(StoreLog log, boolean several) {
        this(log, several, 1);
    }

    private LogBatch(StoreLog log, boolean several, int attempt) {
        this.log = log;
        this.store = log.store();
        this.several = several;
        this.attempt = attempt;
    }

    @Override
    public LogHead append(CheckedPatch patch, ExpectedPrevious follows) throws IOException {
        if (pending != null && !pending.mayTake(patch, follows)) {
            put();
        }
        if (pending == null) {
            // A store that compares the head needs no question for it, if this one is likely to be right.
            boolean isLikely = store.comparesHeads() && log.known().version() > 0
                    && mayFollow(log.known(), log.headHash(), patch, follows);
            pending = new Pending(isLikely ? log.known() : log.headAfterCapture(), !isLikely);
        }
        return pending.add(patch, follows);
    }

    private static boolean mayFollow(LogHead head, String hash, CheckedPatch patch, ExpectedPrevious follows) {
        return !Objects.equals(patch.header().id(), head.id()) && Objects.equals(follows.prevFor(head, hash), head.id());
    }

    @Override
    public List<LogHead> put() throws IOException {
        if (pending != null) {
            try (Pending last = pending) {
                pending = null;
                made.addAll(last.put());
            }
        }
        return made;
    }

    @Override
    public void close() throws IOException {
        put();
    }

    /**
     * A patch that was given.
     *
     * @param header  its headers as given
     * @param written the number of the written patch that it is or repeats; -1 if the log has it already
     * @param isNew   true if it is that patch
     */
    private record Given(PatchHeader header, ExpectedPrevious follows, int written, boolean isNew) {
    }

    /** The patches that are not in the log yet. */
    private final class Pending implements AutoCloseable {
        private final LogHead after;
        private final String hashAfter;
        /** True if the log was asked for its head. */
        private boolean isRead;
        private final Path file;
        private final ChainedFile patches;
        private final List<LogHead> heads = new ArrayList<>();
        /** What was given, since the patches are appended again if the head is another one when they are put. */
        private final List<Given> given = new ArrayList<>();
        private final List<IndexCache.Row> rows = new ArrayList<>();
        private final Map<String, Integer> numbers = new HashMap<>();
        private LogHead head;
        private String hash;
        /** The id of what the first patch of the log follows, empty if there is none; null if not read yet. */
        private String idBeforeFirst;

        Pending(LogHead after, boolean isRead) throws IOException {
            this.after = after;
            this.hashAfter = log.headHash();
            this.isRead = isRead;
            this.head = after;
            this.hash = hashAfter;
            this.file = store.temporary();
            this.patches = new ChainedFile(file, log.name(), several);
        }

        /** Returns false if the patches must be put before this one is added. */
        boolean mayTake(CheckedPatch patch, ExpectedPrevious follows) {
            return rows.size() < MOST_PATCHES && patches.size() < MOST_BYTES && (isRead || mayFollow(head, hash, patch, follows));
        }

        LogHead add(CheckedPatch patch, ExpectedPrevious follows) throws IOException {
            String id = patch.header().id();
            Integer number = id == null ? null : numbers.get(id);
            IndexCache.Row there = number != null ? rows.get(number)
                    : id != null && isRead ? log.patches().find(id, after.version()) : null;
            if (there != null) {
                return note(patch, follows, requireSame(patch, follows, there), number == null ? -1 : number, false);
            }
            if (isRead && id != null && id.equals(idBeforeFirst())) {
                throw LogConflictException.idPrunedError(log.name(), new LogHead(log.first() - 1, id));
            }
            String prev = follows.prevFor(head, hash);
            if (!Objects.equals(prev, head.id())) {
                throw new LogConflictException(log.name(), prev, head);
            }
            patch.require(head.id());
            ChainedFile.Written written = patches.append(new ChainPlace(log.id(), head.version() + 1, hash),
                    patch.newHeader(id != null ? id : PatchIds.random(), head.id()), patch::copyTo);
            if (id == null && follows.isHead() && written.content().hash().equals(hashOfContent()) && isBehindHead()) {
                patches.takeBack(written); // a repeated patch, which changes nothing
                return note(patch, follows, head, rows.size() - 1, false);
            }
            head = new LogHead(head.version() + 1, written.header().id());
            hash = written.header().hash();
            numbers.put(head.id(), rows.size());
            rows.add(IndexCache.Row.of(head.version(), written.header(), written.content().rows(), written.content().hash(),
                    new StoredSlice(null, LogObject.fileName(after.version() + 1), written.offset(), written.length()), null));
            return note(patch, follows, head, rows.size() - 1, true);
        }

        /** Returns false if the next patch follows the remembered head, and the log went on after it. */
        private boolean isBehindHead() throws IOException {
            isRead = isRead || rows.isEmpty() && log.head().equals(after);
            return isRead || !rows.isEmpty();
        }

        private String idBeforeFirst() throws IOException {
            if (idBeforeFirst == null) {
                idBeforeFirst = Objects.requireNonNullElse(log.idBeforeFirst(), "");
            }
            return idBeforeFirst;
        }

        private LogHead note(CheckedPatch patch, ExpectedPrevious follows, LogHead result, int written, boolean isNew) {
            heads.add(result);
            given.add(new Given(patch.header(), follows, written, isNew));
            return result;
        }

        /** Returns the hash of the head's content; null if there is no patch. */
        private String hashOfContent() throws IOException {
            return rows.isEmpty() ? log.hashOfContent(after) : rows.get(rows.size() - 1).hash();
        }

        /** Checks that a patch is the same as the one with its id, and returns the version of that. */
        private LogHead requireSame(CheckedPatch patch, ExpectedPrevious follows, IndexCache.Row there) throws IOException {
            LogHead found = new LogHead(there.version(), there.id());
            if (there.hash() == null && there.version() < log.patches().firstSeen()) {
                throw LogConflictException.idPrunedError(log.name(), found);
            }
            ContentHash content = new ContentHash();
            patch.copyTo(content, there.id(), there.header().prev());
            if (!follows.isAllowed(there.header()) || !content.hash().equals(there.hash())) {
                throw LogConflictException.idTakenError(log.name(), found);
            }
            return found;
        }

        List<LogHead> put() throws IOException {
            if (rows.isEmpty()) {
                return heads;
            }
            patches.force(rows.size());
            try {
                new ObjectWriter(log).putAfter(after, hashAfter, file, rows);
                return heads;
            } catch (FileAlreadyExistsException | LogConflictException e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw new LogConflictException(log.name(), after.id(), log.head());
                }
                return putAgain(); // the head is another patch now, or the log has an id
            } catch (HttpException e) {
                if (!isRead) {
                    log.head(); // another log may have taken its place
                }
                throw e;
            }
        }

        private List<LogHead> putAgain() throws IOException {
            try (LogBatch again = new LogBatch(log, several, attempt + 1)) {
                again.pending = again.new Pending(log.headAfterCapture(), true);
                try (PatchSource<byte[]> copy = new PatchReader<>(new BufferedInputStream(Files.newInputStream(file)), log.name(),
                        new Utf8Terms(), ReadOptions.DEFAULT)) {
                    for (Given one : given) {
                        if (one.isNew()) {
                            again.append(CheckedPatch.again(copy, one.header), one.follows);
                        }
                    }
                }
                close();
                List<LogHead> put = again.put();
                for (int i = 0; i < heads.size(); i++) {
                    int written = given.get(i).written();
                    heads.set(i, written < 0 ? heads.get(i) : put.get(written));
                }
                return heads;
            }
        }

        @Override
        public void close() throws IOException {
            patches.close();
            Files.deleteIfExists(file);
        }
    }
}
