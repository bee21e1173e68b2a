package io.jellybridge;

import com.google.gson.Gson;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.PatchSink;
import io.jellybridge.convert.Place;
import io.jellybridge.files.FileSlice;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FileHeader;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogCompaction;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogReader;
import io.jellybridge.log.LogTail;
import io.jellybridge.log.PartFile;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.Quarantine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What Python calls for patch logs, beside {@link Bridge}: its {@code PatchLog} is a {@link PatchLog} of ours. */
public final class LogBridge {
    private static final Gson JSON = new Gson();

    private LogBridge() {
    }

    /**
     * See {@link PatchLogs#open}.
     *
     * @param namesAndValues options, each a name and a value after it
     */
    public static PatchLog open(String address, List<String> namesAndValues) throws IOException {
        return PatchLogs.open(address, ConvertBridge.named(namesAndValues));
    }

    /** See {@link PatchLogs#create}; options as in {@link #open}. */
    public static PatchLog create(String address, List<String> namesAndValues) throws IOException {
        return PatchLogs.create(address, ConvertBridge.named(namesAndValues));
    }

    /** A patch in a log, or that it can't be read. */
    public record Entry(long version, String id, String prev, String time, String fault) {
    }

    /** Lists the patches of a range by their headers; with each, another one is read. */
    public static final class Entries implements AutoCloseable {
        private final LogEntries entries;

        Entries(LogEntries entries) {
            this.entries = entries;
        }

        /** The next one; null after the last. */
        public Entry next() throws IOException {
            LogEntry entry = entries.next();
            if (entry == null) {
                return null;
            }
            try {
                PatchHeader header = entry.header();
                return new Entry(entry.version(), header.id(), header.prev(),
                        header.time() == null ? null : header.time().toString(), null);
            } catch (RuntimeException e) {
                return new Entry(entry.version(), null, null, null, e.getMessage());
            }
        }

        @Override
        public void close() throws IOException {
            entries.close();
        }
    }

    public static Entries entries(PatchLog log, long from, long to) throws IOException {
        return new Entries(log.fetch(from, to));
    }

    /**
     * The patches of files, from the first one on, that are the last ones of a log already, where none of them has a header
     * {@code id} or {@code prev} by which the log would know: so much of these files was appended before. To append it once
     * more would change nothing.
     *
     * @param files each its path and what errors call it, in JSON
     * @return of each file; nothing where one has such a header
     */
    public static List<List<LogHead>> known(PatchLog log, String files, String format, boolean strict) throws IOException {
        List<String> hashes = new ArrayList<>();
        List<Integer> ends = new ArrayList<>();
        for (String[] file : JSON.fromJson(files, String[][].class)) {
            try (PatchSource<byte[]> patches = read(file[0], file[1], format, strict)) {
                if (!LogTail.hashes(patches, hashes)) {
                    return List.of();
                }
            }
            ends.add(hashes.size());
        }
        List<LogHead> there = LogTail.overlap(log, hashes);
        List<List<LogHead>> ofFiles = new ArrayList<>();
        int start = 0;
        for (int end : ends) {
            int last = Math.min(end, there.size());
            ofFiles.add(there.subList(Math.min(start, last), last));
            start = end;
        }
        return ofFiles;
    }

    /**
     * Appends every patch of a file, one after the other; what was appended before an error stays.
     *
     * @param name what errors call it
     * @param format null: that of its suffix
     * @param prev the id that the first is to follow; empty: it is the log's first; null: what the patch says, else the
     * head
     * @param known how many of the first patches are in the log already, see {@link #known}
     * @param progress hears after each patch how many rows of the file were read
     * @return those that it appended
     */
    public static List<LogHead> append(PatchLog log, String file, String name, String format, boolean strict, String prev,
            int known, Bridge.Progress progress) throws IOException {
        List<LogHead> made = new ArrayList<>();
        try (PatchSource<byte[]> patches = read(file, name, format, strict)) {
            for (int passed = 0; passed < known; passed++) {
                LogTail.skip(patches);
            }
            LogHead head = prev == null ? log.append(patches) : log.append(patches, prev.isEmpty() ? null : prev);
            while (head != null) {
                made.add(head);
                progress.progress(patches.numbers().row() + 1);
                head = log.append(patches);
            }
        }
        return made;
    }

    private static PatchSource<byte[]> read(String file, String name, String format, boolean strict) throws IOException {
        return PatchFiles.read(new Place(file, name), ConvertBridge.format(format), new Utf8Terms(), strict);
    }

    /** What a call of {@link #fetch} did. */
    public record Fetched(long patches, long rows, List<Entry> quarantined) {
    }

    /**
     * Writes the patches of a range to one file, in the format of its suffix; the file appears whole or not at all. Each
     * patch is checked, and that it follows the one before it.
     *
     * @param quarantine pass over patches that can't be read, and name them
     */
    public static Fetched fetch(PatchLog log, long from, long to, String file, boolean quarantine) throws IOException {
        List<Entry> aside = new ArrayList<>();
        PatchOptions options = PatchOptions.DEFAULT.withRdfStar(true);
        Quarantine setAside = (entry, reason) ->
                aside.add(new Entry(entry.version(), null, null, null, reason.getMessage()));
        try (PatchSink target = new PatchSink(new Place(file), null, options, WriteOptions.DEFAULT);
                LogReader reader = new LogReader(log.fetch(from, to), quarantine ? setAside : null)) {
            for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
                    patch.readAll(target);
                }
            }
            target.commit();
            return new Fetched(target.patches(), target.rows(), aside);
        }
    }

    /**
     * Where the files of a log are.
     *
     * @throws IllegalArgumentException the log is no folder
     */
    public static String folder(PatchLog log) {
        return folderOf(log).folder().toString();
    }

    /** Whether a log is in a folder of this machine, where its states can be had. */
    public static boolean isFolder(PatchLog log) {
        return log instanceof FolderLog;
    }

    static FolderLog folderOf(PatchLog log) {
        if (log instanceof FolderLog folder) {
            return folder;
        }
        throw new IllegalArgumentException(log.name() + " is no folder: do this where its files are");
    }

    /**
     * What files in the folder of a log say of themselves, each read to its end: an array in JSON, of each file an array of
     * its patches as objects, without what is null; {@code names} is one of texts.
     */
    public static String headers(PatchLog log, String names) throws IOException {
        List<List<FileHeader>> found = new ArrayList<>();
        for (String name : JSON.fromJson(names, String[].class)) {
            found.add(folderOf(log).read(name));
        }
        return JSON.toJson(found);
    }

    /**
     * Where a version's patch is stored, for who passes its bytes on. A compaction may take the file away: then ask again.
     *
     * @param file   which has the patch, also where it grows meanwhile
     * @param offset where the patch begins in it
     */
    public record Stored(String id, String file, long offset, long length) {
    }

    /**
     * Where the patches of a range are stored, as an array of {@link Stored} in JSON. It ends before one that can't be read.
     *
     * @throws FormatException               the first can't be read
     * @throws java.io.FileNotFoundException there is no such version any more, or not yet
     */
    public static String stored(PatchLog log, long from, long to) throws IOException {
        List<Stored> found = new ArrayList<>();
        try (LogEntries entries = log.fetch(from, to)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                FileSlice patch = folderOf(log).stored(entry.version());
                found.add(new Stored(entry.header().id(), patch.file().toString(), patch.offset(), patch.length()));
            }
        } catch (FormatException e) {
            if (found.isEmpty()) {
                throw e;
            }
        }
        return JSON.toJson(found);
    }

    /** The version of the patch with an id, as the header has it or as a UUID; 0 where there is none. */
    public static long versionWith(PatchLog log, String id) throws IOException {
        String term = id.startsWith("<") ? id : "<urn:uuid:" + id + ">";
        return folderOf(log).versionWith(term.getBytes(StandardCharsets.UTF_8));
    }

    /** The newest checkpoint up to a version, as its {@code checkpoint.json} says; null where there is none. */
    public static String newestCheckpoint(PatchLog log, long upTo) throws IOException {
        Checkpoint newest = folderOf(log).checkpoint(upTo);
        return newest == null ? null : newest.json().toString();
    }

    /**
     * Returns the path of a file of a checkpoint, having compared it with what the checkpoint says of it.
     *
     * @param part which, from 0
     * @throws IOException it is not what it was, or the checkpoint is not there any more
     */
    public static String partOfCheckpoint(PatchLog log, long version, int part) throws IOException {
        FolderLog folder = folderOf(log);
        Checkpoint checkpoint = new Checkpoints(folder).at(version);
        if (checkpoint == null) {
            throw new IOException(folder.name() + " has no checkpoint of version " + version + " any more");
        }
        PartFile file = checkpoint.files().get(part);
        file.open().close();
        return file.path();
    }

    /** See {@link Checkpoints#idAt}. */
    public static String idOfCheckpoint(PatchLog log, long version) {
        return new Checkpoints(folderOf(log)).idAt(version);
    }

    /** See {@link FolderLog#split}. */
    public static void split(PatchLog log, String fileName) throws IOException {
        folderOf(log).split(fileName);
    }

    /** See {@link LogCompaction#run}. */
    public static LogCompaction.Report compact(PatchLog log, long maxBytes) throws IOException {
        return LogCompaction.run(folderOf(log), maxBytes);
    }

    /** See {@link FolderLog#putStandIn}. */
    public static void standIn(PatchLog log, long version, String id, String prev, String reason) throws IOException {
        folderOf(log).putStandIn(version, id, prev, reason);
    }
}
