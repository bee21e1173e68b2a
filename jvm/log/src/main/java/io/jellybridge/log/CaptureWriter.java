package io.jellybridge.log;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.Threads;
import io.jellybridge.codec.Utf8Terms;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An exclusive writer to a log in a folder, for a capture. It appends patches to a hidden file. Rotation gives this file its
 * name, and so puts it into the log. It rotates when the file is large, has many patches or is old enough. It also rotates on
 * request and at the end. Appends of others are rejected as long as the writer is open.
 *
 * <p>When {@link #append} returns, the patch survives the end of the process. With {@code fsync} it also survives a crash of
 * the machine. The next process that opens the log to write, even for an append, completes the file that a crash left. Only a
 * patch that is cut by the crash is lost.
 */
public final class CaptureWriter implements Closeable {
    /** The faults of complete frames that end within a patch: an open transaction, or no mark. */
    private static final Set<String> CUT_OFF = Set.of("P-105", "P-24");

    private final StoreLog log;
    private final FolderStore files;
    private final Rotation rotation;
    private final boolean fsync;
    private final FolderLock lock;
    private LogHead head;
    private String headHash;
    /** The file that is being written; null if the next patch begins a file. */
    private Part part;
    private Exception broken;
    /** The timer that rotates old files; null before the first file. */
    private ScheduledExecutorService clock;

    /**
     * The limits at which a file is rotated.
     *
     * @param maxBytes   the size, reached with the last patch
     * @param maxPatches the number of patches
     * @param maxMillis  the time since its first patch
     */
    public record Rotation(long maxBytes, long maxPatches, long maxMillis) {

        /**
         * Checks the limits.
         *
         * @throws IllegalArgumentException a limit is not positive
         */
        public Rotation {
            requirePositive("maxBytes", maxBytes);
            requirePositive("maxPatches", maxPatches);
            requirePositive("maxMillis", maxMillis);
        }

        private static void requirePositive(String limit, long value) {
            if (value < 1) {
                throw new IllegalArgumentException(limit + "=" + value + ": must be at least 1");
            }
        }
    }

    /**
     * Opens a log exclusively.
     *
     * @throws IllegalArgumentException the log is not in a folder of this machine
     * @throws IllegalStateException    another writer has the log
     * @throws FormatException          the file that a crash left has other damage, too
     */
    public CaptureWriter(StoreLog log, Rotation rotation, boolean fsync) throws IOException {
        this.log = log;
        this.files = log.store().folder();
        this.rotation = rotation;
        this.fsync = fsync;
        this.lock = files.tryLockForCapture();
        if (lock == null) {
            throw new IllegalStateException("another capture writes into " + files.name()
                    + ", or an append or a repair is under way; close it first, or take another folder");
        }
        try {
            settle(log);
            this.head = log.head();
            this.headHash = log.headHash();
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** Returns the newest patch, even if its file is not rotated yet. */
    public synchronized LogHead head() {
        return head;
    }

    /** Returns true if the writer stopped after a failure. */
    public synchronized boolean isBroken() {
        return broken != null;
    }

    /** Returns the place of the next patch. */
    public synchronized ChainPlace next() throws IOException {
        return new ChainPlace(log.id(), head.version() + 1, headHash);
    }

    /**
     * Prepares for appending a patch.
     *
     * @throws IOException the full file can't be completed, or the writer stopped after a failure
     */
    public synchronized void prepare() throws IOException {
        refuseWhenBroken();
        rotateWhenFull();
    }

    /**
     * Appends a patch.
     *
     * @param id    the id of the patch
     * @param hash  the hash of the patch at the place of {@link #next}
     * @param patch its bytes: a delimited stream of its own, with that id, the head's id as {@code prev}, and that chain
     * @throws IOException its bytes can't be written. The log then has nothing of it, and can be continued. If the bytes can't
     *                     be removed either, the writer stops
     */
    public synchronized void append(String id, String hash, InputStream patch) throws IOException {
        refuseWhenBroken();
        if (part == null) {
            requireHead();
            part = new Part(head.version() + 1);
        }
        part.append(patch);
        head = new LogHead(head.version() + 1, PatchIds.parseId(id));
        headHash = hash;
        try {
            rotateWhenFull();
        } catch (IOException e) {
            // The patch is safe, so this must not fail its transaction. The next append tries again.
        }
    }

    /** Checks that the log still ends with the last patch of this writer. */
    private void requireHead() throws IOException {
        if (!StoreLog.isLog(files)) {
            throw goneError("the log");
        }
        LogHead found = log.head();
        if (!found.equals(head) || !log.headHash().equals(headHash)) {
            throw new IOException(files.name() + " ends with " + found + ", and a capture that has it for itself ended it with "
                    + head + ": another copy took its place; end the capture, and look at both");
        }
    }

    private IOException goneError(String what) {
        return new IOException(files.name() + ": someone deleted or moved " + what + " while a capture writes to it; put it back");
    }

    private void refuseWhenBroken() throws IOException {
        if (broken != null) {
            throw new IOException(files.name() + " can't be written: " + ExceptionMessages.toText(broken)
                    + "; end the capture and begin it again, which completes the log", broken);
        }
    }

    private void rotateWhenFull() throws IOException {
        if (part != null && part.isFull()) {
            rotate();
        }
    }

    /**
     * Completes the current file, which puts it into the log. Does nothing if it has no patch.
     *
     * @throws IOException the file can't be completed, or the writer stopped after a failure: the file may end within a patch
     */
    public synchronized void rotate() throws IOException {
        if (part != null) {
            refuseWhenBroken();
            part.complete();
            part = null;
        }
    }

    private synchronized void rotateOld(Part old) {
        try {
            if (part == old) {
                rotate();
            }
        } catch (IOException | RuntimeException e) {
            // The patches are safe in the hidden file. The next rotation, or the end, tries again and throws the error.
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (clock != null) {
            clock.shutdownNow();
        }
        try (lock) {
            rotate();
        }
    }

    /** Closes the writer and removes the log, which the caller created just before. A log with a patch stays. */
    public synchronized void discard() throws IOException {
        try (lock) {
            if (head.version() == 0 && part == null) {
                files.remove();
            }
        }
    }

    /** Releases the lock, as the end of the process does. */
    public void releaseLock() throws IOException {
        lock.close();
    }

    private void rotateLater(Part begun) {
        if (clock == null) {
            clock = Executors.newSingleThreadScheduledExecutor(work -> Threads.newDaemon(work, "jellybridge log rotation"));
        }
        clock.schedule(() -> rotateOld(begun), rotation.maxMillis(), TimeUnit.MILLISECONDS);
    }

    /** Forces names to the disk, with {@code fsync}. */
    private void forceNames() throws IOException {
        if (fsync) {
            files.force();
        }
    }

    /** The file that is being written. */
    private final class Part {
        private final long first;
        private final Path hidden;
        private FileChannel channel;
        /** The offset of the end of the last complete patch. */
        private long size;
        /** The number of complete patches. */
        private long patches;
        /** True if the file has its name, which may not be on the disk yet. */
        private boolean isNamed;

        Part(long first) throws IOException {
            this.first = first;
            this.hidden = files.partFile(first);
            this.channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }

        void append(InputStream patch) throws IOException {
            try {
                if (patches == 0) {
                    forceNames();
                }
                patch.transferTo(Channels.newOutputStream(channel));
                if (fsync) {
                    channel.force(false);
                }
                if (!Files.exists(hidden)) {
                    throw goneError("the file " + hidden.getFileName());
                }
                size = channel.position();
                patches++;
            } catch (IOException | RuntimeException e) {
                takeBack(e);
                throw e;
            }
            if (patches == 1) {
                rotateLater(this);
            }
        }

        /** Removes a patch that was only partly written. */
        private void takeBack(Exception cause) {
            boolean interrupted = Thread.interrupted(); // an interrupt would close the channel again
            try {
                if (!channel.isOpen()) {
                    channel = FileChannel.open(hidden, StandardOpenOption.WRITE);
                }
                channel.truncate(size);
                channel.position(size);
            } catch (IOException | RuntimeException e) {
                cause.addSuppressed(e);
                broken = cause;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /** Returns true if the file must be rotated, even if an earlier rotation failed halfway. */
        boolean isFull() {
            return size >= rotation.maxBytes() || patches >= rotation.maxPatches() || !channel.isOpen();
        }

        void complete() throws IOException {
            channel.close();
            if (patches == 0) {
                Files.deleteIfExists(hidden);
                return;
            }
            if (!isNamed) {
                giveName(log, new LogObject(first, first + patches - 1), hidden);
                isNamed = true;
            }
            forceNames();
        }
    }

    // --- what a crash left

    /** Gives the file of a capture its name. */
    private static void giveName(StoreLog log, LogObject object, Path hidden) throws IOException {
        try {
            FolderStore.link(log.folder().resolve(object.name()), hidden);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(log.name() + ": another patch is version " + object.first() + " already, though a capture had the "
                    + "log for itself; its patches are in " + hidden.getFileName()
                    + ": look at both, and take one of them away", e);
        }
        Files.deleteIfExists(hidden);
    }

    /**
     * Puts the files that a crashed writer left into the log. The caller has the lock.
     *
     * @throws FormatException a file has other damage than a crash can cause
     */
    private static void settle(StoreLog log) throws IOException {
        for (long first : log.store().folder().parts()) {
            settle(log, first);
        }
    }

    /** Settles the file that begins with a version, as {@link #settle(StoreLog)} does. */
    static void settle(StoreLog log, long first) throws IOException {
        FolderStore files = log.store().folder();
        Path hidden = files.partFile(first);
        List<StoredSlice> slices = StoredSlice.of(hidden);
        Path file = files.path().resolve(new LogObject(first, first + slices.size() - 1).name());
        if (Files.exists(file) && Files.isSameFile(file, hidden)) {
            Files.delete(hidden); // it has its name already
            return;
        }
        LogHead head = log.head();
        PatchHeader begins = headerOf(slices.get(0));
        if (first == head.version() + 1 && isOfOtherHistory(log, begins)) {
            setAside(log, hidden, "its first patch was to follow " + (begins.prev() == null ? "none" : "patch " + begins.prev())
                    + ", and the log ends with " + head + ", or has another history up to that");
            return;
        }
        if (first <= head.version()) {
            settleCopy(log, hidden, slices, first);
            return;
        }
        List<StoredSlice> whole = wholePatches(log, hidden, slices);
        if (whole.isEmpty()) {
            Files.delete(hidden);
            return;
        }
        if (!areOf(log, whole, first)) {
            setAside(log, hidden, "it is of another log, or was damaged");
            return;
        }
        if (first > head.version() + 1) {
            throw new IOException(log.name() + ": " + hidden.getFileName() + " goes on behind version " + (first - 1)
                    + ", and the log ends with version " + head.version() + "; check the log");
        }
        complete(log, new LogObject(first, first + whole.size() - 1), hidden, whole);
    }

    /** Settles a file whose first version the log has: deletes it if the log has all of it, or else sets it aside. */
    private static void settleCopy(StoreLog log, Path hidden, List<StoredSlice> slices, long first) throws IOException {
        List<StoredSlice> whole;
        try {
            whole = wholePatches(log, hidden, slices);
        } catch (IOException | FormatException e) {
            setAside(log, hidden, "it is damaged, and the log has version " + first + " by now: " + e.getMessage());
            return;
        }
        if (hasAll(log, whole, first)) {
            Files.delete(hidden); // they were put into the log, and a compaction has joined their file since
        } else {
            setAside(log, hidden, "the log has other patches by now from version " + first + " on");
        }
    }

    private static boolean isOfOtherHistory(StoreLog log, PatchHeader begins) throws IOException {
        return begins != null && (begins.chain() == null || !begins.chain().before().equals(log.headHash()));
    }

    /**
     * Puts the file that begins with a version into the log, though versions before it are missing. The caller has the lock.
     *
     * @param isRepair false to change nothing
     * @return the name that it gets; null if it stays as it is, since settling it sets it aside or refuses it
     */
    static String settleBehindGap(StoreLog log, long first, boolean isRepair) throws IOException {
        Path hidden = log.store().folder().partFile(first);
        List<StoredSlice> whole;
        try {
            whole = wholePatches(log, hidden, StoredSlice.of(hidden));
            if (whole.isEmpty() || !areOf(log, whole, first)) {
                return null;
            }
        } catch (IOException | RuntimeException e) {
            return null; // it is damaged
        }
        LogObject object = new LogObject(first, first + whole.size() - 1);
        if (isRepair) {
            complete(log, object, hidden, whole);
        }
        return object.name();
    }

    /**
     * Returns the object of the file that begins with a version behind the head, if it has other damage than a crash can cause, so
     * that settling it throws an error; null if not.
     */
    static LogObject findDamaged(StoreLog log, long first, long head) throws IOException {
        Path hidden = log.store().folder().partFile(first);
        List<StoredSlice> slices;
        try {
            slices = StoredSlice.of(hidden);
            if (first == head + 1 && log.head().version() == head && isOfOtherHistory(log, headerOf(slices.get(0)))) {
                return null;
            }
        } catch (IOException | RuntimeException e) {
            return null; // a capture has just given it its name, or the head is damaged
        }
        try {
            areOf(log, wholePatches(log, hidden, slices), first);
            return null;
        } catch (IOException | RuntimeException e) {
            return Files.exists(hidden) ? new LogObject(first, first + slices.size() - 1) : null;
        }
    }

    /** Gives a damaged file the name of its object, which a repair then splits. The caller has the lock. */
    static void nameDamaged(StoreLog log, LogObject object) throws IOException {
        giveName(log, object, log.store().folder().partFile(object.first()));
        log.store().folder().force();
    }

    /** Takes away what a crash cut, and gives the file its name. */
    private static void complete(StoreLog log, LogObject object, Path hidden, List<StoredSlice> whole) throws IOException {
        try (FileChannel channel = FileChannel.open(hidden, StandardOpenOption.WRITE)) {
            channel.truncate(whole.get(whole.size() - 1).end());
            channel.force(true);
        }
        giveName(log, object, hidden);
        log.store().folder().force();
    }

    /**
     * Returns the complete patches of a file that a crash left.
     *
     * @throws FormatException it has other damage than a crash can cause
     */
    private static List<StoredSlice> wholePatches(StoreLog log, Path hidden, List<StoredSlice> slices) throws IOException {
        long end = endOfPatches(slices);
        requireOneCutPatch(log, hidden, slices.get(slices.size() - 1).from(end));
        return slices.stream().filter(patch -> patch.offset() < end).map(patch -> patch.upTo(end)).toList();
    }

    /** Returns the headers of a patch; null if they can't be read. */
    private static PatchHeader headerOf(StoredSlice patch) throws IOException {
        try (PatchSource<byte[]> source = patch.read(patch.file(), new Utf8Terms())) {
            return HeaderReader.readHeader(source);
        } catch (FormatException e) {
            return null;
        }
    }

    /**
     * Returns true if patches were written as these versions of the log. If they belong to another log, none was.
     *
     * @throws FormatException some were, and one is damaged
     */
    private static boolean areOf(StoreLog log, List<StoredSlice> patches, long first) throws IOException {
        RuntimeException fault = null;
        int sound = 0;
        long version = first;
        for (StoredSlice patch : patches) {
            StoredPatches.Checked read = StoredPatches.checkPatch(patch, patch.file(), log.id(), version++);
            fault = fault == null ? read.fault() : fault;
            sound += read.fault() == null ? 1 : 0;
        }
        if (sound > 0 && fault != null) {
            throw fault;
        }
        return sound > 0;
    }

    /** Returns true if the log has these patches from a version on. */
    private static boolean hasAll(StoreLog log, List<StoredSlice> patches, long first) throws IOException {
        long version = first;
        long head = log.headVersion();
        for (StoredSlice patch : patches) {
            PatchHeader said = StoredPatches.checkPatch(patch, patch.file(), log.id(), version).header();
            if (version > head || said == null || version >= log.first()
                    && !said.equals(log.patches().rowOf(version).header())) {
                return false;
            }
            version++;
        }
        return true;
    }

    /** Moves a file aside that must not be put into the log, and logs a warning. */
    private static void setAside(StoreLog log, Path hidden, String why) throws IOException {
        String name = hidden.getFileName().toString().substring(1);
        Path quarantine = Files.createDirectories(log.folder().resolve(FolderStore.QUARANTINE));
        Path place = quarantine.resolve(name);
        for (int again = 1; Files.exists(place); again++) {
            place = quarantine.resolve(name + "." + again);
        }
        Files.writeString(place.resolveSibling(place.getFileName() + ".reason.txt"), why + "\n");
        Files.move(hidden, place, StandardCopyOption.ATOMIC_MOVE);
        log.store().folder().force();
        System.getLogger(CaptureWriter.class.getName()).log(System.Logger.Level.WARNING, log.name() + ": "
                + hidden.getFileName() + ", which a capture left, is not taken into the log: " + why + "; it is "
                + FolderStore.QUARANTINE + "/" + place.getFileName() + " now");
    }

    /** Checks that at most one patch is cut, since a crash can't cut more. */
    private static void requireOneCutPatch(StoreLog log, Path hidden, StoredSlice rest) throws IOException {
        try (InputStream bytes = rest.open()) {
            if (StreamFrames.countBeginnings(bytes) > 1) {
                throw new IOException(log.name() + "/" + hidden.getFileName() + " is damaged at byte " + rest.offset()
                        + ", and has whole patches behind that; get the file from a backup, or repair the log");
            }
        }
    }

    /** Returns the offset of the end of the last complete patch of a file. */
    private static long endOfPatches(List<StoredSlice> slices) throws IOException {
        StoredSlice last = slices.get(slices.size() - 1);
        long frames = 0;
        try (StreamFrames found = new StreamFrames(last.open())) {
            while (found.next()) {
                frames = found.end();
            }
        }
        if (frames == 0) {
            return last.offset(); // even the first frame is incomplete
        }
        StoredSlice whole = last.upTo(last.offset() + frames);
        try (PatchSource<byte[]> patch = new PatchReader<>(whole.open(), last.file(), new Utf8Terms(), ReadOptions.STRICT)) {
            EntryCheck.checkPatch(patch);
            return whole.end();
        } catch (FormatException e) {
            if (!CUT_OFF.contains(e.rule())) {
                throw e;
            }
            return last.offset();
        }
    }
}
