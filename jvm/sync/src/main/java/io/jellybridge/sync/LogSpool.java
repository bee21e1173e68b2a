package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchLog;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The patches of a log on a server that a dataset has not applied. They are in a temporary folder, which {@link #close}
 * deletes. If the version of the dataset is unknown, they are fetched from the newest backwards, until the one that it has
 * applied or the one after that.
 */
final class LogSpool implements Closeable {
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
     * @param version  the version of the position, or {@link LogStand#NOT_KNOWN}
     * @throws IOException the log can't be reached
     */
    static LogSpool fetch(PatchLog log, String position, long version) throws IOException {
        LogSpool spool = new LogSpool(Files.createTempDirectory("jellybridge-"), new ArrayList<>());
        try {
            if (version == LogStand.NOT_KNOWN) {
                spool.fetchBackwards(log, position);
            } else {
                spool.fetchAfter(log, version);
            }
            return spool;
        } catch (IOException | RuntimeException e) {
            spool.close();
            throw e;
        }
    }

    private void fetchAfter(PatchLog log, long version) throws IOException {
        try (LogEntries entries = log.fetch(version + 1, log.head().version())) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                patches.add(fetchOne(entry));
            }
        }
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
            return StoredPatch.unreadable(name, entry.version(), 0, e);
        }
        try (PatchSource<byte[]> source = entry.open(new Utf8Terms());
                PatchWriter<byte[]> writer = PatchSpool.writer(new BufferedOutputStream(Files.newOutputStream(file)),
                        file.toString())) {
            source.readAll(writer);
        }
        return new StoredPatch(name, entry.version(), content, PatchFiles.patches(file.toString(), false), Files.size(file), null,
                file);
    }

    /** Returns the patches, from the oldest. */
    List<SyncPatch> patches() {
        return patches;
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
