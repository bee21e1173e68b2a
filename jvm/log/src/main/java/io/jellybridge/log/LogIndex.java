package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * What is known of the patches of a {@link FolderLog} without reading them: a text file beside theirs, {@code .index}. It is
 * a cache: the patches are the log, and what is missing here, was cut off or does not fit its file is read from them again.
 *
 * <p>A line is a patch: its version, id, the id before it ({@code -}: none), number of rows, {@link ContentHash}, the file's
 * length in bytes and when it was written (milliseconds since 1970), and the CRC-32 of all that. Every writer adds its lines
 * at the end, each with the line's end before it, so that a line that was cut off spoils no other.
 */
final class LogIndex {
    static final String NAME = ".index";
    private static final String TITLE = "jellybridge patch log index 1";
    /** Where the newest lines are. */
    private static final int TAIL_BYTES = 1 << 12;

    private final Path file;
    private final TreeMap<Long, Row> byVersion = new TreeMap<>();
    private final Map<String, Row> byId = new HashMap<>();
    /** Up to where the file was read; 0: of it the end at most. */
    private long read;
    /** Whether the file is of another version of jellybridge; what is added replaces it. */
    private boolean foreign;

    LogIndex(Path folder) {
        this.file = folder.resolve(NAME);
    }

    /**
     * A patch.
     *
     * @param bytes    the length of its file
     * @param modified when that was written, in milliseconds since 1970
     */
    record Row(long version, String id, String prev, long rows, String hash, long bytes, long modified) {

        /** The row of a patch in a file. */
        static Row of(long version, PatchHeader header, ContentHash content, Path file) throws IOException {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Row(version, header.id(), header.prev(), content.rows(), content.hash(), found.size(),
                    found.lastModifiedTime().toMillis());
        }

        /** Whether the file is the one that the row was made of, for all that can be seen from outside. */
        boolean isOf(Path file) throws IOException {
            try {
                BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
                return found.size() == bytes && found.lastModifiedTime().toMillis() == modified;
            } catch (NoSuchFileException e) {
                return false;
            }
        }

        private String line() {
            String text = String.join(" ", Long.toString(version), id, prev == null ? "-" : prev, Long.toString(rows), hash,
                    Long.toString(bytes), Long.toString(modified));
            return text + " " + crc(text);
        }

        /** Null where the line is not whole. */
        private static Row parse(String line) {
            int end = line.lastIndexOf(' ');
            if (end < 0 || !crc(line.substring(0, end)).equals(line.substring(end + 1))) {
                return null;
            }
            String[] cells = line.split(" ");
            return new Row(Long.parseLong(cells[0]), cells[1], cells[2].equals("-") ? null : cells[2],
                    Long.parseLong(cells[3]), cells[4], Long.parseLong(cells[5]), Long.parseLong(cells[6]));
        }

        private static String crc(String text) {
            CRC32 crc = new CRC32();
            crc.update(text.getBytes(US_ASCII));
            return Long.toHexString(crc.getValue());
        }
    }

    /** A recent version: where to look for the head; 0 where nothing says it. */
    long recent() throws IOException {
        if (read > 0) {
            readOn();
        } else {
            readTail();
        }
        return byVersion.isEmpty() ? 0 : byVersion.lastKey();
    }

    /** What is known of a version; null: nothing. */
    Row row(long version) throws IOException {
        if (!byVersion.containsKey(version)) {
            readOn();
        }
        return byVersion.get(version);
    }

    /** What is known of the patch with an id; null: nothing. */
    Row row(String id) throws IOException {
        Row row = byId.get(id);
        if (row == null) {
            readOn();
            row = byId.get(id);
        }
        return row != null && row.equals(byVersion.get(row.version())) ? row : null;
    }

    /** Adds a patch. That it can't be written down is no error: it is a cache. */
    void add(Row row) {
        keep(row);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                foreign ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND)) {
            foreign = false;
            String title = channel.size() == 0 ? TITLE : "";
            channel.write(ByteBuffer.wrap((title + "\n" + row.line()).getBytes(US_ASCII)));
        } catch (IOException e) {
            // Whoever needs the row reads the patch.
        }
    }

    private void keep(Row row) {
        byVersion.put(row.version(), row);
        byId.put(row.id(), row);
    }

    // --- the file

    private void readTail() throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long start = Math.max(0, channel.size() - TAIL_BYTES);
            take(text(channel, start), start);
        } catch (NoSuchFileException e) {
            // nothing is known
        }
    }

    /** Reads what was not read yet; all of it, where the file is another one. */
    private void readOn() throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            if (channel.size() < read) {
                read = 0;
            }
            // The last line may be read before it is whole: from its beginning on again, then.
            String text = text(channel, read);
            take(text, read);
            read += text.lastIndexOf('\n') + 1;
        } catch (NoSuchFileException e) {
            read = 0;
        }
    }

    private static String text(FileChannel channel, long start) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size() - start));
        channel.position(start);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // on to the end
        }
        return new String(bytes.array(), 0, bytes.position(), US_ASCII);
    }

    private void take(String text, long start) {
        if (start == 0 && !text.startsWith(TITLE)) {
            foreign = !text.isEmpty();
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
