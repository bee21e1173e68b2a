package io.jellybridge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import io.jellybridge.checkpoint.LogDifference;
import io.jellybridge.checkpoint.LogHistory;
import io.jellybridge.checkpoint.LogHistory.PatchDetails;
import io.jellybridge.checkpoint.State;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.HeadedPatches;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.PatchSink;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.PrefixedTerms;
import io.jellybridge.convert.ReadableDifference;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.FileSlice;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.LogCompaction;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogReader;
import io.jellybridge.log.LogRepair;
import io.jellybridge.log.LogTail;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.ObjectList;
import io.jellybridge.log.PartFile;
import io.jellybridge.log.PatchAppender;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.LogPositions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The entry points that Python calls for patch logs. A {@link PatchLog} is the handle of Python's {@code PatchLog}. */
public final class LogBridge {
    private static final Gson JSON = new Gson();

    private LogBridge() {
    }

    /**
     * Opens a log, see {@link PatchLogs#open}.
     *
     * @param namesAndValues options, names and values alternating
     */
    public static PatchLog open(String address, List<String> namesAndValues) throws IOException {
        return PatchLogs.open(address, ConvertBridge.named(namesAndValues));
    }

    /**
     * Creates a log, see {@link PatchLogs#create}.
     *
     * @param namesAndValues options, names and values alternating
     */
    public static PatchLog create(String address, List<String> namesAndValues) throws IOException {
        return PatchLogs.create(address, ConvertBridge.named(namesAndValues));
    }

    /**
     * A patch in a log. If the patch can't be read, {@code fault} is the reason, and the headers are null.
     *
     * @param hash    its own hash, see {@link PatchHeader#hash}
     * @param headers its headers as a JSON object of terms by their names; null unless they and the counts were requested
     */
    public record Entry(long version, String id, String prev, String time, String hash, String fault, String headers, Long added,
            Long deleted) {

        static Entry unreadable(long version, RuntimeException fault) {
            return new Entry(version, null, null, null, null, fault.getMessage(), null, null, null);
        }
    }

    /** An iterator over the headers of a range of patches. Each step reads one more patch. */
    public static final class Entries implements AutoCloseable {
        private final LogEntries entries;
        private final boolean details;

        Entries(LogEntries entries, boolean details) {
            this.entries = entries;
            this.details = details;
        }

        /** Returns the next patch, or null after the last. */
        public Entry next() throws IOException {
            LogEntry entry = entries.next();
            if (entry == null) {
                return null;
            }
            try {
                PatchHeader header = entry.header();
                PatchDetails found = details ? PatchDetails.of(entry) : new PatchDetails();
                return new Entry(entry.version(), header.id(), header.prev(),
                        header.time() == null ? null : header.time().toString(), header.hash(), null,
                        details ? JSON.toJson(found.headers()) : null, details ? found.added() : null,
                        details ? found.deleted() : null);
            } catch (RuntimeException e) {
                return Entry.unreadable(entry.version(), e);
            }
        }

        @Override
        public void close() throws IOException {
            entries.close();
        }
    }

    /**
     * Lists a range of patches.
     *
     * @param details true to read each patch whole, for its headers and the counts of its rows
     */
    public static Entries entries(PatchLog log, long from, long to, boolean details) throws IOException {
        return new Entries(log.fetch(from, to), details);
    }

    /**
     * Finds patches that were appended before, for files whose patches have no header {@code id} or {@code prev}, see
     * {@link LogTail#find}.
     *
     * @param files   files of patches, see {@link ConvertBridge#places}
     * @param headers see {@link #append}
     */
    public static List<List<LogHead>> known(PatchLog log, List<String> files, String format, boolean strict, List<String> headers)
            throws IOException {
        return LogTail.find(log, ConvertBridge.places(files).stream()
                .<Io.Supplier<PatchSource<byte[]>>>map(file -> () -> read(file, format, strict, headers)).toList());
    }

    /**
     * Appends all patches of a file, in one object if they are not many. Patches before an error are appended.
     *
     * @param name     the name in errors
     * @param format   null for the format of the suffix
     * @param prev     the id that the first patch follows; empty if it is the first of the log; null for the id in its header,
     *     else the head
     * @param known    the number of patches at the start to skip, see {@link #known}
     * @param headers  headers for each patch, which replace its own of the same names: names and terms alternating
     * @param progress gets the number of rows read, after each patch
     * @return the appended patches
     */
    public static List<LogHead> append(PatchLog log, String file, String name, String format, boolean strict, String prev,
            int known, List<String> headers, Bridge.Progress progress) throws IOException {
        try (PatchSource<byte[]> patches = read(new FileLocation(file, name), format, strict, headers); PatchAppender.Batch batch = log.batch()) {
            return batch.appendAll(patches, known, prev, progress::progress);
        }
    }

    private static PatchSource<byte[]> read(FileLocation file, String format, boolean strict, List<String> headers)
            throws IOException {
        PatchSource<byte[]> patches = PatchFiles.read(file, ConvertBridge.format(format), new Utf8Terms(), strict);
        return headers.isEmpty() ? patches : new HeadedPatches(patches, ConvertBridge.named(headers));
    }

    /** Returns a repair of a log in a folder. */
    public static LogRepair repair(PatchLog log) {
        return new LogRepair(log.stored());
    }

    /** Returns the numbers of patches of a log's files that are named by one version and have several, as a JSON object. */
    public static String counts(PatchLog log) throws IOException {
        return JSON.toJson(repair(log).counts());
    }

    /** The result of {@link #fetch}. */
    public record Fetched(long patches, long rows, List<Entry> quarantined) {
    }

    /**
     * Writes a range of patches to one file, in the format of its suffix. The file appears complete or not at all. Each patch
     * is checked, and must follow the one before it.
     *
     * @param quarantine true to leave out patches that can't be read, and report them
     */
    public static Fetched fetch(PatchLog log, long from, long to, String file, boolean quarantine) throws IOException {
        List<Entry> aside = new ArrayList<>();
        LogReader.Quarantine setAside = (entry, reason) -> aside.add(Entry.unreadable(entry.version(), reason));
        return PatchSink.writeFile(new FileLocation(file), target -> {
            try (LogReader reader = new LogReader(log.fetch(from, to), quarantine ? setAside : null)) {
                for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                    try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
                        patch.readAll(target);
                    }
                }
            }
            return new Fetched(target.patches(), target.rows(), aside);
        });
    }

    /**
     * Opens the operations on some quads, see {@link LogHistory}. A term that is null is any.
     *
     * @param graph  the empty text for the default graph
     * @param millis the earliest time, since 1970; {@link Long#MIN_VALUE} for all
     */
    public static PatchFileReader history(PatchLog log, String subject, String predicate, String object, String graph, long millis)
            throws IOException {
        LogHistory.Quads wanted = new LogHistory.Quads(
                canonical(subject), canonical(predicate), canonical(object), canonical(graph));
        LogHistory history = new LogHistory(log, wanted, millis == Long.MIN_VALUE ? null : Instant.ofEpochMilli(millis));
        return new PatchFileReader(history::next, history);
    }

    /** Creates a writer of terms for people that knows the prefixes of a log. The list has prefixes and namespaces alternating. */
    public static PrefixedTerms terms(PatchLog log, List<String> prefixes) throws IOException {
        return new PrefixedTerms(ConvertBridge.named(prefixes), LogHistory.prefixesOf(log));
    }

    static byte[] canonical(String term) {
        byte[] bytes = term == null ? null : term.getBytes(StandardCharsets.UTF_8);
        return bytes == null || bytes.length == 0 ? bytes : new TermBuilder<>(new Utf8Terms(), new Utf8Terms()).translate(bytes);
    }

    /**
     * Returns the quads at a version as additions.
     *
     * @param version 0 for the head
     */
    public static PatchFileReader quads(PatchLog log, long version) throws IOException {
        StoreLog folder = log.stored();
        State state = State.at(folder, version == 0 ? folder.headVersion() : version, rows -> { });
        ExternalSorter.Items<CanonicalQuad> quads = state.quads();
        return new PatchFileReader(rows -> {
            CanonicalQuad quad = quads.next();
            if (quad != null) {
                rows.row(state.version(), -1, 0, Op.A, quad.subject(), quad.predicate(), quad.object(), quad.graph(), null, null);
            }
            return quad != null;
        }, state);
    }

    /**
     * Groups the changes of a version by subject for people, see {@link LogDifference#of}.
     *
     * @param prefixes prefixes and namespaces alternating
     * @param patch    a file for the difference as a patch; null for none
     */
    public static ReadableDifference show(PatchLog log, long version, List<String> prefixes, String patch, Bridge.Progress progress)
            throws IOException {
        try (Difference difference = LogDifference.of(log, version, progress)) {
            return ConvertBridge.readable(difference, prefixes, patch);
        }
    }

    /** Groups the changes between two versions by subject for people, see {@link LogDifference#compareVersions}. */
    public static ReadableDifference diff(PatchLog log, long from, long to, List<String> prefixes, String patch,
            Bridge.Progress progress) throws IOException {
        try (Difference difference = LogDifference.compareVersions(log.stored(), from, to, progress)) {
            return ConvertBridge.readable(difference, prefixes, patch);
        }
    }

    /**
     * Writes the patch that undoes a version, see {@link LogDifference#revert}.
     *
     * @return the number of changes of the version, and how many of them the patch undoes
     */
    public static long[] revert(PatchLog log, long version, String patch, Bridge.Progress progress) throws IOException {
        return PatchSink.writeFile(new FileLocation(patch),
                target -> LogDifference.revert(log.stored(), version, target, progress));
    }

    /**
     * Writes the patch that leads from one version to another, see {@link LogDifference#withPrefixes}.
     *
     * @return the number of its changes, of statements and of prefixes
     */
    public static long restore(PatchLog log, long from, long to, String patch, Bridge.Progress progress) throws IOException {
        try (Difference difference = LogDifference.withPrefixes(log.stored(), from, to, progress)) {
            ConvertBridge.writePatch(difference, patch);
            return difference.deleted() + difference.added() + difference.changedPrefixes();
        }
    }

    /**
     * Returns the folder of a log.
     *
     * @throws IllegalArgumentException the log is not in a folder
     */
    public static String folder(PatchLog log) {
        return log.stored().folder().toString();
    }

    /**
     * Reads files in the folder of a log to their ends, and returns the headers of their patches.
     *
     * @param names a JSON array of file names
     * @return a JSON array with, for each file, an array of its patches as objects without null values
     */
    public static String headers(PatchLog log, String names) throws IOException {
        LogRepair repair = repair(log);
        List<List<LogRepair.FoundPatch>> found = new ArrayList<>();
        for (String name : JSON.fromJson(names, String[].class)) {
            found.add(repair.readFile(name));
        }
        return JSON.toJson(found);
    }

    /**
     * The place where a version's patch is stored, to copy its bytes. A compaction may delete the file; then ask again.
     *
     * @param file   the file with the patch
     * @param offset the patch's first byte in the file
     */
    public record Stored(String id, String file, long offset, long length) {
    }

    /**
     * Returns the places of a range of patches, as a JSON array of {@link Stored}. It ends before a patch that can't be read.
     * It is empty if the log does not have the first of them, not any more or not yet.
     *
     * @throws FormatException the first patch can't be read
     */
    public static String stored(PatchLog log, long from, long to) throws IOException {
        List<Stored> found = new ArrayList<>();
        try (LogEntries entries = log.fetch(from, to)) {
            // A pruned log begins with a later version.
            for (LogEntry entry = entries.next(); entry != null && entry.version() == from + found.size(); entry = entries.next()) {
                FileSlice patch = log.stored().storedSlice(entry.version());
                found.add(new Stored(entry.header().id(), patch.file().toString(), patch.offset(), patch.length()));
            }
        } catch (FileNotFoundException e) {
            // It was pruned meanwhile.
        } catch (FormatException e) {
            if (found.isEmpty()) {
                throw e;
            }
        }
        return JSON.toJson(found);
    }

    /**
     * Returns the version of the patch with an id; 0 if there is none.
     *
     * @param id a term, as in the header, or a UUID
     */
    public static long versionWith(PatchLog log, String id) throws IOException {
        return LogVersions.withTerm(log, id.startsWith("<") ? id : "<urn:uuid:" + id + ">");
    }

    /** Returns the hash of a version, see {@link LogPositions#hashAt}. */
    public static String hashAt(PatchLog log, long version) throws IOException {
        return new LogPositions(log).hashAt(version);
    }

    /** Returns the {@code checkpoint.json} of the newest checkpoint up to a version; null if there is none. */
    public static String newestCheckpoint(PatchLog log, long upTo) throws IOException {
        Checkpoint newest = log.stored().findCheckpoint(upTo);
        return newest == null ? null : newest.json().toString();
    }

    /**
     * Returns the path of a file of a checkpoint, after comparing the file with its hash in the checkpoint.
     *
     * @param part the number of the file, from 0
     * @throws IOException the file has changed, or the checkpoint no longer exists
     */
    public static String partOfCheckpoint(PatchLog log, long version, int part) throws IOException {
        StoreLog folder = log.stored();
        Checkpoint checkpoint = new Checkpoints(folder).at(version);
        if (checkpoint == null) {
            throw new IOException(folder.name() + " has no checkpoint of version " + version + " any more");
        }
        PartFile file = checkpoint.files().get(part);
        file.open().close();
        return folder.folder().resolve(file.path()).toString();
    }

    /** Returns the checkpoints of a log in a folder, as a JSON array of objects without null values. */
    public static String checkpoints(PatchLog log) throws IOException {
        return JSON.toJson(repair(log).readCheckpoints());
    }

    /** Compacts a log, see {@link LogCompaction#run}. */
    public static LogCompaction.Report compact(PatchLog log, long maxBytes) throws IOException {
        return LogCompaction.run(log.stored(), maxBytes);
    }

    /** Writes the list of the objects of a log, see {@link ObjectList#publish}. */
    public static int listObjects(PatchLog log) throws IOException {
        return ObjectList.publish(log.stored());
    }
}
