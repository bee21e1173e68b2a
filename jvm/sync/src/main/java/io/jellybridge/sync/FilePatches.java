package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.files.Compression;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.log.ContentHash;
import io.jellybridge.log.EntryCheck;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** The patches of files, in their order. A file has a format that {@link PatchFiles} reads. */
public final class FilePatches {

    private FilePatches() {
    }

    /**
     * The patches of files.
     *
     * @param patches    the patches, in the order of the files
     * @param unfinished a message that the last file ends within a transaction; null if it does not. The list does not have
     *                   that transaction, since the file may still be being written
     */
    public record Listing(List<SyncPatch> patches, String unfinished) {
    }

    /**
     * Lists the patches of files. It reads their headers. If the format can skip statements, it does not decode their terms,
     * and a fault in them shows when the patch is read. If a file is invalid otherwise, the list has the patches before the
     * fault, then one that can't be read. A placeholder for a patch that a log lost can't be read either.
     *
     * <p>If the last file is text, it is read up to its last complete transaction. Rows that are appended later are not part
     * of the patches.
     *
     * @param progress receives the progress in each file
     * @throws IOException a file can't be read
     */
    public static Listing listPatches(List<Path> files, ProgressListener progress) throws IOException {
        List<SyncPatch> patches = new ArrayList<>();
        String unfinished = null;
        for (int i = 0; i < files.size(); i++) {
            progress.reading(0);
            unfinished = addPatches(new SeenFile(files.get(i)), i == files.size() - 1, patches, progress);
        }
        return new Listing(patches, unfinished);
    }

    /** Returns only the patches of {@link #listPatches}. */
    public static List<SyncPatch> list(List<Path> files, ProgressListener progress) throws IOException {
        return listPatches(files, progress).patches();
    }

    private static String addPatches(SeenFile file, boolean last, List<SyncPatch> patches, ProgressListener progress)
            throws IOException {
        Scan scan = new Scan(file, patches);
        MessageDigest digest = ContentHash.newSha256();
        Patches watched = new WatchedPatches(PatchFiles.openPatches(file.place(), new ProgressMeter(digest)), progress);
        try (PatchSource<byte[]> source = watched.open(new Utf8Terms())) {
            scan.readPatch(source);
            file.hash = HexFormat.of().formatHex(digest.digest());
        } catch (FormatException e) {
            if (last && e.wholeBytes() >= 0 && Compression.ofFile(file.path.toString()) == Compression.NONE) {
                scan.cut(e.wholeBytes());
                return file.path.getFileName() + " ends within a transaction (byte " + e.wholeBytes()
                        + " on), which waits for its end";
            }
            scan.addPatch(e, scan.rows());
        }
        return null;
    }

    /** A file at the time of its listing. It may have grown since, or another file may have its name now. */
    private static final class SeenFile {
        private final Path path;
        /** The file system's key, which differs for another file of that name; null if the system has none. */
        private final Object key;
        /** The number of bytes that hold the patches. */
        private long bytes;
        /** The SHA-256 of these bytes; null if some can't be read. */
        private String hash;

        SeenFile(Path path) throws IOException {
            this.path = path;
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            key = attributes.fileKey();
            bytes = attributes.size();
        }

        FileLocation place() {
            return new FileLocation(path.toString()).upTo(bytes);
        }

        /**
         * Opens the file for reading.
         *
         * @throws IOException another file has its name now
         */
        <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            PatchSource<T> source = PatchFiles.read(place(), null, terms, false);
            if (Objects.equals(key, Files.readAttributes(path, BasicFileAttributes.class).fileKey())) {
                return source;
            }
            source.close();
            throw changedFileError();
        }

        IOException changedFileError() {
            return new IOException(path + " was replaced or rewritten since the sync looked through it; sync again");
        }
    }

    /** A handler that finds the patches of a file. */
    private static final class Scan extends PatchAdapter<byte[]> {
        private final SeenFile file;
        private final List<SyncPatch> found;
        private long number;
        private final IdHeaders<String> ids = new IdHeaders<>();
        private PatchSource<byte[]> source;
        /** The number of rows before this patch, and up to the last transaction that has ended. */
        private long rowsBefore;
        private long rowsWhole;
        private RuntimeException lost;

        Scan(SeenFile file, List<SyncPatch> found) {
            this.file = file;
            this.found = found;
        }

        void readPatch(PatchSource<byte[]> patches) throws IOException {
            source = patches;
            source.select(Selection.none());
            source.readAll(this);
        }

        /** Ends the last patch after the last complete transaction. The rows after that byte belong to no patch yet. */
        void cut(long wholeBytes) {
            file.bytes = wholeBytes;
            if (rowsWhole > rowsBefore) {
                addPatch(lost, rowsWhole);
            }
        }

        private long rows() {
            return source == null ? 0 : source.numbers().row() + 1;
        }

        private void addPatch(RuntimeException fault, long rows) {
            found.add(new FilePatch(file, number, ids.id(), ids.prev(), rows - rowsBefore, 0, file.bytes / (number + 1), fault));
            number++;
            ids.clear();
            rowsBefore = rows;
            lost = null;
        }

        @Override
        public void header(byte[] key, byte[] value) {
            String name = IdHeaders.nameOf(key);
            if (name != null) {
                ids.put(name, new String(value, UTF_8));
            } else if (EntryCheck.isLost(key)) {
                lost = EntryCheck.lossError(source, value);
            }
        }

        @Override
        public void transaction(Op op) {
            if (op != Op.TX) {
                rowsWhole = rows();
            }
        }

        @Override
        public void endPatch() {
            addPatch(lost, rows());
        }
    }

    /** A patch of a file, with its number from 0. */
    private record FilePatch(SeenFile seen, long number, String id, String prev, long all, long applied, long bytes,
            RuntimeException fault) implements SyncPatch {

        @Override
        public Path file() {
            return seen.path;
        }

        @Override
        public String name() {
            return seen.path.getFileName() + "#" + number;
        }

        @Override
        public long rows() {
            return all - applied;
        }

        @Override
        public String fileHash() {
            return seen.hash;
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return new OnePatch<>(seen.open(terms), this, applied);
        }
    }

    /** Returns the rest of a patch that has grown since its first rows, including headers, were applied. */
    public static SyncPatch restOf(SyncPatch patch, long applied) {
        FilePatch of = (FilePatch) patch;
        return new FilePatch(of.seen, of.number, of.id, of.prev, of.all, applied, of.bytes, of.fault);
    }

    /** Reads one patch and skips those before it. It throws an error if the number of its rows has changed. */
    private static class OnePatch<T> implements ForwardingSource<T, T> {
        private final PatchSource<T> source;
        private final FilePatch patch;
        private long rowsBefore;
        private long left;
        private boolean isRead;

        /**
         * Creates a source.
         *
         * @param applied the number of rows to skip at the beginning of the patch
         */
        OnePatch(PatchSource<T> source, FilePatch patch, long applied) {
            this.source = source;
            this.patch = patch;
            this.left = applied;
            this.rowsBefore = source.numbers().row() + 1;
        }

        @Override
        public PatchSource<T> source() {
            return source;
        }

        /** Returns true if the patch was read to its end. */
        final boolean isRead() {
            return isRead;
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            if (source.numbers().patches() < patch.number) {
                skipPatches();
            }
            while (left > 0 && nextOfPatch(new PatchAdapter<>())) {
                left--;
            }
            return nextOfPatch(handler);
        }

        private boolean nextOfPatch(PatchHandler<T> handler) throws IOException {
            if (source.numbers().patches() <= patch.number && source.next(handler)) {
                return true;
            }
            if (source.numbers().row() + 1 - rowsBefore != patch.all) {
                throw patch.seen.changedFileError();
            }
            isRead = true;
            return false;
        }

        private void skipPatches() throws IOException {
            source.select(Selection.notYet());
            while (source.numbers().patches() < patch.number && source.next(new PatchAdapter<>())) {
                // the patches before
            }
            rowsBefore = source.numbers().row() + 1;
            source.select(Selection.all());
        }
    }

    /**
     * Reads patches in their order. The file of a patch stays open for the next one, so a file is read once, however many
     * batches its patches are divided into. A patch that is before the cursor opens its file again.
     */
    public static final class Cursor implements Closeable {
        private SeenFile file;
        private PatchSource<byte[]> source;

        /**
         * Opens a whole patch, also the rows that were applied before. It is to be closed before the next one is opened.
         *
         * @throws IOException it can't be read
         */
        PatchSource<byte[]> openPatch(SyncPatch patch) throws IOException {
            if (!(patch instanceof FilePatch wanted)) {
                return patch.open(new Utf8Terms());
            }
            if (file != wanted.seen || source.numbers().patches() > wanted.number) {
                close();
                source = wanted.seen.open(new Utf8Terms());
                file = wanted.seen;
            }
            return new OnePatch<>(source, wanted, 0) {
                @Override
                public void close() throws IOException {
                    if (!isRead()) {
                        Cursor.this.close();
                    }
                }
            };
        }

        /**
         * Returns the content of a whole patch. If it is unknown, the patch is read.
         *
         * @throws RuntimeException the patch is invalid (the error of its format)
         * @throws IOException      it can't be read
         */
        public SyncPatch.Content readContent(SyncPatch patch) throws IOException {
            if (patch.known() != null) {
                return patch.known();
            }
            ContentHash content = new ContentHash();
            try (PatchSource<byte[]> source = openPatch(patch)) {
                source.readAll(content);
            }
            return new SyncPatch.Content(content.rows(), content.hash());
        }

        /**
         * Reads a patch and compares it with its earlier content: a number of rows, including headers, and a
         * {@link ContentHash}.
         *
         * @throws IOException it can't be read
         */
        public SyncPatch.Since readSince(SyncPatch patch, long rowsBefore, String hash) throws IOException {
            ContentHash content = new ContentHash();
            try (PatchSource<byte[]> source = openPatch(patch)) {
                boolean begins = false;
                do {
                    begins |= content.rows() == rowsBefore && content.hashSoFar().equals(hash);
                } while (source.next(content));
                return !begins ? SyncPatch.Since.OTHER
                        : content.rows() == rowsBefore ? SyncPatch.Since.SAME : SyncPatch.Since.LONGER;
            } catch (FormatException e) {
                return SyncPatch.Since.BROKEN;
            }
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                file = null;
                source.close();
            }
        }
    }
}
