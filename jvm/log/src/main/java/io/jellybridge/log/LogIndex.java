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
 * What is known of the patches of a {@link FolderLog} without reading them: a text file beside theirs, {@code .index}. It is
 * a cache: the patches are the log, and what is missing here, was cut off or does not fit its file is read from them again.
 *
 * <p>The first line names the log. Each other is a patch: its version, id, the id before it ({@code -}: none), time
 * (milliseconds since 1970; {@code -}: not known), {@link Chain} ({@code -}: none), number of rows, {@link ContentHash} ({@code
 * -}: a stand-in for a patch that was lost); the first version of the file that it is in, where it begins there, its length in
 * bytes, when the file was written, which file it is for the file system ({@code -}: it does not say); and the CRC-32 of that.
 * Every writer adds its lines at the end, each with the line's end before it, so that a line that was cut off spoils no
 * other. Of lines of one version the last counts.
 */
final class LogIndex {
    static final String NAME = ".index";
    private static final String TITLE = "jellybridge patch log index 3 ";
    /** Where the newest lines are. */
    private static final int TAIL_BYTES = 1 << 12;

    private final Path file;
    private final String title;
    private final TreeMap<Long, Row> byVersion = new TreeMap<>();
    private final Map<String, Row> byId = new HashMap<>();
    private final Map<Long, Row> lastInFile = new HashMap<>();
    /** Up to where the file was read; 0: of it the end at most. */
    private long read;
    /** Of the file that was read: a compaction puts another in its place. */
    private Object key;
    /** Whether the file is of another version of jellybridge; what is added replaces it. */
    private boolean foreign;

    /** @param log the log's id: the index of another log, which lay there before, is not this one's */
    LogIndex(Path folder, String log) {
        this.file = folder.resolve(NAME);
        this.title = TITLE + log;
    }

    /**
     * A patch.
     *
     * @param hash     null: it is the stand-in for one that was lost, which nobody can apply
     * @param first    the version that its file begins with
     * @param offset   where in the file it begins
     * @param bytes    how many it has there
     * @param modified when the file was written, in milliseconds since 1970
     * @param file     which file that is: a copy of it, or another one of its name, is another
     */
    record Row(long version, PatchHeader header, long rows, String hash, long first, long offset, long bytes,
            long modified, String file) {

        /** The row of a patch that was read from its file, which begins with a version. */
        static Row of(long version, PatchHeader header, long rows, String hash, long first, FileSlice patch)
                throws IOException {
            BasicFileAttributes found = Files.readAttributes(patch.file(), BasicFileAttributes.class);
            return new Row(version, header, rows, hash, first, patch.offset(), patch.length(),
                    found.lastModifiedTime().toMillis(), key(found));
        }

        String id() {
            return header.id();
        }

        /** The same patch elsewhere. */
        Row in(long newFirst, FileSlice patch) throws IOException {
            return of(version, header, rows, hash, newFirst, patch);
        }

        /** Which file it is, for the file system, without spaces. */
        static String key(BasicFileAttributes file) {
            return file.fileKey() == null ? "-" : file.fileKey().toString().replace(' ', '_');
        }

        private boolean isOf(BasicFileAttributes found) {
            return found != null && found.lastModifiedTime().toMillis() == modified && key(found).equals(file);
        }

        /** Whether the file is the one that the row was made of, for all that can be seen from outside. */
        boolean isIn(Path place) throws IOException {
            BasicFileAttributes found = attributes(place);
            return isOf(found) && found.size() >= offset + bytes;
        }

        /** Whether, beside that, it is the last in the file. */
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

        /** Null where the line is not whole. */
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

    /** The newest patch that is known: where to look for the head; null where nothing is. */
    Row last() throws IOException {
        readNews();
        return byVersion.isEmpty() ? null : byVersion.lastEntry().getValue();
    }

    /** The newest patch that is known to be in the file that begins with a version; null: none. */
    Row lastIn(long first) throws IOException {
        if (!lastInFile.containsKey(first)) {
            readUntil(() -> lastInFile.containsKey(first));
        }
        return lastInFile.get(first);
    }

    /** Reads what others have added, also of versions that are known. */
    void refresh() throws IOException {
        readOn();
    }

    /** What is known of a version; null: nothing. */
    Row row(long version) throws IOException {
        if (!byVersion.containsKey(version)) {
            readUntil(() -> byVersion.containsKey(version));
        }
        return byVersion.get(version);
    }

    /** What is known of the patch with an id; null: nothing. */
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

    /** Adds patches. That they can't be written down is no error: it is a cache. */
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
            // Whoever needs the row reads the patch.
        }
    }

    /** Keeps a patch that was found to be there. */
    void keep(Row row) {
        byVersion.put(row.version(), row);
        byId.put(row.id(), row);
        lastInFile.merge(row.first(), row, (one, other) -> one.version() > other.version() ? one : other);
    }

    /** Leaves one line for each version. */
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

    /** Reads the end of the file, where the newest patches are, and the rest too where what is asked for is not there. */
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

    /** Reads what was not read yet; all of it, where the file is another one. */
    private void readOn() throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            Object found = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            if (channel.size() < read || !Objects.equals(found, key)) {
                read = 0;
                key = found;
            }
            // The last line may be read before it is whole: from its beginning on again, then.
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
            // on to the end
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
