package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index of a log by itself: a log without it says the same, so that no test of a log tells whether it is used. */
class IndexCacheTest {
    /** The lines of so many patches are longer than the end that is read first. */
    private static final int MANY = 200;

    private static final String LOG = "00000000-0000-4000-8000-0000000000aa";
    private static final Chain CHAIN = new Chain(Chain.placeholder(), Chain.placeholder());

    @TempDir
    Path folder;

    private IndexCache index;

    @BeforeEach
    void open() {
        index = new IndexCache(file(), LOG);
    }

    private static String id(long version) {
        return String.format("00000000-0000-4000-8000-%012d", version);
    }

    /** A patch that is alone in its file. */
    private static IndexCache.Row row(long version) {
        return row(version, version, 0);
    }

    private static IndexCache.Row row(long version, long first, long offset) {
        PatchHeader header = new PatchHeader(id(version), version == 1 ? null : id(version - 1),
                version % 3 == 0 ? null : Instant.ofEpochMilli(version * 1000), version % 4 == 0 ? null : CHAIN);
        return new IndexCache.Row(version, header, version * 7, version % 5 == 0 ? null : "hash" + version,
                LogObject.fileName(first), offset, 10, "1234-(dev=1,ino=" + version + ")");
    }

    /** The same patch elsewhere. */
    private static IndexCache.Row moved(long version, long first, long offset, long modified) {
        IndexCache.Row row = row(version, first, offset);
        return new IndexCache.Row(version, row.header(), row.rows(), row.hash(), LogObject.fileName(first), offset, row.bytes(),
                Long.toString(modified));
    }

    private static List<IndexCache.Row> rows(int count) {
        return LongStream.rangeClosed(1, count).mapToObj(IndexCacheTest::row).toList();
    }

    private Path file() {
        return folder.resolve(IndexCache.NAME);
    }

    private void append(String text) throws IOException {
        Files.writeString(file(), text, StandardOpenOption.APPEND);
    }

    @Test
    void withoutAFileNothingIsKnown() throws IOException {
        index.refresh();
        assertNull(index.rowOf(1));
        assertNull(index.rowOf(id(1)));
        assertFalse(Files.exists(file()));
    }

    @Test
    void aFileThatCannotBeReadIsNotReplaced() throws IOException {
        index.add(rows(2));
        Files.delete(file());
        Files.createSymbolicLink(file(), folder);
        index.rewrite();
        assertTrue(Files.isSymbolicLink(file()));
        Files.delete(file());
        index.rewrite();
        assertEquals(row(1), new IndexCache(file(), LOG).rowOf(1), "there was none");
    }

    @Test
    void whatIsAddedIsKnownBeforeAnythingIsRead() throws IOException {
        index.add(row(1));
        Files.delete(file());
        assertEquals(row(1), index.rowOf(1));
        assertEquals(row(1), index.rowOf(id(1)));
    }

    @Test
    void eachRowIsReadAsItWasWritten() throws IOException {
        index.add(rows(MANY));
        for (long version = 1; version <= MANY; version++) {
            assertEquals(row(version), new IndexCache(file(), LOG).rowOf(version));
            assertEquals(row(version), new IndexCache(file(), LOG).rowOf(id(version)));
        }
        assertNull(new IndexCache(file(), LOG).rowOf(MANY + 1));
        assertNull(new IndexCache(file(), LOG).rowOf(id(MANY + 1)));
    }

    @Test
    void theNewestAreFoundAtTheEndWithoutTheRest() throws IOException {
        index.add(rows(MANY));
        byte[] bytes = Files.readAllBytes(file());
        // If the first lines were read, they would spoil nothing: they are no lines any more.
        Arrays.fill(bytes, bytes.length / 4, bytes.length / 2, (byte) '\n');
        Files.write(file(), bytes);
        IndexCache other = new IndexCache(file(), LOG);
        assertEquals(row(MANY), other.rowOf(MANY));
        // What was read is the end alone, and a version before it is looked for in the rest, of which these lines are gone.
        assertNull(other.rowOf(MANY * 3 / 8));
        assertEquals(row(2), other.rowOf(2));
    }

    @Test
    void ofTwoLinesOfAVersionTheLastCounts() throws IOException {
        index.add(rows(3));
        IndexCache.Row moved = moved(3, 2, 10, 99);
        new IndexCache(file(), LOG).add(moved);
        assertEquals(row(3), index.rowOf(3));
        index.refresh();
        assertEquals(moved, index.rowOf(3));
        assertEquals(moved, new IndexCache(file(), LOG).rowOf(id(3)));
    }

    @Test
    void whatOthersAddIsSeen() throws IOException {
        index.add(rows(2));
        new IndexCache(file(), LOG).add(row(3));
        assertEquals(row(3), index.rowOf(3));
        new IndexCache(file(), LOG).add(row(4));
        new IndexCache(file(), LOG).add(row(5));
        assertEquals(row(5), index.rowOf(id(5)));
        new IndexCache(file(), LOG).add(row(6, 5, 10));
        index.refresh();
        new IndexCache(file(), LOG).add(row(7));
    }

    @Test
    void aPatchWhoseVersionHasAnotherIdNowIsNotFoundByItsOwn() throws IOException {
        index.add(rows(2));
        IndexCache.Row other = new IndexCache.Row(2, new PatchHeader(id(99), id(1), null), 1, "h",
                LogObject.fileName(2), 0, 5, "1-");
        index.add(other);
        assertNull(index.rowOf(id(2)));
        assertEquals(other, index.rowOf(id(99)));
        assertEquals(row(1), index.rowOf(id(1)));
    }

    @Test
    void aLineThatWasCutOffIsReadWhenItIsWhole() throws IOException {
        index.add(rows(2));
        String whole = Files.readString(file());
        new IndexCache(file(), LOG).add(row(3));
        String line = Files.readString(file()).substring(whole.length());
        for (int cut = 1; cut < line.length(); cut++) {
            Files.writeString(file(), whole + line.substring(0, cut));
            IndexCache other = new IndexCache(file(), LOG);
            other.refresh();
            assertNull(other.rowOf(3), "cut after " + cut);
            append(line.substring(cut));
            assertEquals(row(3), other.rowOf(3) == null ? refreshed(other).rowOf(3) : other.rowOf(3), "cut after " + cut);
            assertEquals(row(2), other.rowOf(2));
        }
    }

    private static IndexCache refreshed(IndexCache index) throws IOException {
        index.refresh();
        return index;
    }

    @Test
    void aLineThatWasCutOffSpoilsNoOther() throws IOException {
        index.add(rows(2));
        append("\n3 " + id(3) + " - 17");
        new IndexCache(file(), LOG).add(row(4));
        IndexCache other = new IndexCache(file(), LOG);
        assertEquals(row(4), other.rowOf(4));
        assertEquals(row(2), other.rowOf(2));
        assertNull(other.rowOf(3));
    }

    @Test
    void aLineWithAnyOtherCharacterIsNone() throws IOException {
        index.add(rows(1));
        String whole = Files.readString(file());
        int start = whole.indexOf('\n') + 1;
        for (int at : IntStream.range(start, whole.length()).toArray()) {
            char other = whole.charAt(at) == '7' ? '8' : '7';
            Files.writeString(file(), whole.substring(0, at) + other + whole.substring(at + 1));
            assertNull(new IndexCache(file(), LOG).rowOf(1), "character " + at);
        }
        Files.writeString(file(), whole + "\n\n \nx\n 1\n");
        assertEquals(row(1), new IndexCache(file(), LOG).rowOf(1));
    }

    @Test
    void theFileOfAnotherVersionIsReplaced() throws IOException {
        index.add(rows(2));
        String text = Files.readString(file());
        Files.writeString(file(), text.replaceFirst("index [0-9]+", "index 1"));
        IndexCache other = new IndexCache(file(), LOG);
        other.refresh();
        assertNull(other.rowOf(1));
        other.add(row(3));
        assertTrue(Files.readString(file()).startsWith("jellybridge patch log index 4 " + LOG + "\n3 "));
        assertEquals(row(3), new IndexCache(file(), LOG).rowOf(3));
        assertNull(new IndexCache(file(), LOG).rowOf(1));
        other.add(row(4));
        assertEquals(row(3), new IndexCache(file(), LOG).rowOf(3));
    }

    @Test
    void writtenAnewItHasALineForEachVersionAndWhoReadItReadsOn() throws IOException {
        index.add(rows(3));
        IndexCache reader = new IndexCache(file(), LOG);
        reader.refresh();
        index.add(moved(2, 1, 10, 5));
        new IndexCache(file(), LOG).add(row(4));
        index.rewrite();
        assertEquals(5, Files.readAllLines(file()).size());
        assertEquals(row(4), reader.rowOf(4));
        assertEquals(moved(2, 1, 10, 5), reader.rowOf(2));
        new IndexCache(file(), LOG).add(row(5));
        assertEquals(row(5), reader.rowOf(5));
        try (var files = Files.list(folder)) {
            assertEquals(List.of(file()), files.toList());
        }
    }

    @Test
    void aLongFileIsReadInBlocksOfWhichALineMayBeLonger() throws IOException {
        int many = 5 * MANY;
        index.add(rows(many));
        append("\n" + "x".repeat(1 << 18));
        new IndexCache(file(), LOG).add(row(many + 1));
        for (boolean isRewritten : new boolean[] {false, true}) {
            if (isRewritten) {
                index.rewrite();
                assertEquals(many + 2, Files.readAllLines(file()).size());
            }
            IndexCache reader = refreshed(new IndexCache(file(), LOG));
            for (long version = 1; version <= many + 1; version++) {
                assertEquals(row(version), reader.rowOf(version));
            }
        }
    }

    @Test
    void aFileThatWasCutIsReadFromItsBeginning() throws IOException {
        index.add(rows(MANY));
        IndexCache reader = new IndexCache(file(), LOG);
        reader.refresh();
        String text = Files.readString(file());
        Files.writeString(file(), text.substring(0, text.indexOf('\n', 300)));
        new IndexCache(file(), LOG).add(row(MANY + 1));
        assertEquals(row(MANY + 1), reader.rowOf(MANY + 1));
    }

    @Test
    void aFileIsKnownByLengthAndTimeAndWhichFileItIs() throws IOException {
        FolderStore store = new FolderStore(folder);
        assertNull(store.stampOf("patches"));
        Path patches = Files.writeString(folder.resolve("patches"), "0123456789abcdef");
        Files.setLastModifiedTime(patches, FileTime.fromMillis(1234));
        String stamp = store.stampOf("patches");
        assertFalse(stamp.contains(" "), stamp);
        Path copy = folder.resolve("copy");
        Files.copy(patches, copy, StandardCopyOption.COPY_ATTRIBUTES);
        assertNotEquals(stamp, store.stampOf("copy"), "a copy, as of a backup");
        Files.createLink(folder.resolve("link"), patches);
        assertEquals(stamp, store.stampOf("link"));
        Files.setLastModifiedTime(patches, FileTime.fromMillis(1235));
        assertNotEquals(stamp, store.stampOf("patches"));
        Files.setLastModifiedTime(patches, FileTime.fromMillis(1234));
        assertEquals(stamp, store.stampOf("patches"));
        Files.writeString(patches, "0123456789abcde");
        Files.setLastModifiedTime(patches, FileTime.fromMillis(1234));
        assertNotEquals(stamp, store.stampOf("patches"));
    }

    @Test
    void withoutAFileItKnowsWhatWasAdded() throws IOException {
        IndexCache memory = new IndexCache(null, LOG);
        memory.add(rows(3));
        memory.refresh();
        memory.rewrite();
        assertEquals(row(2), memory.rowOf(2));
        assertEquals(row(3), memory.rowOf(id(3)));
        assertNull(memory.rowOf(4));
        assertFalse(Files.exists(file()));
    }

    @Test
    void theIndexOfAnotherLogIsNone() throws IOException {
        index.add(rows(MANY));
        IndexCache other = new IndexCache(file(), "00000000-0000-4000-8000-0000000000bb");
        assertNull(other.rowOf(1));
        assertNull(other.rowOf(id(MANY)));
        other.add(row(3));
        assertEquals(2, Files.readAllLines(file()).size());
    }

    @Test
    void whereItCannotBeReadNothingIsKnownButWhatIsAdded() throws IOException {
        Files.createDirectory(file());
        assertNull(index.rowOf(1));
        assertNull(index.rowOf(id(1)));
        index.refresh();
        index.add(row(1));
        index.rewrite();
        assertEquals(row(1), index.rowOf(1));
        assertEquals(row(1), index.rowOf(id(1)));
        assertNull(index.rowOf(2));
    }

    @Test
    void whereItCannotBeWrittenItKnowsItStill() throws IOException {
        IndexCache nowhere = new IndexCache(folder.resolve("gone/.index"), LOG);
        nowhere.add(row(1));
        assertEquals(row(1), nowhere.rowOf(1));
    }
}
