package io.jellybridge.jena.capture;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;

/**
 * A log that is a folder of files: {@code 0000000001.jellyp}, {@code 0000000002.jellyp} and so on, whose names sort. Each
 * is whole, and never changes: while it is written it has a hidden name, {@code .0000000001.jellyp.part}.
 *
 * <p>What {@link #append} returned from is in the folder whatever becomes of the process, and of the machine too with
 * {@code fsync}. Opening the folder again completes what a crash left: the hidden file loses the patch that it ends
 * within, if any, and gets its name. One capture at a time has the folder; a lock on {@code .capture.lock} holds that, as
 * far as the file system knows locks.
 *
 * <p>Files at the log's beginning may be moved away, all of them even: the chain goes on from the dataset's position.
 */
final class CaptureFolder implements CaptureLog {
    private static final Pattern NAME = Pattern.compile("\\d{10}\\.jellyp");
    private static final Pattern PART = Pattern.compile("\\.\\d{10}\\.jellyp\\.part");
    private static final String LOCK = ".capture.lock";
    /** The faults of a file that is cut off: bytes are missing, an open transaction, no mark, no options. */
    private static final Set<String> CUT_OFF = Set.of("P-125", "P-105", "P-24", "P-40");

    private final Path folder;
    private final CaptureOptions options;
    private final FileChannel lock;
    private long number;
    private Node head;
    private Node begun;
    /** What the file that is being written holds, or will; null when the next patch begins one. */
    private CaptureStream stream;
    /** The file that is being written; null when the next patch begins one. */
    private Part part;
    private Exception broken;

    /**
     * Opens the folder, or makes it.
     *
     * @throws IllegalStateException    another capture has it
     * @throws IllegalArgumentException it holds patches that are of no capture
     * @throws FormatException     the last file is damaged otherwise than by a crash
     */
    CaptureFolder(Path folder, CaptureOptions options) throws IOException {
        if (Files.isRegularFile(folder)) {
            throw new IOException(
                    folder + " is a file; capture into a folder, or into a new file whose name ends with .jellyp");
        }
        this.folder = Files.createDirectories(folder);
        this.options = options;
        this.lock = lock();
        try {
            recover();
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    private FileChannel lock() throws IOException {
        FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            held = null;
        }
        if (held == null) {
            channel.close();
            throw new IllegalStateException("another capture writes into " + folder + "; close it first, or take another "
                    + "folder");
        }
        return channel;
    }

    // --- what is there

    private void recover() throws IOException {
        for (Path file : list(PART)) {
            complete(file);
        }
        List<Path> files = files();
        if (!files.isEmpty()) {
            Path last = files.get(files.size() - 1);
            number = Long.parseLong(last.getFileName().toString().substring(0, 10));
            List<CapturedPatch> patches = CapturedPatch.readAll(last).patches();
            head = patches.get(patches.size() - 1).id();
        }
    }

    private void complete(Path file) throws IOException {
        CapturedPatch.Content content = CapturedPatch.readAll(file);
        FormatException fault = content.fault();
        if (fault != null && !CUT_OFF.contains(fault.rule())) {
            throw fault;
        }
        if (content.patches().isEmpty()) {
            Files.delete(file);
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(content.bytes());
            channel.force(true);
        }
        String name = file.getFileName().toString();
        Files.move(file, folder.resolve(name.substring(1, name.length() - ".part".length())),
                StandardCopyOption.ATOMIC_MOVE);
    }

    /** The files, in the order of the log. */
    List<Path> files() throws IOException {
        return list(NAME);
    }

    private List<Path> list(Pattern pattern) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> found = new ArrayList<>();
            for (Path entry : entries.sorted().toList()) {
                String name = entry.getFileName().toString();
                if (pattern.matcher(name).matches()) {
                    found.add(entry);
                } else if (!name.startsWith(".") && !NAME.matcher(name).matches()) {
                    throw new IllegalArgumentException("the folder " + folder + " holds " + name
                            + ", which is of no capture; give an empty or new folder, or that of a capture");
                }
            }
            return found;
        }
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public Node head() {
        return head;
    }

    /** Begins the chain of an empty folder after a patch that is not in it. */
    void continueAfter(Node id) {
        head = id;
    }

    // --- appending

    @Override
    public void begin(Node id) throws IOException {
        refuseWhenBroken();
        rotateWhenFull();
        if (stream == null) {
            stream = new CaptureStream(folder, options);
        }
        stream.begin(id, head);
        begun = id;
    }

    @Override
    public PatchHandler<Node> rows() {
        return stream.rows();
    }

    @Override
    public void drop() {
        if (stream != null) {
            stream.drop();
        }
    }

    @Override
    public long append() throws IOException {
        refuseWhenBroken();
        if (part == null) {
            part = new Part(number + 1);
        }
        long rows = part.append();
        head = begun;
        try {
            rotateWhenFull();
        } catch (IOException e) {
            // The patch is safe, so this must not abort its transaction. The next one tries again.
        }
        return rows;
    }

    private void refuseWhenBroken() throws IOException {
        if (broken != null) {
            throw new IOException(folder + " can't be written: " + broken.getMessage()
                    + "; end the capture and begin it again, which completes the folder", broken);
        }
    }

    private void rotateWhenFull() throws IOException {
        if (part != null && part.isFull()) {
            rotate();
        }
    }

    @Override
    public void rotate() throws IOException {
        if (part == null) {
            return;
        }
        part.complete();
        part = null;
        if (!stream.hasOpenPatch()) {
            stream = null;
            return;
        }
        try {
            stream = stream.alone(file(number));
        } catch (IOException | RuntimeException e) {
            broken = e;
            throw e;
        }
    }

    private Path file(long fileNumber) {
        return folder.resolve(String.format("%010d.jellyp", fileNumber));
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            refuseWhenBroken();
            rotate();
        }
    }

    /** Lets another capture have the folder, as the end of the process does. */
    void releaseLock() throws IOException {
        lock.close();
    }

    /** What was committed stays in the log. */
    @Override
    public void abort() throws IOException {
        close();
    }

    /** Makes names durable. Where folders can't be opened there is no way to, and none is needed. */
    private void forceNames() throws IOException {
        if (!options.fsync()) {
            return;
        }
        FileChannel names;
        try {
            names = FileChannel.open(folder, StandardOpenOption.READ);
        } catch (IOException e) {
            return;
        }
        try (names) {
            names.force(true);
        }
    }

    /** The file that is being written. */
    private final class Part {
        private final long fileNumber;
        private final Path hidden;
        private final FileChannel channel;
        private final OutputStream out;
        /** Up to where the file holds whole patches, */
        private long size;
        /** and how many. */
        private long patches;

        Part(long fileNumber) throws IOException {
            this.fileNumber = fileNumber;
            this.hidden = folder.resolve(String.format(".%010d.jellyp.part", fileNumber));
            this.channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            this.out = Channels.newOutputStream(channel);
            forceNames();
        }

        long append() throws IOException {
            try {
                long rows = stream.append(out);
                if (options.fsync()) {
                    channel.force(false);
                }
                size = channel.position();
                patches++;
                return rows;
            } catch (IOException | RuntimeException e) {
                takeBack(e);
                throw e;
            }
        }

        /** Takes a patch back that could be written in part only, and begins another file, since the stream can't go on. */
        private void takeBack(Exception cause) {
            stream.drop();
            try {
                channel.truncate(size);
                rotate();
            } catch (IOException | RuntimeException e) {
                cause.addSuppressed(e);
                broken = cause;
            }
        }

        /** Also when it could be completed in part only. */
        boolean isFull() {
            return size >= options.maxBytes() || patches >= options.maxPatches() || !channel.isOpen();
        }

        void complete() throws IOException {
            if (patches == 0) {
                channel.close();
                Files.deleteIfExists(hidden);
                return;
            }
            channel.close();
            Files.move(hidden, file(fileNumber), StandardCopyOption.ATOMIC_MOVE);
            number = fileNumber;
            forceNames();
        }
    }
}
