package io.jellybridge.log;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.files.BoundedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A log in a {@link LogStore}, with the same files as a {@link FolderLog}: they hold one patch or several, and have the
 * version of the first as their name. A copy of all files converts one kind of log to the other. Each append adds a file of
 * one patch; files of several patches come from a folder.
 *
 * <p>To append is to create the file with the name of the next version, which the store rejects if the name exists. So if
 * several writers append after the same head, one succeeds, without a lock. The log writes only {@code patch-log.properties}
 * and patches. It has no index; each object reads the ids itself.
 */
final class StoreLog extends StagedLog {
    /** The largest size of a file that is read at once. */
    private static final int WHOLE_BYTES = 1 << 20;
    /** The description of the checkpoint that a log may begin with. */
    static final String BEGINNING =
            String.join("/", LogFolder.CHECKPOINTS, LogFolder.digits(1), Checkpoint.DESCRIPTION);

    private final LogStore store;
    private final String id;
    /** The head that was seen last. The log only grows. */
    private LogHead known = LogHead.EMPTY;
    /** The hash of that head. */
    private String knownHash = Chain.START;
    /** The first version of each file that was seen, and its length. */
    private final NavigableMap<Long, Long> files = new TreeMap<>();
    /** The file that was read last. */
    private StoredFile current;
    /** The offsets of patches in files that are larger than {@link #WHOLE_BYTES}. */
    private final Map<Long, List<Long>> starts = new HashMap<>();
    private final Map<String, Long> versions = new HashMap<>();
    /** The version up to which ids are known. */
    private long indexed;

    private StoreLog(LogStore store, String id) {
        super(store.name());
        this.store = store;
        this.id = id;
    }

    /**
     * Creates a log.
     *
     * @throws FileAlreadyExistsException there is one
     * @throws IOException                there are other files, or the log can't be created
     */
    static StoreLog create(LogStore store) throws IOException {
        Set<String> there = store.list("").keySet();
        if (there.contains(LogProperties.NAME)) {
            throw LogProperties.present(store.name());
        }
        for (String file : there) {
            if (!file.startsWith(".")) {
                throw LogProperties.occupied(store.name(), file);
            }
        }
        String id = PatchIds.random();
        Path made = Files.createTempFile("jellybridge-", ".properties");
        try {
            Files.writeString(made, LogProperties.text(id));
            store.create(LogProperties.NAME, made);
        } catch (FileAlreadyExistsException e) {
            throw LogProperties.present(store.name());
        } finally {
            Files.delete(made);
        }
        return new StoreLog(store, id);
    }

    /**
     * Opens a log.
     *
     * @throws FileNotFoundException there is none
     * @throws IOException           the properties file is damaged
     */
    static StoreLog open(LogStore store) throws IOException {
        return new StoreLog(store, readId(store));
    }

    private static String readId(LogStore store) throws IOException {
        if (store.length(LogProperties.NAME) < 0) {
            throw LogProperties.missing(store.name());
        }
        try (InputStream in = store.open(LogProperties.NAME, 0)) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return LogProperties.id(text, store.name() + "/" + LogProperties.NAME);
        }
    }

    @Override
    public String id() {
        return id;
    }

    // --- which versions there are

    @Override
    public LogHead head() throws IOException {
        long version = known.version() == 0 ? listedHead() : known.version();
        for (long length = lengthOf(version + 1); length >= 0; length = lengthOf(version + 1)) {
            files.put(version + 1, length);
            version = file(version + 1).last();
        }
        if (version != known.version()) {
            PatchHeader header = headerAt(version);
            known = new LogHead(version, header.id());
            knownHash = header.hash();
        }
        return known;
    }

    private long lengthOf(long first) throws IOException {
        return store.length(LogFolder.fileName(first));
    }

    private PatchHeader headerAt(long version) throws IOException {
        return new Entry(version).headerInLog();
    }

    /**
     * Lists the files and returns the newest version.
     *
     * @throws IOException versions are missing, so that an append would fork the log
     */
    private long listedHead() throws IOException {
        list();
        Long before = null;
        for (long first : files.keySet()) {
            if (before != null && first > before + 1 && first > file(before).last() + 1) {
                throw new IOException(name() + ": version " + (file(before).last() + 1) + " is missing, and version "
                        + files.lastKey() + " is there; copy the log into a folder, and repair it there");
            }
            before = first;
        }
        if (before == null && store.length(BEGINNING) >= 0) {
            throw new IOException(name() + " begins with a state and has no patch yet, and states are read in a folder "
                    + "only; copy the log into one, and append its first patch there");
        }
        return before == null ? 0 : file(before).last();
    }

    private void list() throws IOException {
        store.list("").forEach((file, length) -> files.put(LogFolder.versionOf(file), length));
        files.remove(0L);
    }

    @Override
    public long first() throws IOException {
        if (files.isEmpty()) {
            list();
        }
        return files.isEmpty() ? 1 : files.firstKey();
    }

    // --- reading

    @Override
    public LogEntries fetch(long from, long to) throws IOException {
        long first = Math.max(from, first());
        long last = Math.min(to, head().version());
        return LogEntries.range(first, last, Entry::new);
    }

    /** A patch in its file. */
    private final class Entry extends StoredEntry {

        Entry(long version) {
            super(version, null);
        }

        @Override
        public String log() {
            return id;
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return new PatchReader<>(fileWith(version()).patch(version()), name(), terms, ReadOptions.DEFAULT);
        }

        @Override
        public String name() {
            Long first = files.floorKey(version());
            return first == null || first == version() ? nameOf(version()) : nameOf(first) + " (version " + version() + ")";
        }
    }

    private String nameOf(long first) {
        return name() + "/" + LogFolder.fileName(first);
    }

    private StoredFile fileWith(long version) throws IOException {
        Long first = files.floorKey(version);
        if (first == null) {
            throw new FileNotFoundException(name() + ": version " + version + " is not there; the log begins later");
        }
        StoredFile file = file(first);
        if (version > file.last()) {
            throw new FileNotFoundException(name() + ": version " + version + " is not there; " + nameOf(first)
                    + " ends with version " + file.last());
        }
        return file;
    }

    /** Returns the file that begins with a version. */
    private StoredFile file(long first) throws IOException {
        if (current == null || current.first != first) {
            current = new StoredFile(first);
        }
        return current;
    }

    /** A file of patches. It never changes. */
    private final class StoredFile {
        private final long first;
        private final long length;
        /** The content; null if the file is large. */
        private final byte[] bytes;
        private final List<Long> offsets;

        StoredFile(long first) throws IOException {
            this.first = first;
            length = files.get(first);
            if (length > WHOLE_BYTES) {
                bytes = null;
                List<Long> before = starts.get(first);
                offsets = before != null ? before : LogFolder.starts(length, this::from);
                starts.put(first, offsets);
            } else {
                try (InputStream in = store.open(LogFolder.fileName(first), 0)) {
                    bytes = in.readAllBytes();
                }
                offsets = LogFolder.starts(length, this::from);
            }
        }

        private InputStream from(long offset) throws IOException {
            return bytes == null ? store.open(LogFolder.fileName(first), offset)
                    : new ByteArrayInputStream(bytes, (int) offset, bytes.length - (int) offset);
        }

        /** Returns the version of the last patch. */
        long last() {
            return first + offsets.size() - 1;
        }

        InputStream patch(long version) throws IOException {
            int index = (int) (version - first);
            long start = offsets.get(index);
            long end = index + 1 < offsets.size() ? offsets.get(index + 1) : length;
            return new BoundedInputStream(from(start), end - start);
        }
    }

    // --- appending

    @Override
    String prev(Follows follows, LogHead head) {
        return follows.prev(head);
    }

    @Override
    ChainPlace place(LogHead head) {
        return new ChainPlace(id, head.version() + 1, knownHash);
    }

    @Override
    LogHead find(String patchId, LogHead head) throws IOException {
        for (indexed = Math.max(indexed, first() - 1); indexed < head.version(); indexed++) {
            try {
                versions.put(new Entry(indexed + 1).header().id(), indexed + 1);
            } catch (RuntimeException e) {
                // Its id is not known. Reading the log throws the error.
            }
        }
        Long version = versions.get(patchId);
        if (version == null && first() > 1 && patchId.equals(new Entry(first()).header().prev())) {
            throw LogConflictException.taken(name(), new LogHead(first() - 1, patchId));
        }
        return version == null ? null : new LogHead(version, patchId);
    }

    @Override
    LogHead send(Path patch, PatchHeader header, Follows follows, LogHead head) throws IOException {
        if (!Objects.equals(header.prev(), head.id())) {
            throw new LogConflictException(name(), header.prev(), head);
        }
        requireHead(head);
        long version = head.version() + 1;
        try {
            store.create(LogFolder.fileName(version), patch);
        } catch (FileAlreadyExistsException e) {
            throw new LogConflictException(name(), header.prev(), head());
        }
        files.put(version, Files.size(patch));
        known = new LogHead(version, header.id());
        knownHash = header.hash();
        return known;
    }

    /** Checks that the store still has the log and its head, by reading them again. */
    private void requireHead(LogHead head) throws IOException {
        String there = readId(store);
        if (!there.equals(id)) {
            throw exchanged("is the log " + there + " now");
        }
        if (head.version() > 0) {
            long first = files.floorKey(head.version());
            files.put(first, lengthOf(first));
            current = null;
            if (!knownHash.equals(headerAt(head.version()).hash())) {
                throw exchanged("has another patch as version " + head.version() + " now");
            }
        }
    }

    private IOException exchanged(String how) {
        return new IOException(name() + " was opened as the log " + id + " with " + known + ", and " + how
                + ": another copy took its place; nothing was appended, open it again if that is right");
    }
}
