package io.jellybridge.log;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.FileSlice;
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
 * Who appends to a {@link FolderLog} alone, for as long as it is open: a capture. Patches go to the end of a hidden file,
 * which gets its name, and so is in the log, when it is rotated: when it is large, has many patches or is old enough, when
 * it is asked for, or at the end. Appends of others are refused meanwhile.
 *
 * <p>What {@link #append} returned from is in the log whatever becomes of the process, and of the machine too with {@code
 * fsync}: whoever opens the log to write, be it by an append, first completes the file that a crash left. It loses the patch
 * that it ends within, if any.
 */
public final class LogWriter implements Closeable {
    /** The faults of whole frames that end within a patch: an open transaction, no mark. */
    private static final Set<String> CUT_OFF = Set.of("P-105", "P-24");

    private final FolderLog log;
    private final LogFolder files;
    private final Rotation rotation;
    private final boolean fsync;
    private final FolderLock lock;
    private LogHead head;
    private String headHash;
    /** The file that is being written; null when the next patch begins one. */
    private Part part;
    private Exception broken;
    /** Rotates a file that is old enough; null before the first one. */
    private ScheduledExecutorService clock;

    /**
     * When a file ends.
     *
     * @param maxBytes   with the patch that makes it so large
     * @param maxPatches with the patch that is the so manieth in it
     * @param maxMillis  so long after its first patch
     */
    public record Rotation(long maxBytes, long maxPatches, long maxMillis) {

        /** @throws IllegalArgumentException a limit is not positive */
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
     * @throws IllegalStateException another one has the log
     * @throws FormatException       the file that a crash left is damaged otherwise than by a crash
     */
    public LogWriter(FolderLog log, Rotation rotation, boolean fsync) throws IOException {
        this.log = log;
        this.files = log.files();
        this.rotation = rotation;
        this.fsync = fsync;
        this.lock = files.lockForWriter();
        if (lock == null) {
            throw new IllegalStateException("another capture writes into " + files.name()
                    + ", or an append is under way; close it first, or take another folder");
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

    /** The newest patch, be its file rotated or not. */
    public synchronized LogHead head() {
        return head;
    }

    /** The place of the next patch. */
    public synchronized ChainPlace next() throws IOException {
        return new ChainPlace(log.id(), head.version() + 1, headHash);
    }

    /**
     * Makes sure that a patch can be appended.
     *
     * @throws IOException the file that is full can't be completed, or nothing more is taken after a failure
     */
    public synchronized void prepare() throws IOException {
        refuseWhenBroken();
        rotateWhenFull();
    }

    /**
     * Appends a patch.
     *
     * @param id    the patch's
     * @param hash  the patch's own, at the place that {@link #next} says
     * @param patch its bytes: a delimited stream of its own, with that id, the head's as prev, and that chain
     * @throws IOException its bytes can't be written. Nothing of it is in the log, and the log goes on; when even that can't
     *                     be had, nothing more is taken
     */
    public synchronized void append(String id, String hash, InputStream patch) throws IOException {
        refuseWhenBroken();
        if (part == null) {
            requireHead();
            part = new Part(head.version() + 1);
        }
        part.append(patch);
        head = new LogHead(head.version() + 1, PatchIds.parse(id));
        headHash = hash;
        try {
            rotateWhenFull();
        } catch (IOException e) {
            // The patch is safe, so this must not fail its transaction. The next one tries again.
        }
    }

    /** The log ends still with what this appended last. */
    private void requireHead() throws IOException {
        LogHead found = log.head();
        if (!found.equals(head) || !log.headHash().equals(headHash)) {
            throw new IOException(files.name() + " ends with " + found + ", and a capture that has it for itself ended it with "
                    + head + ": another copy took its place; end the capture, and look at both");
        }
    }

    private void refuseWhenBroken() throws IOException {
        if (broken != null) {
            throw new IOException(files.name() + " can't be written: " + ExceptionMessages.text(broken)
                    + "; end the capture and begin it again, which completes the log", broken);
        }
    }

    private void rotateWhenFull() throws IOException {
        if (part != null && part.isFull()) {
            rotate();
        }
    }

    /** Ends the file that is being written, so that it is in the log; does nothing when it has no patch. */
    public synchronized void rotate() throws IOException {
        if (part != null) {
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
            // The patches are safe in the hidden file. The next one, or the end, tries again and tells.
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (clock != null) {
            clock.shutdownNow();
        }
        try (lock) {
            refuseWhenBroken();
            rotate();
        }
    }

    /** Lets another one have the log, as the end of the process does. */
    public void releaseLock() throws IOException {
        lock.close();
    }

    private void rotateLater(Part begun) {
        if (clock == null) {
            clock = Executors.newSingleThreadScheduledExecutor(work -> {
                Thread thread = new Thread(work, "jellybridge log rotation");
                thread.setDaemon(true);
                return thread;
            });
        }
        clock.schedule(() -> rotateOld(begun), rotation.maxMillis(), TimeUnit.MILLISECONDS);
    }

    /** Makes names durable. */
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
        /** Up to where the file holds whole patches, */
        private long size;
        /** and how many. */
        private long patches;

        Part(long first) throws IOException {
            this.first = first;
            this.hidden = files.part(first);
            this.channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            forceNames();
        }

        void append(InputStream patch) throws IOException {
            try {
                patch.transferTo(Channels.newOutputStream(channel));
                if (fsync) {
                    channel.force(false);
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

        /** Takes a patch back that could be written in part only. */
        private void takeBack(Exception cause) {
            boolean interrupted = Thread.interrupted(); // which would close the channel once more
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

        /** Also when it could be completed in part only. */
        boolean isFull() {
            return size >= rotation.maxBytes() || patches >= rotation.maxPatches() || !channel.isOpen();
        }

        void complete() throws IOException {
            channel.close();
            if (patches == 0) {
                Files.deleteIfExists(hidden);
                return;
            }
            name(log, first, hidden);
            forceNames();
        }
    }

    // --- what a crash left

    /** Gives the file of a capture its name. */
    private static void name(FolderLog log, long first, Path hidden) throws IOException {
        Path file = log.files().file(first);
        try {
            LogFolder.link(file, hidden);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(log.name() + ": another patch is version " + first + " already, though a capture had the "
                    + "log for itself; its patches are in " + hidden.getFileName()
                    + ": look at both, and take one of them away", e);
        }
        Files.deleteIfExists(hidden);
    }

    /**
     * Takes into the log what a writer left that did not end. The caller has the lock.
     *
     * @throws FormatException the file is damaged otherwise than by a crash
     */
    static void settle(FolderLog log) throws IOException {
        for (long first : log.files().parts()) {
            settle(log, first);
        }
    }

    /** As {@link #settle}, of the file that goes on behind the head, where there is one. */
    static void settleBehind(FolderLog log, long head) throws IOException {
        if (Files.exists(log.files().part(head + 1))) {
            settle(log, head + 1);
        }
    }

    private static void settle(FolderLog log, long first) throws IOException {
        Path hidden = log.files().part(first);
        Path file = log.files().file(first);
        if (Files.exists(file) && Files.isSameFile(file, hidden)) {
            Files.delete(hidden); // it has its name already
            return;
        }
        String part = hidden.getFileName().toString();
        List<FileSlice> slices = LogFolder.slices(hidden);
        LogHead head = log.head();
        PatchHeader begins = headerOf(slices.get(0));
        if (begins != null && first == head.version() + 1
                && (begins.chain() == null || !begins.chain().before().equals(log.headHash()))) {
            setAside(log, hidden, "its first patch was to follow " + (begins.prev() == null ? "none" : "patch " + begins.prev())
                    + ", and the log ends with " + head + ", or has another history up to that");
            return;
        }
        long end = endOfPatches(slices);
        requireOneCutPatch(log, part, new FileSlice(hidden, end, Files.size(hidden) - end));
        if (end == 0) {
            Files.delete(hidden);
            return;
        }
        List<FileSlice> whole = slices.stream().filter(patch -> patch.offset() < end)
                .map(patch -> new FileSlice(hidden, patch.offset(), Math.min(patch.end(), end) - patch.offset())).toList();
        if (first <= head.version()) {
            if (hasAll(log, whole, first)) {
                Files.delete(hidden); // they came into the log, and their file was joined to others since
            } else {
                setAside(log, hidden, "the log has other patches by now from version " + first + " on");
            }
            return;
        }
        if (!areOf(log, whole, first)) {
            setAside(log, hidden, "it is of another log, or was damaged");
            return;
        }
        if (first > head.version() + 1) {
            throw new IOException(log.name() + ": " + part + " goes on behind version " + (first - 1)
                    + ", and the log ends with version " + head.version() + "; check the log");
        }
        try (FileChannel channel = FileChannel.open(hidden, StandardOpenOption.WRITE)) {
            channel.truncate(end);
            channel.force(true);
        }
        name(log, first, hidden);
        log.files().force();
    }

    /** What a patch says of itself; null where that can't be read. */
    private static PatchHeader headerOf(FileSlice patch) throws IOException {
        try (PatchSource<byte[]> source = StoredPatches.read(patch, patch.file().toString(), new Utf8Terms())) {
            return HeaderReader.read(source);
        } catch (FormatException e) {
            return null;
        }
    }

    /**
     * Whether patches were written as these versions of the log; none of them was, where they are of another log.
     *
     * @throws FormatException some were, and one is damaged
     */
    private static boolean areOf(FolderLog log, List<FileSlice> patches, long first) throws IOException {
        RuntimeException fault = null;
        int sound = 0;
        for (FileSlice patch : patches) {
            StoredPatches.Checked read =
                    StoredPatches.check(patch, patch.file().toString(), log.id(), first + patches.indexOf(patch));
            fault = fault == null ? read.fault() : fault;
            sound += read.fault() == null ? 1 : 0;
        }
        if (sound > 0 && fault != null) {
            throw fault;
        }
        return sound > 0;
    }

    /** Whether the log has these patches, from a version on. */
    private static boolean hasAll(FolderLog log, List<FileSlice> patches, long first) throws IOException {
        long version = first;
        for (FileSlice patch : patches) {
            PatchHeader said = StoredPatches.check(patch, patch.file().toString(), log.id(), version).header();
            if (version > log.headVersion() || said == null || version >= log.first()
                    && !said.equals(log.patches().row(version).header())) {
                return false;
            }
            version++;
        }
        return true;
    }

    /** Puts away what is not to come into the log, and says so. */
    private static void setAside(FolderLog log, Path hidden, String why) throws IOException {
        String name = hidden.getFileName().toString().substring(1);
        Path quarantine = Files.createDirectories(log.folder().resolve(LogFolder.QUARANTINE));
        Path place = quarantine.resolve(name);
        for (int again = 1; Files.exists(place); again++) {
            place = quarantine.resolve(name + "." + again);
        }
        Files.writeString(place.resolveSibling(place.getFileName() + ".reason.txt"), why + "\n");
        Files.move(hidden, place, StandardCopyOption.ATOMIC_MOVE);
        log.files().force();
        System.getLogger(LogWriter.class.getName()).log(System.Logger.Level.WARNING, log.name() + ": "
                + hidden.getFileName() + ", which a capture left, is not taken into the log: " + why + "; it is "
                + LogFolder.QUARANTINE + "/" + place.getFileName() + " now");
    }

    /** A crash cuts one patch off at the most. */
    private static void requireOneCutPatch(FolderLog log, String part, FileSlice cut) throws IOException {
        try (InputStream bytes = cut.open()) {
            if (StreamFrames.beginnings(bytes) > 1) {
                throw new IOException(log.files().nameOf(part) + " is damaged at byte " + cut.offset()
                        + ", and has whole patches behind that; keep a copy of it, and get the file from a backup");
            }
        }
    }

    /** Where the last whole patch of a file ends. */
    private static long endOfPatches(List<FileSlice> slices) throws IOException {
        FileSlice last = slices.get(slices.size() - 1);
        long frames = 0;
        try (StreamFrames found = new StreamFrames(last.open())) {
            while (found.next()) {
                frames = found.end();
            }
        }
        if (frames == 0) {
            return last.offset(); // not even the first frame is whole
        }
        FileSlice whole = new FileSlice(last.file(), last.offset(), frames);
        try (PatchSource<byte[]> patch =
                new PatchReader<>(whole.open(), last.file().toString(), new Utf8Terms(), ReadOptions.STRICT)) {
            EntryCheck.check(patch);
            return whole.end();
        } catch (FormatException e) {
            if (!CUT_OFF.contains(e.rule())) {
                throw e;
            }
            return last.offset();
        }
    }
}
