package io.jellybridge.log;

import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.Uncloseable;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log that is a folder of Jelly-Patch files, one a patch, on a disk or a file system that several machines share. There
 * is no server.
 *
 * <p>The file of version 17 is {@code 00000000000000000017.jellyp}; versions begin with 1 and have no gaps. The ids are
 * in the files' headers, and nowhere else: the files are the log. Beside them are
 * <ul>
 *   <li>{@code patch-log.properties}, which makes the folder a log and holds its id;</li>
 *   <li>{@code .index}, see {@link LogIndex}: what is known of the patches without reading them. It may be old or missing:
 *       the head is the last of the files that follow its last version without a gap, and where that one's file is not
 *       there, the folder is listed;</li>
 *   <li>{@code .append-*}, appends that are under way or were cut off; nobody reads them;</li>
 *   <li>{@code quarantine}, what a repair put aside.</li>
 * </ul>
 *
 * <p>Append: the patch is written to a file of its own, whose bytes are forced to the disk, and which then gets the name
 * of the next version by {@code link(2)}. A link fails where the name is taken, so that of any number of processes that
 * append after the same head one wins, and the others have a {@link LogConflictException}. A process that dies leaves its
 * patch in the log, whole, or not in it. A file never changes once it has its name. This needs hard links, which local
 * file systems and NFS have; where there are none, the append fails with an {@link IOException} that says so.
 */
public final class FolderLog implements PatchLog {
    /** The options of the files: quads, in which triple terms may occur. */
    private static final PatchOptions OPTIONS = PatchOptions.DEFAULT.withRdfStar(true);

    static final String PROPERTIES = "patch-log.properties";
    static final String APPEND_PREFIX = ".append-";
    static final String SUFFIX = ".jellyp";
    /** Names that sort as their versions do. */
    private static final int DIGITS = 20;
    private static final Pattern FILE = Pattern.compile("[0-9]{" + DIGITS + "}" + Pattern.quote(SUFFIX));
    private static final Pattern ID_LINE = Pattern.compile("^id=(" + PatchIds.UUID_TEXT + ")\\s*$", Pattern.MULTILINE);
    private static final String FORMAT_LINE = "format=1\n";

    private final Path folder;
    private final String name;
    private final String id;
    private final LogIndex index;
    /** The head that was seen last; the log only grows. */
    private LogHead known = LogHead.EMPTY;
    /** Up to which version all patches were looked for in the index. */
    private long indexed;

    private FolderLog(Path folder, String name, String id) {
        this.folder = folder;
        this.name = name;
        this.id = id;
        this.index = new LogIndex(folder);
    }

    /**
     * Makes a new log.
     *
     * @throws FileAlreadyExistsException there is a log in the folder
     * @throws IOException                the folder has other files in it, or can't be made
     */
    public static FolderLog create(Path folder) throws IOException {
        return create(folder, folder.toString());
    }

    /** As {@link #create(Path)}, where errors of the log call it and its files by the name and not by the folder. */
    public static FolderLog create(Path folder, String name) throws IOException {
        Files.createDirectories(folder);
        Path properties = folder.resolve(PROPERTIES);
        if (Files.exists(properties)) {
            throw new FileAlreadyExistsException(name + " is a patch log already; open it");
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, file -> !isHidden(file))) {
            if (files.iterator().hasNext()) {
                throw new IOException(name + " has files in it; a new patch log needs a folder of its own");
            }
        }
        String id = PatchIds.random();
        Path made = temporary(folder);
        try {
            writeForced(made, FORMAT_LINE + "id=" + id + "\n");
            link(properties, made);
        } catch (FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(name + " is a patch log already; open it");
        } finally {
            Files.deleteIfExists(made);
        }
        force(folder);
        return new FolderLog(folder, name, id);
    }

    /**
     * Opens a log.
     *
     * @throws FileNotFoundException there is no log in the folder
     * @throws IOException           what makes it a log is damaged
     */
    public static FolderLog open(Path folder) throws IOException {
        return open(folder, folder.toString());
    }

    /** Whether there is a log in a folder. */
    public static boolean isLog(Path folder) {
        return Files.exists(folder.resolve(PROPERTIES));
    }

    /** As {@link #open(Path)}, where errors of the log call it and its files by the name and not by the folder. */
    public static FolderLog open(Path folder, String name) throws IOException {
        String text;
        try {
            text = text(folder.resolve(PROPERTIES));
        } catch (FileSystemException e) {
            if (!(e instanceof NoSuchFileException) && Files.isDirectory(folder)) {
                throw e;
            }
            throw new FileNotFoundException(
                    name + " is no patch log: it has no " + PROPERTIES + "; create one, or correct the path");
        }
        Matcher line = ID_LINE.matcher(text);
        if (!text.contains(FORMAT_LINE) || !line.find()) {
            throw new IOException(fileOf(name, PROPERTIES) + " is none of this version of jellybridge; it must say "
                    + FORMAT_LINE.trim() + " and id=UUID");
        }
        return new FolderLog(folder, name, PatchIds.parse(line.group(1)));
    }

    /** What is in a small file; damaged bytes, too, are characters, which the caller finds wrong. */
    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String name() {
        return name;
    }

    /** What errors call a file of a log. */
    private static String fileOf(String log, String file) {
        return log + "/" + file;
    }

    /** Where its files are. */
    public Path folder() {
        return folder;
    }

    @Override
    public long first() {
        return 1;
    }

    // --- the head

    @Override
    public LogHead head() throws IOException {
        long version = headVersion();
        if (version != known.version()) {
            known = version == 0 ? LogHead.EMPTY : new LogHead(version, idOf(version));
        }
        return known;
    }

    /** The version of the newest patch, be it damaged; 0 of an empty log. */
    public long headVersion() throws IOException {
        long version = Math.max(known.version(), index.recent());
        if (version == 0 || !Files.exists(file(version))) {
            version = listedHead();
        }
        while (Files.exists(file(version + 1))) {
            version++;
        }
        return version;
    }

    /** @throws IOException versions are missing: an append would then fork the log */
    private long listedHead() throws IOException {
        long head = 0;
        TreeSet<Long> versions = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            files.forEach(file -> versions.add(versionOf(file.getFileName().toString())));
        }
        versions.remove(0L);
        for (long version : versions) {
            if (version != head + 1) {
                throw new IOException(name + ": version " + (head + 1) + " is missing, and version " + versions.last()
                        + " is there; check the log, and repair it");
            }
            head = version;
        }
        return head;
    }

    private String idOf(long version) throws IOException {
        String found = new Entry(version).header().id();
        if (found == null) {
            throw new IOException(
                    fileOf(name, fileName(version)) + " has no header id, so it is no patch of a log; check the log");
        }
        return found;
    }

    // --- what is known of the patches

    /**
     * What is known of a version, from the index or else from the patch.
     *
     * @throws RuntimeException the patch can't be read: the error of its format
     */
    private LogIndex.Row row(long version) throws IOException {
        LogIndex.Row row = index.row(version);
        if (row == null || !row.isOf(file(version))) {
            Checked read = check(fileName(version));
            if (read.header() == null) {
                throw read.fault();
            }
            row = LogIndex.Row.of(version, read.header(), read.content(), file(version));
            index.add(row);
        }
        return row;
    }

    /** The patch with an id, up to a version; null where there is none. */
    private LogIndex.Row find(String patchId, long head) throws IOException {
        LogIndex.Row found = index.row(patchId);
        if (found == null) {
            complete(head);
            found = index.row(patchId);
        }
        if (found == null || found.version() > head) {
            return null;
        }
        LogIndex.Row now = row(found.version());
        return now.id().equals(patchId) ? now : null;
    }

    /** Reads the patches that the index does not know. */
    private void complete(long head) throws IOException {
        for (; indexed < head; indexed++) {
            if (index.row(indexed + 1) == null) {
                try {
                    row(indexed + 1);
                } catch (RuntimeException e) {
                    // Its id is not known. Who reads the log, or checks it, is told.
                }
            }
        }
    }

    /**
     * The version of the patch with an id; 0 where there is none.
     *
     * @param patchId as the header says it, a term in canonical N-Triples
     */
    public long versionWith(byte[] patchId) throws IOException {
        String id = PatchIds.of(patchId);
        LogIndex.Row found = id == null ? null : find(id, headVersion());
        return found == null ? 0 : found.version();
    }

    // --- reading

    @Override
    public LogEntries fetch(long from, long to) throws IOException {
        long first = Math.max(from, first());
        long last = Math.min(to, head().version());
        return new LogEntries() {
            private long next = first;

            @Override
            public LogEntry next() {
                return next <= last ? new Entry(next++) : null;
            }

            @Override
            public void close() {
                // each patch is opened and closed by whoever reads it
            }
        };
    }

    /** One patch, in its file. */
    private final class Entry extends StoredEntry {

        Entry(long version) {
            super(version, null);
        }

        @Override
        public PatchHeader header() throws IOException {
            LogIndex.Row row = index.row(version());
            return row != null && row.isOf(file(version())) ? new PatchHeader(row.id(), row.prev()) : super.header();
        }

        @Override
        public String hash() throws IOException {
            return row(version()).hash();
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return read(file(version()), name(), terms);
        }

        @Override
        public String name() {
            return fileOf(name, fileName(version()));
        }
    }

    /** Reads a file of the folder, whatever its name is, to its end. */
    public FileHeader read(String fileName) throws IOException {
        Path file = folder.resolve(fileName);
        if (!Files.isRegularFile(file)) {
            return new FileHeader(null, null, "it is no file", false);
        }
        Checked read = check(fileName);
        String fault = read.fault() == null ? null : read.fault().getMessage();
        return read.header() == null ? new FileHeader(null, null, fault, false)
                : new FileHeader(read.header().id(), read.header().prev(), fault, fault != null);
    }

    /**
     * A file that was read to its end.
     *
     * @param header  null where it is no patch
     * @param content what was read
     * @param fault   why nobody can apply it; with a header: it is the stand-in for a patch that was lost
     */
    private record Checked(PatchHeader header, ContentHash content, RuntimeException fault) {
    }

    private Checked check(String fileName) throws IOException {
        Path file = folder.resolve(fileName);
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = read(file, fileOf(name, fileName), new Utf8Terms())) {
            return new Checked(EntryCheck.check(patch, content), content, null);
        } catch (RuntimeException e) {
            return new Checked(headerOfStandIn(file), content, e);
        }
    }

    /** The header of a stand-in; null where the file is none. */
    private static PatchHeader headerOfStandIn(Path file) throws IOException {
        try (PatchSource<byte[]> patch = read(file, file.toString(), new Utf8Terms())) {
            return HeaderReader.readStandIn(patch);
        } catch (RuntimeException e) {
            return null; // whatever is wrong with it is known already
        }
    }

    /** @param name what errors call the file */
    static <T> PatchSource<T> read(Path file, String name, TermFactory<T> terms) throws IOException {
        return new PatchReader<>(new BufferedInputStream(Files.newInputStream(file), 1 << 16), name, terms,
                ReadOptions.DEFAULT);
    }

    // --- appending

    /** @throws IOException also where the file system has no hard links */
    @Override
    public LogHead append(PatchIntake patch, Follows follows) throws IOException {
        LogHead head = head();
        String given = patch.header().id();
        LogIndex.Row there = given == null ? null : find(given, head.version());
        if (there != null) {
            return again(patch, follows, there);
        }
        String prev = follows.prev(head);
        if (!Objects.equals(prev, head.id())) {
            throw new LogConflictException(name, prev, head);
        }
        PatchHeader header = new PatchHeader(given != null ? given : PatchIds.random(), prev);
        long version = head.version() + 1;
        Path made = temporary(folder);
        try {
            ContentHash content = write(made, file -> patch.copyTo(file, header.id(), prev));
            if (given == null && follows.isHead() && version > 1 && content.hash().equals(row(head.version()).hash())) {
                return head; // the same patch once more, which changes nothing
            }
            put(version, made);
            index.add(LogIndex.Row.of(version, header, content, file(version)));
        } catch (FileAlreadyExistsException e) {
            throw new LogConflictException(name, prev, head());
        } finally {
            Files.deleteIfExists(made);
        }
        known = new LogHead(version, header.id());
        return known;
    }

    /** A patch comes whose id the log has. */
    private LogHead again(PatchIntake patch, Follows follows, LogIndex.Row there) throws IOException {
        LogHead found = new LogHead(there.version(), there.id());
        ContentHash content = new ContentHash();
        patch.copyTo(content, there.id(), there.prev());
        if (!follows.allows(there.prev()) || !content.hash().equals(there.hash())) {
            throw LogConflictException.taken(name, found);
        }
        return found;
    }

    /**
     * Fills the place of a patch that was lost with one that says so; who reads it is told.
     *
     * @param patchId the lost patch's id, as the patch after it names it
     * @param prevId  the id of the patch before it; null: it is the first
     * @param reason  why it was lost
     * @throws FileAlreadyExistsException there is a patch
     */
    public void putStandIn(long version, String patchId, String prevId, String reason) throws IOException {
        Path made = temporary(folder);
        try {
            write(made, patch -> {
                PatchIds.write(patch, patchId, prevId);
                byte[] text = reason.getBytes(StandardCharsets.UTF_8);
                patch.header(EntryCheck.LOST, new Utf8Terms().literal(text, 0, text.length));
                patch.endPatch();
            });
            put(version, made);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /** What is to be in a patch's file. */
    @FunctionalInterface
    private interface Content {
        void writeTo(PatchHandler<byte[]> file) throws IOException;
    }

    /**
     * Gives a file that was made the name of a version; the file is in the log then, whole.
     *
     * @throws FileAlreadyExistsException there is a patch of that version already
     */
    private void put(long version, Path made) throws IOException {
        link(file(version), made);
        force(folder);
    }

    private ContentHash write(Path made, Content content) throws IOException {
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OutputStream out = new Uncloseable(Channels.newOutputStream(channel));
            PatchWriter<byte[]> writer = new PatchWriter<>(out, name, new Utf8Terms(), OPTIONS, WriteOptions.DEFAULT);
            ContentHash hash = new ContentHash(writer);
            content.writeTo(hash);
            writer.close();
            channel.force(true);
            return hash;
        }
    }

    /**
     * Gives a file a second name, if that is free.
     *
     * @throws FileAlreadyExistsException the name is taken by another file
     */
    private static void link(Path name, Path file) throws IOException {
        try {
            Files.createLink(name, file);
        } catch (FileAlreadyExistsException e) {
            // Over NFS the answer to a link that was made can be lost, and the second try finds the name taken.
            if (!Files.isSameFile(name, file)) {
                throw e;
            }
        } catch (UnsupportedOperationException | FileSystemException e) {
            throw new IOException("can't make the hard link " + name + " (" + e.getMessage()
                    + "); a patch log is appended to on a file system that has hard links and may be written to", e);
        }
    }

    // --- names and bytes

    /** The file of a version. */
    public Path file(long version) {
        return folder.resolve(fileName(version));
    }

    static String fileName(long version) {
        String digits = Long.toString(version);
        return "0".repeat(DIGITS - digits.length()) + digits + SUFFIX;
    }

    /** The version that a file's name says; 0 where the name is no such. */
    static long versionOf(String fileName) {
        if (!FILE.matcher(fileName).matches()) {
            return 0;
        }
        try {
            return Long.parseLong(fileName.substring(0, DIGITS));
        } catch (NumberFormatException e) {
            return 0; // more than a version can be
        }
    }

    static boolean isHidden(Path file) {
        return file.getFileName().toString().startsWith(".");
    }

    private static Path temporary(Path folder) {
        return folder.resolve(APPEND_PREFIX + PatchIds.random());
    }

    private static void writeForced(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
    }

    /** Forces the names in a folder to the disk. */
    private static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() {
        // nothing is held open
    }
}
