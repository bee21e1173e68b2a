package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;

/**
 * A cache of facts about the patches of a log, in memory and, for a folder, in a text file beside theirs, {@code .index}. The
 * patches are the log. Facts that are missing, cut off or of another file are read from the patches again.
 *
 * <p>The first line names the log. Each other line describes a patch by these cells, with spaces between:
 *
 * <ul>
 *   <li>its version and id, and the id before it ({@code -} for none)
 *   <li>its time in milliseconds since 1970 ({@code -} if unknown)
 *   <li>its {@link Chain} ({@code -} for none) and number of rows
 *   <li>its {@link ContentHash} ({@code -} for the placeholder of a lost patch)
 *   <li>the name of its file, its offset there and its length in bytes
 *   <li>the file's length, the time when it was written, and the file system's key of the file, see {@link LogStore#stampOf}
 *   <li>the CRC-32 of the rest of the line
 * </ul>
 *
 * <p>Every writer appends its lines, each with a line feed before it, so that a cut line damages no other. The last line of a
 * version counts.
 */
final class IndexCache {
    static final String NAME = ".index";
    /** The stamp of an object in a store that knows none. Its objects never change. */
    static final String UNKNOWN = "-";
    private static final String TITLE = "jellybridge patch log index 4 ";
    /** The number of bytes at the end of the file that are read first. They have the newest lines. */
    private static final int TAIL_BYTES = 1 << 12;
    /** The number of bytes that are read at once. No line is as long. */
    private static final int BLOCK_BYTES = 1 << 16;

    private final Path file;
    private final String title;
    private final TreeMap<Long, Row> byVersion = new TreeMap<>();
    private final Map<String, Row> byId = new HashMap<>();
    /** The offset up to which the file was read; 0 if only its end was read. */
    private long read;
    /** The file system's key of the file that was read. A compaction replaces the file. */
    private Object key;
    /** True if another version of jellybridge wrote the file. It is replaced when rows are added. */
    private boolean foreign;

    /**
     * Creates an index.
     *
     * @param file the file; null to keep it in memory only
     * @param log  the log's id; the index of another log, which was in the folder before, is ignored
     */
    IndexCache(Path file, String log) {
        this.file = file;
        this.title = TITLE + log;
    }

    /**
     * The facts about a patch.
     *
     * @param hash   the content hash; null for the placeholder of a lost patch, which can't be applied, and if unknown
     * @param file   the name of its object
     * @param offset its offset in the object
     * @param bytes  its length there
     * @param stamp  the {@link LogStore#stampOf} of the object; {@link #UNKNOWN} if the store knows none
     */
    record Row(long version, PatchHeader header, long rows, String hash, String file, long offset, long bytes, String stamp) {

        /** Returns the row of a patch that was read from an object with the given stamp. */
        static Row of(long version, PatchHeader header, long rows, String hash, StoredSlice patch, String stamp) {
            return new Row(version, header, rows, hash, patch.file(), patch.offset(), patch.length(),
                    stamp == null ? UNKNOWN : stamp);
        }

        /** Returns the row of a patch before the first one, of which nothing else is known. */
        static Row ofPruned(long version, String id) {
            return new Row(version, new PatchHeader(id, null, null), 0, null, null, 0, 0, UNKNOWN);
        }

        String id() {
            return header.id();
        }

        /** Returns the row of the same patch at another place. */
        Row in(StoredSlice patch, String newStamp) {
            return of(version, header, rows, hash, patch, newStamp);
        }

        private String line() {
            String text = String.join(" ", Long.toString(version), header.id(), header.prev() == null ? "-" : header.prev(),
                    header.time() == null ? "-" : Long.toString(header.time().toEpochMilli()),
                    header.chain() == null ? "-" : header.chain().text(), Long.toString(rows),
                    hash == null ? "-" : hash, file, Long.toString(offset), Long.toString(bytes), stamp);
            return text + " " + crcOf(text);
        }

        /** Parses a line; null if it is incomplete. */
        private static Row parseRow(String line) {
            int end = line.lastIndexOf(' ');
            if (end < 0 || !crcOf(line.substring(0, end)).equals(line.substring(end + 1))) {
                return null;
            }
            String[] cells = line.split(" ");
            PatchHeader header = new PatchHeader(cells[1], cells[2].equals("-") ? null : cells[2],
                    cells[3].equals("-") ? null : PatchTimes.ofMillis(Long.parseLong(cells[3])), Chain.parse(cells[4]));
            return new Row(Long.parseLong(cells[0]), header, Long.parseLong(cells[5]),
                    cells[6].equals("-") ? null : cells[6], cells[7], Long.parseLong(cells[8]), Long.parseLong(cells[9]),
                    cells[10]);
        }

        private static String crcOf(String text) {
            CRC32 crc = new CRC32();
            crc.update(text.getBytes(US_ASCII));
            return Long.toHexString(crc.getValue());
        }
    }

    /** Returns the row of a version; null if unknown. */
    Row rowOf(long version) throws IOException {
        if (!byVersion.containsKey(version)) {
            readUntil(() -> byVersion.containsKey(version));
        }
        return byVersion.get(version);
    }

    /** Returns the row of the patch with an id; null if unknown. */
    Row rowOf(String id) throws IOException {
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
        if (file == null) {
            return;
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
    }

    /** Rewrites the file with one line for each version. */
    void rewrite() throws IOException {
        if (file == null || !refresh()) {
            return; // what can't be read would be lost
        }
        Path made = file.resolveSibling(FolderStore.APPEND_PREFIX + PatchIds.random());
        try {
            writeRows(made);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // The lines stay as they are.
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private void writeRows(Path target) throws IOException {
        try (Writer out = Files.newBufferedWriter(target, US_ASCII)) {
            out.write(title);
            for (Row row : byVersion.values()) {
                out.write('\n' + row.line());
            }
        }
    }

    // --- the file

    private void readNewRows() throws IOException {
        if (read > 0) {
            refresh();
        } else if (file != null) {
            readTail();
        }
    }

    /** Reads the end of the file, which has the newest patches. If the requested row is not there, it reads the rest. */
    private void readUntil(BooleanSupplier isKnown) throws IOException {
        readNewRows();
        if (!isKnown.getAsBoolean() && read == 0) {
            refresh();
        }
    }

    private void readTail() throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long start = Math.max(0, channel.size() - TAIL_BYTES);
            if (start == 0 || isThisLogs(readText(channel, 0, title.length() + 1))) {
                takeRows(readText(channel, start, TAIL_BYTES), start);
            }
        } catch (IOException e) {
            // Nothing is known, as if there were no file.
        }
    }

    /**
     * Reads the rows that others have added, even for known versions: the rest of the file, or all of it if it was replaced.
     *
     * @return false if there is a file that can't be read
     */
    boolean refresh() {
        if (file == null) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            Object found = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            if (channel.size() < read || !Objects.equals(found, key)) {
                read = 0;
                key = found;
            }
            boolean more = true;
            while (more) {
                String text = readText(channel, read, BLOCK_BYTES);
                int end = text.lastIndexOf('\n') + 1;
                more = text.length() == BLOCK_BYTES;
                // The last line of a block or of the file may be incomplete. It is read again from its beginning then.
                takeRows(text, read);
                read += more && end == 0 ? BLOCK_BYTES : end;
            }
            return true;
        } catch (IOException e) {
            read = 0; // as if there were no file
            return e instanceof NoSuchFileException;
        }
    }

    private boolean isThisLogs(String text) {
        boolean ours = text.startsWith(title) && (text.length() == title.length() || text.charAt(title.length()) == '\n');
        foreign = !ours && !text.isEmpty();
        return ours;
    }

    private static String readText(FileChannel channel, long start, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        channel.position(start);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // reads on to the end
        }
        return new String(bytes.array(), 0, bytes.position(), US_ASCII);
    }

    private void takeRows(String text, long start) {
        if (start == 0 ? !isThisLogs(text) : foreign) {
            return;
        }
        for (String line : text.split("\n")) {
            Row row = Row.parseRow(line);
            if (row != null) {
                keep(row);
            }
        }
    }
}
