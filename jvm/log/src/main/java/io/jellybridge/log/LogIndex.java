package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.files.FileSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;

/**
 * A cache of facts about the patches of a {@link FolderLog}, in a text file beside theirs, {@code .index}. The patches are the
 * log. Facts that are missing, cut off or of another file are read from the patches again.
 *
 * <p>The first line names the log. Each other line describes a patch by these cells, with spaces between:
 *
 * <ul>
 *   <li>its version and id, and the id before it ({@code -} for none)
 *   <li>its time in milliseconds since 1970 ({@code -} if unknown)
 *   <li>its {@link Chain} ({@code -} for none) and number of rows
 *   <li>its {@link ContentHash} ({@code -} for the placeholder of a lost patch)
 *   <li>the first version of its file, its offset there and its length in bytes
 *   <li>the time when the file was written, and the file system's key of the file ({@code -} if it has none)
 *   <li>the CRC-32 of the rest of the line
 * </ul>
 *
 * <p>Every writer appends its lines, each with a line feed before it, so that a cut line damages no other. The last line of a
 * version counts.
 */
final class LogIndex {
    static final String NAME = ".index";
    private static final String TITLE = "jellybridge patch log index 3 ";
    /** The number of bytes at the end of the file that are read first. They have the newest lines. */
    private static final int TAIL_BYTES = 1 << 12;

    private final Path file;
    private final String title;
    private final TreeMap<Long, Row> byVersion = new TreeMap<>();
    private final Map<String, Row> byId = new HashMap<>();
    private final Map<Long, Row> lastInFile = new HashMap<>();
    /** The offset up to which the file was read; 0 if only its end was read. */
    private long read;
    /** The file system's key of the file that was read. A compaction replaces the file. */
    private Object key;
    /** True if another version of jellybridge wrote the file. It is replaced when rows are added. */
    private boolean foreign;

    /**
     * Creates an index.
     *
     * @param log the log's id; the index of another log, which was in the folder before, is ignored
     */
    LogIndex(Path folder, String log) {
        this.file = folder.resolve(NAME);
        this.title = TITLE + log;
    }

    /**
     * The facts about a patch.
     *
     * @param hash     the content hash; null for the placeholder of a lost patch, which can't be applied
     * @param first    the first version in its file
     * @param offset   its offset in the file
     * @param bytes    its length there
     * @param modified the time when the file was written, in milliseconds since 1970
     * @param file     the file system's key of the file, which differs for a copy or another file of its name
     */
    record Row(long version, PatchHeader header, long rows, String hash, long first, long offset, long bytes,
            long modified, String file) {

        /** Returns the row of a patch that was read from its file, which begins with the given version. */
        static Row of(long version, PatchHeader header, long rows, String hash, long first, FileSlice patch)
                throws IOException {
            BasicFileAttributes found = Files.readAttributes(patch.file(), BasicFileAttributes.class);
            return new Row(version, header, rows, hash, first, patch.offset(), patch.length(),
                    found.lastModifiedTime().toMillis(), key(found));
        }

        String id() {
            return header.id();
        }

        /** Returns the row of the same patch at another place. */
        Row in(long newFirst, FileSlice patch) throws IOException {
            return of(version, header, rows, hash, newFirst, patch);
        }

        /** Returns the file system's key of a file, without spaces. */
        static String key(BasicFileAttributes file) {
            return file.fileKey() == null ? "-" : file.fileKey().toString().replace(' ', '_');
        }

        private boolean isOf(BasicFileAttributes found) {
            return found != null && found.lastModifiedTime().toMillis() == modified && key(found).equals(file);
        }

        /** Returns true if the row describes this file, as far as the file's attributes show. */
        boolean isIn(Path place) throws IOException {
            BasicFileAttributes found = attributes(place);
            return isOf(found) && found.size() >= offset + bytes;
        }

        /** Returns true if, in addition, the patch is the last in the file. */
        boolean isLastIn(Path place) throws IOException {
            BasicFileAttributes found = attributes(place);
            return isOf(found) && found.size() == offset + bytes;
        }

        private static BasicFileAttributes attributes(Path file) throws IOException {
            try {
                return Files.readAttributes(file, BasicFileAttributes.class);
            } catch (NoSuchFileException e) {
                return null;
            }
        }

        private String line() {
            String text = String.join(" ", Long.toString(version), header.id(), header.prev() == null ? "-" : header.prev(),
                    header.time() == null ? "-" : Long.toString(header.time().toEpochMilli()),
                    header.chain() == null ? "-" : header.chain().text(), Long.toString(rows),
                    hash == null ? "-" : hash, Long.toString(first), Long.toString(offset), Long.toString(bytes),
                    Long.toString(modified), file);
            return text + " " + crc(text);
        }

        /** Parses a line; null if it is incomplete. */
        private static Row parse(String line) {
            int end = line.lastIndexOf(' ');
            if (end < 0 || !crc(line.substring(0, end)).equals(line.substring(end + 1))) {
                return null;
            }
            String[] cells = line.split(" ");
            PatchHeader header = new PatchHeader(cells[1], cells[2].equals("-") ? null : cells[2],
                    cells[3].equals("-") ? null : Instant.ofEpochMilli(Long.parseLong(cells[3])), Chain.parse(cells[4]));
            return new Row(Long.parseLong(cells[0]), header, Long.parseLong(cells[5]),
                    cells[6].equals("-") ? null : cells[6], Long.parseLong(cells[7]), Long.parseLong(cells[8]),
                    Long.parseLong(cells[9]), Long.parseLong(cells[10]), cells[11]);
        }

        private static String crc(String text) {
            CRC32 crc = new CRC32();
            crc.update(text.getBytes(US_ASCII));
            return Long.toHexString(crc.getValue());
        }
    }

    /** Returns the newest known patch, where the search for the head starts; null if none is known. */
    Row last() throws IOException {
        readNews();
        return byVersion.isEmpty() ? null : byVersion.lastEntry().getValue();
    }

    /** Returns the newest known patch in the file that begins with a version; null if none is known. */
    Row lastIn(long first) throws IOException {
        if (!lastInFile.containsKey(first)) {
            readUntil(() -> lastInFile.containsKey(first));
        }
        return lastInFile.get(first);
    }

    /** Reads the rows that others have added, even for known versions. */
    void refresh() throws IOException {
        readOn();
    }

    /** Returns the row of a version; null if unknown. */
    Row row(long version) throws IOException {
        if (!byVersion.containsKey(version)) {
            readUntil(() -> byVersion.containsKey(version));
        }
        return byVersion.get(version);
    }

    /** Returns the row of the patch with an id; null if unknown. */
    Row row(String id) throws IOException {
        Row row = byId.get(id);
        if (row == null) {
            readUntil(() -> byId.containsKey(id));
            row = byId.get(id);
        }
        return row != null && row.equals(byVersion.get(row.version())) ? row : null;
    }

    /** Adds a patch. */
    void add(Row row) {
        add(List.of(row));
    }

    /** Adds patches. If they can't be written to the file, that is not an error, since this is a cache. */
    void add(List<Row> rows) {
        StringBuilder lines = new StringBuilder();
        for (Row row : rows) {
            keep(row);
            lines.append('\n').append(row.line());
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                foreign ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND)) {
            foreign = false;
            String before = channel.size() == 0 ? title : "";
            channel.write(ByteBuffer.wrap((before + lines).getBytes(US_ASCII)));
        } catch (IOException e) {
            // Readers that need the row read the patch.
        }
    }

    /** Keeps the row of a patch that was found, in memory only. */
    void keep(Row row) {
        byVersion.put(row.version(), row);
        byId.put(row.id(), row);
        lastInFile.merge(row.first(), row, (one, other) -> one.version() > other.version() ? one : other);
    }

    /** Rewrites the file with one line for each version. */
    void rewrite() throws IOException {
        readOn();
        StringBuilder lines = new StringBuilder(title);
        byVersion.values().forEach(row -> lines.append('\n').append(row.line()));
        Path made = file.resolveSibling(LogFolder.APPEND_PREFIX + PatchIds.random());
        try {
            Files.writeString(made, lines, US_ASCII);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    // --- the file

    private void readNews() throws IOException {
        if (read > 0) {
            readOn();
        } else {
            readTail();
        }
    }

    /** Reads the end of the file, which has the newest patches. If the requested row is not there, it reads the rest. */
    private void readUntil(BooleanSupplier isKnown) throws IOException {
        readNews();
        if (!isKnown.getAsBoolean() && read == 0) {
            readOn();
        }
    }

    private void readTail() throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long start = Math.max(0, channel.size() - TAIL_BYTES);
            if (start == 0 || isThisLogs(text(channel, 0, title.length() + 1))) {
                take(text(channel, start), start);
            }
        } catch (NoSuchFileException e) {
            // nothing is known
        }
    }

    /** Reads the rest of the file; all of it if the file was replaced. */
    private void readOn() throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            Object found = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            if (channel.size() < read || !Objects.equals(found, key)) {
                read = 0;
                key = found;
            }
            // The last line may be incomplete. It is read again from its beginning then.
            String text = text(channel, read);
            take(text, read);
            read += text.lastIndexOf('\n') + 1;
        } catch (NoSuchFileException e) {
            read = 0;
        }
    }

    private boolean isThisLogs(String text) {
        boolean ours = text.startsWith(title) && (text.length() == title.length() || text.charAt(title.length()) == '\n');
        foreign = !ours && !text.isEmpty();
        return ours;
    }

    private static String text(FileChannel channel, long start) throws IOException {
        return text(channel, start, channel.size() - start);
    }

    private static String text(FileChannel channel, long start, long length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
        channel.position(start);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // reads on to the end
        }
        return new String(bytes.array(), 0, bytes.position(), US_ASCII);
    }

    private void take(String text, long start) {
        if (start == 0 ? !isThisLogs(text) : foreign) {
            return;
        }
        for (String line : text.split("\n")) {
            Row row = Row.parse(line);
            if (row != null) {
                keep(row);
            }
        }
    }
}
