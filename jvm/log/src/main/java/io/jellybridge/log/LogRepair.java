package io.jellybridge.log;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.Utf8Terms;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** A repair of a log whose files are damaged or lost: reads them one by one, splits them, and fills gaps. */
public final class LogRepair {
    private final StoreLog log;
    private final LogStore store;

    /** Creates a repair. To change files, hold its {@link #lock}. */
    public LogRepair(StoreLog log) {
        this.log = log;
        this.store = log.store();
    }

    /**
     * Keeps others from appending, capturing, compacting and pruning until it is closed.
     *
     * @throws LogBusyException somebody does
     */
    public Closeable lock() throws IOException {
        FolderLock files = store.folder().lockForCompaction();
        if (files == null) {
            throw LogBusyException.ofCompaction(log.name());
        }
        return Io.closeOnFailure(files, held -> {
            FolderLock writer = store.folder().tryLockForCapture();
            if (writer == null) {
                throw LogBusyException.ofCapture(log.name());
            }
            return () -> {
                try (held) {
                    writer.close();
                }
            };
        });
    }

    /**
     * The description of a patch in a file of a log's folder.
     *
     * @param id     the patch's id; null if it can't be read
     * @param prev   the id of the patch before it
     * @param before the hash of the patch before it, see {@link Chain}
     * @param hash   the patch's own hash
     * @param fault  the reason why no follower can apply it; null if it is valid
     * @param lost   true if it is the placeholder for a lost patch; it then has a fault and an id
     * @param bytes  the SHA-256 of the bytes of a patch with a fault, which tells it from others; null if the patch is valid, or
     *               has no bytes of its own
     */
    public record FoundPatch(String id, String prev, String before, String hash, String fault, boolean lost, String bytes) {

        /** Returns the description of a file without a patch. */
        static FoundPatch none(String fault) {
            return new FoundPatch(null, null, null, null, fault, false, null);
        }

        static FoundPatch of(StoredPatches.Checked read, StoredSlice slice) throws IOException {
            String fault = read.fault() == null ? null : read.fault().getMessage();
            String bytes = fault == null ? null : slice.sha256();
            PatchHeader header = read.header();
            return header == null ? new FoundPatch(null, null, null, null, fault, false, bytes)
                    : new FoundPatch(header.id(), header.prev(), header.chain() == null ? null : header.chain().before(),
                            header.hash(), fault, fault != null, bytes);
        }
    }

    /** Reads all patches of a file of the log, whatever its name is, and returns a description of each. */
    public List<FoundPatch> readFile(String file) throws IOException {
        try {
            long length = store.lengthOf(file);
            return length < 0 ? List.of(FoundPatch.none("it is no file"))
                    : readPatches(file, length).stream().map(Patch::found).toList();
        } catch (FileNotFoundException e) {
            return List.of(FoundPatch.none("it is no file")); // others deleted it meanwhile
        }
    }

    /**
     * A patch in a file.
     *
     * @param slice       its bytes; null if the patch before it has them, too, since the beginning is damaged
     * @param isMisplaced true if it may be an intact patch of another version
     */
    private record Patch(StoredSlice slice, FoundPatch found, boolean isMisplaced) {
        static final Patch WITHOUT_BEGINNING =
                new Patch(null, FoundPatch.none("its beginning is damaged, so that it is one with the patch before it"), false);

        boolean isSound() {
            return found.fault() == null;
        }
    }

    /** Reads the patches of a file. If it has fewer beginnings than patches, the hashes of the patches say which are damaged. */
    private List<Patch> readPatches(String file, long length) throws IOException {
        LogObject part = FolderStore.parsePart(file);
        LogObject object = part == null ? LogObject.parseName(file) : part;
        long count = part != null || object == null ? 0
                : object.isCounted() ? log.patches().countOf(object) : object.last() - object.first() + 1;
        Deque<StoredSlice> slices = new ArrayDeque<>(StoredSlice.of(store::open, file, length));
        List<Patch> patches = new ArrayList<>();
        while (!slices.isEmpty()) {
            Patch patch = readPatch(slices.pop(), object, patches.size());
            long missing = count - patches.size() - 1 - slices.size();
            if (missing > 0 && patch.isMisplaced()) {
                patch = place(patch, object, patches, missing);
            } else if (missing > 0 && !patch.isSound()) {
                patch = cut(patch, object, patches.size(), slices);
            }
            patches.add(patch);
        }
        return patches;
    }

    private Patch readPatch(StoredSlice slice, LogObject object, int index) throws IOException {
        String which = index == 0 ? "" : ", its patch " + (index + 1);
        StoredPatches.Checked read = StoredPatches.checkPatch(slice, log.name() + "/" + slice.file() + which,
                object == null ? null : log.id(), object == null ? 0 : object.first() + index);
        boolean isMisplaced = read.fault() instanceof FormatException fault && fault.rule().equals(EntryCheck.CHAIN);
        return new Patch(slice, FoundPatch.of(read, slice), isMisplaced);
    }

    /** Returns a patch without the bytes of the next one, which become the next slice; the same patch if it is damaged itself. */
    private Patch cut(Patch patch, LogObject object, int index, Deque<StoredSlice> slices) throws IOException {
        StoredSlice slice = patch.slice();
        StoredSlice intact = slice.upTo(slice.offset() + StreamFrames.endOfSoundFrames(slice.open()));
        Patch cut = readPatch(intact, object, index);
        if (!cut.isSound()) {
            return patch;
        }
        slices.push(slice.from(intact.end()));
        return cut;
    }

    /**
     * Returns a patch as that of a later version, if it is that one intact, and inserts those before it whose beginnings are
     * damaged. Otherwise returns the same patch.
     */
    private Patch place(Patch patch, LogObject object, List<Patch> patches, long missing) throws IOException {
        int before = indexOfDamaged(patches);
        for (int more = 1; before >= 0 && more <= missing; more++) {
            Patch later = readPatch(patch.slice(), object, patches.size() + more);
            if (later.isSound()) {
                patches.addAll(before + 1, Collections.nCopies(more, Patch.WITHOUT_BEGINNING));
                return later;
            }
        }
        return patch;
    }

    /**
     * Returns the index of the patch that may have the bytes of others, too: the first damaged one behind the last sound one, or
     * else a placeholder; -1 if there is none.
     */
    private static int indexOfDamaged(List<Patch> patches) {
        int damaged = -1;
        for (int i = patches.size() - 1; i >= 0 && !patches.get(i).isSound(); i--) {
            if (!patches.get(i).isMisplaced() && (damaged < 0 || !patches.get(i).found().lost())) {
                damaged = i;
            }
        }
        return damaged;
    }

    /**
     * The patch of a checkpoint.
     *
     * @param id   the patch's id; null if it can't be read
     * @param hash the patch's own hash
     */
    public record FoundState(long version, String id, String hash) {
    }

    /** Returns the patches of all checkpoints, even of those beyond the head. */
    public List<FoundState> readCheckpoints() throws IOException {
        List<FoundState> states = new ArrayList<>();
        Checkpoints checkpoints = new Checkpoints(log);
        for (long version : checkpoints.versions()) {
            PatchHeader header = checkpoints.headerAt(version);
            states.add(header == null ? new FoundState(version, null, null) : new FoundState(version, header.id(), header.hash()));
        }
        return states;
    }

    /** Returns the numbers of patches of the objects that have several and are named by the first one. */
    public Map<String, Integer> counts() throws IOException {
        return log.patches().retryWhileObjectsMove(this::readCounts);
    }

    private Map<String, Integer> readCounts() throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        for (String name : store.list("").keySet()) {
            LogObject object = LogObject.parseName(name);
            int count = object == null || !object.isCounted() ? 1 : log.patches().countOf(object);
            if (count > 1) {
                counts.put(name, count);
            }
        }
        return counts;
    }

    /** Splits an object into one for each patch. If a patch has an object already, that one stays, even if it has another patch. */
    public void split(String file) throws IOException {
        LogObject object = LogObject.parseName(file);
        List<Patch> patches = readPatches(file, store.lengthOf(file));
        for (int i = patches.size() - 1; i >= 0; i--) {
            StoredSlice slice = patches.get(i).slice();
            if (slice == null) {
                continue;
            }
            String name = LogObject.fileName(object.first() + i);
            Path made = store.temporary();
            try (InputStream patch = slice.open()) {
                Files.copy(patch, made, StandardCopyOption.REPLACE_EXISTING);
                try (FileChannel channel = FileChannel.open(made, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    if (StreamFrames.readCount(slice.open()) > 1) { // a damaged frame keeps its bytes
                        ChainedFile.stateCount(made, channel, 1);
                    }
                    channel.force(true);
                }
                if (name.equals(file)) {
                    store.replace(file, made); // the others have their own names already
                    return;
                }
                store.create(name, made);
            } catch (FileAlreadyExistsException e) {
                // A compaction that was interrupted left it. The caller has compared the patches.
            } finally {
                Files.deleteIfExists(made);
            }
        }
        store.delete(file);
    }

    /**
     * Gives the files that killed captures left their names, if versions before them are missing or if they are damaged. It splits
     * the damaged ones. An append, or the next capture, puts the others into the log.
     *
     * @param isRepair false to change nothing
     * @return the names, from the oldest. Without a repair, a damaged file has its hidden name
     */
    public List<String> nameCaptures(boolean isRepair) throws IOException {
        List<String> names = new ArrayList<>();
        for (long first : store.folder().parts()) {
            VersionMap layout = log.patches().readMap();
            long head = layout.isEmpty() ? log.patches().versionWithoutPatches() : layout.last();
            LogObject damaged = first > head ? CaptureWriter.findDamaged(log, first, head) : null;
            String name = first > head + 1 && damaged == null ? CaptureWriter.settleBehindGap(log, first, isRepair) : null;
            if (name != null) {
                names.add(name);
            } else if (damaged != null) {
                names.addAll(isRepair ? splitCapture(damaged) : List.of(store.folder().partFile(first).getFileName().toString()));
            }
        }
        return names;
    }

    private List<String> splitCapture(LogObject damaged) throws IOException {
        CaptureWriter.nameDamaged(log, damaged);
        split(damaged.name());
        return LongStream.rangeClosed(damaged.first(), damaged.last()).mapToObj(LogObject::fileName).toList();
    }

    /**
     * Fills the place of a lost patch with a placeholder. Readers get an error there.
     *
     * @param patchId the lost patch's id, from the patch after it, or from its checkpoint
     * @param prevId  the id of the patch before it; null for the first patch
     * @param reason  the reason why it was lost
     * @throws FileAlreadyExistsException there is a patch
     */
    public void insertPlaceholder(long version, String patchId, String prevId, String reason) throws IOException {
        Path made = store.temporary();
        try {
            PatchHeader known = new PatchHeader(patchId, prevId, null, chainBetween(version));
            ChainedFile.writeFile(made, log.name(), null, known, (patch, header) -> {
                PatchIds.writeIds(patch, header.id(), header.prev());
                header.chain().writeTo(patch);
                byte[] text = reason.getBytes(StandardCharsets.UTF_8);
                patch.header(EntryCheck.LOST, new Utf8Terms().literal(text, 0, text.length));
                patch.endPatch();
            });
            store.create(LogObject.fileName(version), made);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /** Returns the chain of a lost patch, as far as its neighbours, or its checkpoint, know it. The rest is random. */
    private Chain chainBetween(long version) throws IOException {
        PatchHeader before = findNeighbour(version - 1);
        PatchHeader after = findNeighbour(version + 1);
        PatchHeader state = new Checkpoints(log).headerAt(version);
        String hashBefore = version == 1 ? Chain.START : before == null ? Chain.placeholder() : before.hash();
        return new Chain(hashBefore, after != null ? after.chain().before() : state != null ? state.hash() : Chain.placeholder());
    }

    private PatchHeader findNeighbour(long version) throws IOException {
        try {
            PatchHeader header = version == 0 ? null : log.headerAt(version, log.first());
            return header == null || header.chain() == null ? null : header;
        } catch (IOException | RuntimeException e) {
            return null; // verifying the log reports the error
        }
    }
}
