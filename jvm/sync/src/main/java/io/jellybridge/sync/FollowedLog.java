package io.jellybridge.sync;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.BrokenChainException;
import io.jellybridge.log.Chain;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.LogPositions.LogPosition;
import io.jellybridge.sync.SyncState.Applied;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * The patches of a log after the position of a dataset, and changes of patches that the dataset has applied already.
 *
 * @param applied the number of patches that were applied before, and are not in the list
 * @param changes the changes of patches that were applied, one sentence each
 * @param patches the pending patches, from the oldest. Each follows the one before it, and the first follows the position
 * @param files   the downloaded patches
 */
public record FollowedLog(long applied, List<String> changes, List<SyncPatch> patches, Closeable files) implements Closeable {

    /**
     * Finds the pending patches. It downloads them if the log is on a server.
     *
     * @param log   the log. It must stay open as long as this object, and the caller must close it
     * @param at    the position of the dataset; null if it has none
     * @param notes the notes of the dataset
     * @throws IllegalStateException the position is not a patch of the log
     * @throws IOException           the log can't be read
     */
    public static FollowedLog open(PatchLog log, Position at, List<String> notes) throws IOException {
        LogPosition place = new LogPositions(log).locate(at, notes);
        if (!(log instanceof StoreLog folder)) {
            return Io.closeOnFailure(LogSpool.fetch(log, idOf(at), place.version()), spool -> {
                List<SyncPatch> patches = patchesBehind(log, at, place, spool);
                requireChain(patches, idBefore(at, place));
                return new FollowedLog(Math.max(place.version(), 0), place.changes(), patches, spool);
            });
        }
        List<SyncPatch> patches = new ArrayList<>();
        log.forEach(place.version() + 1, Long.MAX_VALUE, entry -> patches.add(StoredPatch.of(folder, entry)));
        requireChain(patches, idBefore(at, place));
        long applied = Math.max(0, place.version() - log.first() + 1);
        return new FollowedLog(applied, place.changes(), patches, () -> { });
    }

    /** Returns the id of the last patch that a dataset has, in the form of logs; null for none. Loose files can have other forms. */
    static String idOf(Position at) {
        return at == null ? null : PatchHeader.normalizeTerm(at.id());
    }

    /** Returns the downloaded patches, without the one at the dataset's position. */
    private static List<SyncPatch> patchesBehind(PatchLog log, Position at, LogPosition place, LogSpool spool) throws IOException {
        List<SyncPatch> patches = spool.patches();
        if (place.version() != LogPosition.NOT_KNOWN) {
            return patches;
        }
        if (!spool.isFound()) {
            throw new LogPositions(log).goneError(at, "");
        }
        return patches.get(0).position().equals(idOf(at)) ? patches.subList(1, patches.size()) : patches;
    }

    /** Returns the hash of what the dataset has applied, or null if it is unknown. */
    private static String idBefore(Position at, LogPosition place) {
        Applied applied = Applied.at(at);
        return at == null && place.version() == 0 ? Chain.START : applied == null ? null : applied.chain();
    }

    /**
     * Checks that patches are of one history, before the first of them is applied. A patch that names another one as the one
     * before it is left to the caller, which orders them by their ids.
     */
    private static void requireChain(List<SyncPatch> patches, String before) {
        String hash = before;
        String id = null;
        for (SyncPatch patch : patches) {
            Chain chain = patch.chain();
            if (id == null || id.equals(patch.prev())) {
                BrokenChainException.requireBehind(patch.name(), patch.version(), hash, chain);
            }
            hash = chain == null ? null : chain.own();
            id = patch.id();
        }
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    /**
     * The patches of a log on a server that a dataset has not applied. They are in a temporary folder, which {@link #close}
     * deletes. If the version of the dataset is unknown, they are fetched from the newest backwards, until the one that it has
     * applied or the one after that.
     */
    static final class LogSpool implements Closeable {
        private final Path folder;
        private final List<SyncPatch> patches;
        private boolean found;

        private LogSpool(Path folder, List<SyncPatch> patches) {
            this.folder = folder;
            this.patches = patches;
        }

        /**
         * Fetches the patches. If a patch can't be read, the list has its fault, and the patch stays on the server.
         *
         * @param position the position of the dataset; null if it has applied no patch
         * @param version  the version of the position, or {@link LogPosition#NOT_KNOWN}
         * @throws IOException the log can't be reached
         */
        static LogSpool fetch(PatchLog log, String position, long version) throws IOException {
            return Io.closeOnFailure(new LogSpool(Files.createTempDirectory("jellybridge-"), new ArrayList<>()), spool -> {
                if (version == LogPosition.NOT_KNOWN) {
                    spool.fetchBackwards(log, position);
                } else {
                    spool.fetchAfter(log, version);
                }
                return spool;
            });
        }

        private void fetchAfter(PatchLog log, long version) throws IOException {
            log.forEach(version + 1, log.head().version(), entry -> patches.add(fetchOne(entry)));
        }

        /** Returns true if the backward search has found the patch at the position, or the one that follows it. */
        boolean isFound() {
            return found;
        }

        private void fetchBackwards(PatchLog log, String position) throws IOException {
            long first = log.first();
            for (long version = log.head().version(); version >= first && !found; version--) {
                try (LogEntries entries = log.fetch(version, version)) {
                    LogEntry entry = entries.next();
                    if (entry == null) {
                        continue; // pruned meanwhile
                    }
                    SyncPatch patch = fetchOne(entry);
                    patches.add(patch);
                    found = patch.fault() == null
                            && (patch.position().equals(position) || Objects.equals(patch.prev(), position));
                }
            }
            Collections.reverse(patches);
        }

        private SyncPatch fetchOne(LogEntry entry) throws IOException {
            Path file = folder.resolve(entry.version() + ".jellyp");
            String name = file.getFileName() + "#0";
            EntryCheck.Content content;
            try {
                content = EntryCheck.read(entry);
            } catch (RuntimeException e) {
                return StoredPatch.asUnreadable(name, entry.version(), 0, e);
            }
            try (PatchSource<byte[]> source = entry.open(new Utf8Terms());
                    PatchWriter<byte[]> writer = PatchSpool.openWriter(new BufferedOutputStream(Files.newOutputStream(file)),
                            file.toString())) {
                source.readAll(writer);
            }
            return new StoredPatch(name, entry.version(), content, PatchFiles.openPatches(file.toString()), Files.size(file), null,
                    file);
        }

        /** Returns the patches, from the oldest. */
        List<SyncPatch> patches() {
            return patches;
        }

        @Override
        public void close() throws IOException {
            AtomicFolder.delete(folder);
        }
    }

    /**
     * A patch of a log. It was read once, and is the appended patch.
     *
     * @param content the headers and the content
     * @param stored  opens the patch, where the log or {@link FollowedLog.LogSpool} keeps it
     * @param fault   the reason why it can't be read; null if it can
     * @param file    its file of its own; null if it has none
     */
    record StoredPatch(String name, Long version, EntryCheck.Content content, Patches stored, long bytes, RuntimeException fault,
            Path file) implements SyncPatch {
        private static final EntryCheck.Content NOT_KNOWN = new EntryCheck.Content(PatchHeader.UNKNOWN, null, 0);

        /** Reads a patch of a log that is read in place, which stays there. */
        static StoredPatch of(StoreLog log, LogEntry entry) throws IOException {
            String place = log.store().address();
            String name = place.substring(place.lastIndexOf('/') + 1) + "#" + entry.version();
            long bytes = log.lengthOf(entry.version());
            try {
                return new StoredPatch(name, entry.version(), EntryCheck.read(entry), entry, bytes, null, null);
            } catch (RuntimeException e) {
                return asUnreadable(name, entry.version(), bytes, e);
            }
        }

        /** Creates a patch that can't be read. The log keeps it. */
        static StoredPatch asUnreadable(String name, long version, long bytes, RuntimeException fault) {
            return new StoredPatch(name, version, NOT_KNOWN, null, bytes, fault, null);
        }

        @Override
        public String id() {
            return content.header().idTerm();
        }

        @Override
        public String prev() {
            return content.header().prevTerm();
        }

        @Override
        public Chain chain() {
            return content.header().chain();
        }

        @Override
        public long rows() {
            return content.rows();
        }

        @Override
        public Content known() {
            return new Content(content.rows(), content.hash());
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            if (fault != null) {
                throw fault;
            }
            return stored.open(terms);
        }
    }
}
