package io.jellybridge.jena.dataset;

import static io.jellybridge.jena.TestPatches.content;
import static io.jellybridge.jena.TestPatches.file;
import static io.jellybridge.jena.TestPatches.set;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.JavaProcess;
import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.Backend;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.DiskFullException;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.expr.NodeValue;
import org.apache.jena.sparql.function.FunctionBase0;
import org.apache.jena.sparql.function.FunctionRegistry;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.tdb2.sys.TDBInternal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetStoreTest {
    /** Labels that Jena would rename, of every kind that N-Quads has. */
    static final String LABELS = """
            _:abc <http://e/p> _:b0 .
            _:B1x <http://e/p> _:a.b-c_d <http://e/g> .
            _:0 <http://e/p> "x"@en-gb _:g\u00e9 .
            <http://e/s> <http://e/p> <<( _:t <http://e/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> )>> .
            <http://e/s> <http://e/p> "tab\\t quote\\" nul\\u0000 \ud83d\ude00"@ar--rtl .
            """;

    @TempDir
    Path folder;

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(Files.newOutputStream(file))
                : Files.newOutputStream(file)) {
            out.write(text.getBytes(UTF_8));
        }
        return file;
    }

    private List<String> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    // --- opening and closing

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "mem", "mem:x", "tdb:dir", "tdb2:", "dir", "http://host/ds"})
    void aLocationThatIsNoneSaysWhichThereAre(String location) {
        String message = assertThrows(IllegalArgumentException.class, () -> DatasetStore.open(location)).getMessage();
        assertTrue(message.contains("mem:") && message.contains("tdb2:DIR"), message);
    }

    @Test
    void aTdb2FolderIsKeptAndCanBeOpenedAgainAfterItWasClosed() throws IOException {
        Path dir = folder.resolve("not/there yet");
        for (int i = 0; i < 3; i++) {
            try (DatasetStore store = DatasetStore.open("tdb2:" + dir)) {
                store.update("INSERT DATA { <http://e/s> <http://e/p> " + i + " }");
                assertEquals(i + 1, store.size());
            }
        }
    }

    @Test
    void aTdb2FolderIsOpenedOnceAtATimeInAProcess() throws IOException {
        try (DatasetStore store = DatasetStore.open("tdb2:" + folder.resolve("db"))) {
            String message = assertThrows(IllegalStateException.class,
                    () -> DatasetStore.open("tdb2:" +
                            folder.resolve("../" + folder.getFileName() + "/db"))).getMessage();
            assertTrue(message.contains("open in this process already"), message);
            store.update("INSERT DATA { <http://e/s> <http://e/p> 1 }");
        }
    }

    @Test
    void aTdb2FolderThatTheProcessHasOpenByOtherMeansIsSharedAndLeftOpen() throws IOException {
        Path dir = Files.createDirectory(folder.resolve("db"));
        DatasetGraph other = DatabaseMgr.connectDatasetGraph(dir.toString());
        try {
            try (DatasetStore store = DatasetStore.open("tdb2:" + dir)) {
                store.update("INSERT DATA { <http://e/s> <http://e/p> 1 }");
            }
            assertEquals(1, content(other).size());
        } finally {
            TDBInternal.expel(other);
        }
    }

    /** Opens the database that it is given, says so, and keeps it until its input ends. */
    public static final class Holder {
        public static void main(String[] arguments) throws IOException {
            try (DatasetStore store = DatasetStore.open(arguments[0])) {
                System.out.println("open " + store.size());
                System.out.flush();
                System.in.read();
            }
        }
    }

    /** Locks the file that it is given, as who opens a database does before it says in there who it is. */
    public static final class Locker {
        public static void main(String[] arguments) throws IOException {
            try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE); FileLock lock = file.lock()) {
                System.out.println("open " + lock.isValid());
                System.out.flush();
                System.in.read();
            }
        }
    }

    private static Process start(Class<?> main, Object argument) throws IOException {
        return JavaProcess.of(main, argument).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    @Test
    void aTdb2FolderThatAnotherProcessIsAboutToOpenIsRefusedInPlainWords() throws Exception {
        Path database = Files.createDirectory(folder.resolve("db"));
        Process holder = start(Locker.class, database.resolve("tdb.lock"));
        try {
            assertTrue(holder.inputReader().lines().anyMatch(line -> line.startsWith("open ")));
            String message =
                    assertThrows(IllegalStateException.class, () -> DatasetStore.open("tdb2:" + database)).getMessage();
            assertTrue(message.endsWith("is open in another process, and only one can have it at a time; close it there first"),
                    message);
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLockThatCantBeWrittenIsNoOtherProcess() throws Exception {
        Path database = Files.createDirectory(folder.resolve("db"));
        Files.createSymbolicLink(database.resolve("tdb.lock"), Path.of("/dev/full"));
        String message = assertThrows(IOException.class, () -> DatasetStore.open("tdb2:" + database)).getMessage();
        assertTrue(message.contains("can't be locked: No space left on device"), message);
    }

    /** What an update calls when the disk is full. */
    public static final class Full extends FunctionBase0 {
        @Override
        public NodeValue exec() {
            throw new InternalError("a fault occurred in a recent unsafe memory access operation in compiled Java code");
        }
    }

    @Test
    void anUpdateOfATdb2DatabaseWhoseDiskIsFullNamesItsFolderAndChangesNothing() throws Exception {
        // By reflection, since the method has another return type in Jena 6.
        FunctionRegistry.class.getMethod("put", String.class, Class.class).invoke(FunctionRegistry.get(), "urn:full", Full.class);
        Path database = folder.resolve("db");
        try (DatasetStore store = DatasetStore.open("tdb2:" + database)) {
            String message = assertThrows(DiskFullException.class, () -> store.update("INSERT DATA { <urn:s> <urn:p> 1 } ; "
                    + "INSERT { <urn:s> <urn:p> ?full } WHERE { BIND(<urn:full>() AS ?full) }")).getMessage();
            assertTrue(message.startsWith("the TDB2 database in " + database.toRealPath() + " can't be written: "), message);
            assertEquals(0, store.size());
            store.update("INSERT DATA { <urn:s> <urn:p> 1 }");
        }
    }

    @Test
    void aTdb2FolderThatAnotherProcessHasOpenIsRefusedInPlainWords() throws Exception {
        String location = "tdb2:" + folder.resolve("db");
        Process holder = start(Holder.class, location);
        try {
            // A logger may say something first.
            assertTrue(holder.inputReader().lines().anyMatch(line -> line.startsWith("open ")));
            String message = assertThrows(IllegalStateException.class, () -> DatasetStore.open(location)).getMessage();
            assertTrue(message.contains("open in another process"), message);
            holder.getOutputStream().close();
            assertTrue(holder.waitFor(120, TimeUnit.SECONDS));
            DatasetStore.open(location).close();
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void aFolderThatHoldsSomethingElseIsLeftAlone() throws IOException {
        write("thesis.txt", "years of work");
        assertThrows(IllegalArgumentException.class, () -> DatasetStore.open("tdb2:" + folder));
        assertEquals(List.of("thesis.txt"), filesIn(folder));
        assertThrows(IOException.class, () -> DatasetStore.open("tdb2:" + folder.resolve("thesis.txt")));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aClosedDatasetSaysSo(Backend backend) throws IOException {
        DatasetStore store = backend.open(folder);
        store.close();
        store.close();
        assertThrows(IllegalStateException.class, store::size);
        assertThrows(IllegalStateException.class, () -> store.update("CLEAR ALL"));
        assertThrows(IllegalStateException.class, store::rows);
    }

    // --- files

    @ParameterizedTest
    @ValueSource(strings = {"a.nq", "a.nq.gz"})
    void loadingKeepsLabelsAndDumpingWritesThemAgain(String name) throws IOException {
        Path in = write(name, LABELS);
        SortedSet<String> lines = new TreeSet<>(
                LABELS.lines().map(line -> line.substring(0, line.length() - 2)).toList());
        for (Backend backend : Backend.values()) {
            Path dump = folder.resolve(backend + "." + name);
            SortedSet<String> loaded;
            try (DatasetStore store = backend.open(folder)) {
                store.load(in.toString());
                loaded = content(store);
                store.dump(dump.toString());
            }
            // In memory and in text, but for the case of language tags, all is as it was.
            assertEquals(lines, loaded);
            try (DatasetStore again = DatasetStore.open("mem:")) {
                again.load(dump.toUri().toString());
                assertEquals(loaded, content(again));
            }
        }
    }

    @Test
    void twoLoadsOfOneFileAreTheSameNodes() throws IOException {
        Path in = write("a.nt", "_:abc <http://e/p> _:b .\n");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.load(in.toString());
            store.load(in.toString());
            assertEquals(set("_:abc <http://e/p> _:b"), content(store));
        }
    }

    @Test
    void labelsOfOtherSyntaxesBelongToTheirDocument() throws IOException {
        Path in = write("a.ttl", "_:abc <http://e/p> 1 .");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.load(in.toString());
            store.load(in.toString());
            assertEquals(2, store.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.trig", "x.trig.gz", "x.nq", "x.jsonld"})
    void quadsAndPrefixesSurviveTheSyntaxesThatHaveThem(String name) throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); DatasetStore again = DatasetStore.open("mem:")) {
            store.load(write("in.trig", "PREFIX ex: <http://e/> ex:s ex:p 1 . ex:g { ex:s ex:p \"x\"@en }").toString());
            store.dump(folder.resolve(name).toString());
            again.load(folder.resolve(name).toString());
            SortedSet<String> expected = content(store);
            if (name.endsWith(".nq")) {
                expected.removeIf(line -> line.startsWith("@"));
            }
            assertEquals(expected, content(again));
        }
    }

    /** A dump as Jelly would fail later, and a capture would refuse the document. */
    @Test
    void prefixesThatOtherSyntaxesDoNotTakeAreLeftOut() throws IOException {
        Path json = write("in.jsonld", "{\"@context\":{\"home page\":\"http://e/home/\",\"ex\":\"http://e/\"},"
                + "\"@id\":\"http://e/s\",\"http://e/p\":1}");
        Path xml = write("in.rdf", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:a.='http://e/'>"
                + "<rdf:Description rdf:about='http://e/s' a.:q='x'/></rdf:RDF>");
        try (DatasetStore store = DatasetStore.open("mem:");
                Capture capture = store.startCapture(folder.resolve("log.jellyp"), CaptureOptions.DEFAULT)) {
            store.load(json.toString());
            store.load(xml.toString());
            assertEquals(List.of(2L, 2L), List.of(store.size(), capture.patches()));
            assertEquals(Set.of("ex", "rdf"), store.prefixes().orElseThrow().keySet());
            store.dump(folder.resolve("all.jelly").toString());
        }
    }

    /** Jena's compaction writes the value of numbers that do not fit into an id, and of all in triple terms. */
    @Test
    void aCompactionKeepsEachTermAsItIs() throws IOException {
        String place = "tdb2:" + folder.resolve("database");
        String data = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX e: <http://e/> INSERT DATA { "
                + "e:s e:id '1729471237498712064'^^xsd:long , '0900719925474099312'^^xsd:integer , <<( e:a e:b '5'^^xsd:int )>> , 042 , 'x' ."
                + "GRAPH e:g { e:s e:id '1729471237498712064'^^xsd:unsignedLong } }";
        SortedSet<String> before;
        try (DatasetStore store = DatasetStore.open(place); Capture capture = store.startCapture(folder.resolve("log"), CaptureOptions.DEFAULT)) {
            store.update(data);
            store.load(write("p.ttl", "PREFIX e: <http://e/> e:s e:p e:o .").toString());
            before = dataOf(store);
            store.compact();
            assertEquals(before, dataOf(store));
            store.update("INSERT DATA { <http://e/later> <http://e/p> 1 }");
            assertEquals(3, capture.patches());
        }
        try (DatasetStore store = DatasetStore.open(place)) {
            store.update("DELETE DATA { <http://e/later> <http://e/p> 1 }");
            assertEquals(before, dataOf(store));
            assertEquals(List.of("Data-0002", "tdb.lock"), Stream.of(folder.resolve("database").toFile().list())
                    .filter(name -> !name.endsWith(".position")).sorted().toList());
            store.update("PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> DELETE DATA { <http://e/s> <http://e/id> '1729471237498712064'^^xsd:long }");
            assertEquals(before.size() - 1, dataOf(store).size());
            store.update(data);
            assertEquals(before, dataOf(store));
        }
    }

    private static SortedSet<String> dataOf(DatasetStore store) {
        SortedSet<String> data = content(store);
        data.removeIf(line -> line.contains("<urn:jellybridge:sync>"));
        return data;
    }

    @Test
    void aCloseThatIsRefusedDoesNotEndTheCapture() throws Exception {
        String place = "tdb2:" + folder.resolve("database");
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        try (DatasetStore store = DatasetStore.open(place)) {
            Capture capture = store.startCapture(folder.resolve("log"), CaptureOptions.DEFAULT);
            FutureTask<Void> reader = new FutureTask<>(() -> {
                try (QuadCursor cursor = store.readRows(QuadSelection.ALL)) {
                    read.countDown();
                    done.await();
                }
                return null;
            });
            new Thread(reader).start();
            read.await();
            assertThrows(IllegalStateException.class, store::close);
            assertFalse(capture.ended());
            store.update("INSERT DATA { <urn:s> <urn:p> 1 }");
            done.countDown();
            reader.get();
            assertEquals(1, capture.patches());
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aLoadThatFailsLeavesTheDatasetAsItWas(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            store.load(write("a.ttl", "PREFIX ex: <http://e/> ex:s ex:p 1 .").toString());
            SortedSet<String> before = content(store);
            String broken = write("b.ttl",
                    "PREFIX ex: <http://other/> PREFIX n: <http://n/> ex:s ex:p 2 .\nn:x oops .").toString();
            FormatException failure = assertThrows(FormatException.class, () -> store.load(broken));
            assertTrue(failure.getMessage().contains("b.ttl, line 2, column 5: "),
                    failure.getMessage());
            assertEquals(before, content(store));
            assertFalse(store.dataset().isInTransaction());
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aCompressedFileThatWasCutOffIsNotLoadedInPart(Backend backend) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            lines.append("<http://e/s").append(i * 31L % 20_011).append("> <http://e/p> \"").append(i).append("\" .\n");
        }
        Path file = write("c.nt.gz", lines.toString());
        byte[] whole = Files.readAllBytes(file);
        try (DatasetStore store = backend.open(folder)) {
            for (int cut : new int[] {1, 4, 8, 9, whole.length / 2, whole.length - 5}) {
                Files.write(file, Arrays.copyOf(whole, whole.length - cut));
                Exception failure = assertThrows(Exception.class, () -> store.load(file.toString()), "without " + cut);
                assertTrue(failure.getMessage().startsWith(file + ": "), failure.getMessage());
                assertTrue(failure.getMessage().contains("cut off"), failure.getMessage());
            }
            for (byte[] none : new byte[][] {{}, "no gzip".getBytes(UTF_8)}) {
                Files.write(file, none);
                Exception failure = assertThrows(IOException.class, () -> store.load(file.toString()));
                assertTrue(failure.getMessage().startsWith(file + ": the compressed data "), failure.getMessage());
            }
            assertEquals(set(), content(store));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bad.nt", "bad.nq", "bad.ttl", "bad.trig"})
    void textThatIsNotUtf8IsRefusedAndNotAltered(String name) throws IOException {
        String line = "<http://e/s> <http://e/p> \"caf\u00e9\" .\n";
        Path file = Files.write(folder.resolve(name), line.getBytes(ISO_8859_1));
        try (DatasetStore store = DatasetStore.open("mem:")) {
            String message = assertThrows(Exception.class, () -> store.load(file.toString())).getMessage();
            assertTrue(message.contains(file.toString()) && message.contains("byte 30") && message.contains("not UTF-8"), message);
            assertEquals(set(), content(store));
            Files.writeString(file, line);
            store.load(file.toString());
            assertEquals(set("<http://e/s> <http://e/p> \"caf\u00e9\""), content(store));
        }
    }

    @Test
    void anOutputThatIsALinkStaysOne() throws IOException {
        Path real = write("real.nq", "");
        Path link = Files.createSymbolicLink(folder.resolve("link.nq"), real);
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.update("INSERT DATA { <http://e/s> <http://e/p> 1 }");
            store.dump(link.toString());
        }
        assertTrue(Files.isSymbolicLink(link));
        assertTrue(Files.size(real) > 0);
    }

    @Test
    void aFileInThePlaceOfAFolderIsNamedAndStays() throws IOException {
        Path file = write("file", LABELS);
        Exception noDatabase = assertThrows(IOException.class, () -> DatasetStore.open("tdb2:" + file));
        assertEquals(file + " is a file; a TDB2 database needs a folder", noDatabase.getMessage());
        try (DatasetStore store = DatasetStore.open("mem:")) {
            Exception noLog = assertThrows(IOException.class, () -> store.startCapture(file, CaptureOptions.DEFAULT));
            assertTrue(noLog.getMessage().startsWith(file + " is a file"), noLog.getMessage());
        }
        assertEquals(LABELS, Files.readString(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a#b.nq", "a%20b ?.nq.gz", "a.ttl#b.nq"})
    void theSuffixIsWhatComesLastInTheName(String name) throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.load(write(name, LABELS).toString());
            SortedSet<String> loaded = content(store);
            assertEquals(5, loaded.size());
            store.dump(folder.resolve("copy of " + name).toString());
            store.load(folder.resolve("copy of " + name).toString());
            assertEquals(loaded, content(store));
        }
    }

    @Test
    void whatNoDatasetMayHoldIsNotLoadedAndSaysWhere() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            for (String line : List.of("<a> <http://e/p> <http://e/o> .",
                    "<http://e/s> <http://e/p> <http://e/a\\u0020b> .",
                    "<http://e/s> <http://e/p> <http://e/o> <urn:x-arq:UnionGraph> .",
                    "<http://e/s> <http://e/p> <http://e/o> <urn:x-arq:DefaultGraph> .")) {
                String name = write("a.nq", "<http://e/s> <http://e/p> <http://e/o> .\n" + line + "\n").toString();
                String message = assertThrows(FormatException.class, () -> store.load(name)).getMessage();
                assertTrue(message.contains("a.nq, line 2, column "), message);
                assertEquals(set(), content(store));
            }
        }
    }

    @Test
    void aFileThatCannotBeReadOrNamesNoSyntaxIsAnErrorThatSaysSo() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            assertThrows(FileNotFoundException.class, () -> store.load(folder.resolve("none.nq").toString()));
            String text = write("a.txt", "").toString();
            assertTrue(assertThrows(IllegalArgumentException.class, () ->
                    store.load(text)).getMessage().contains(".nq"));
            assertThrows(IllegalArgumentException.class, () -> store.dump(folder.resolve("b.txt").toString()));
            assertThrows(IOException.class, () -> store.dump(folder.resolve("no/folder/b.nq").toString()));
        }
    }

    @Test
    void aDumpThatFailsLeavesTheOldFileAndNoOther() throws IOException {
        Path target = write("a.nq", "old");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            TestPatches.apply(store, file(folder.resolve("."), changes -> {
                changes.add(null, TestPatches.S, TestPatches.P, TestPatches.O);
                changes.add(null, TestPatches.S, TestPatches.P, TestPatches.blank("a b"));
            }));
            List<String> before = filesIn(folder);
            String message = assertThrows(IllegalArgumentException.class, () ->
                    store.dump(target.toString())).getMessage();
            assertTrue(message.contains("U+0020 in the label of a blank node") && message.endsWith(" _:a b ."), message);
            assertEquals(before, filesIn(folder));
            assertEquals("old", Files.readString(target));
            store.update("INSERT DATA { GRAPH <http://e/g> { <http://e/s> <http://e/p> 1 } }");
            assertThrows(IllegalArgumentException.class, () -> store.dump(folder.resolve("a.nt").toString()));
            assertThrows(IllegalArgumentException.class, () -> store.dump(folder.resolve("a.ttl").toString()));
        }
    }

    @Test
    void aDumpIsReadableByWhomTheFolderLets() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.dump(folder.resolve("a.nq").toString());
            Path plain = Files.createFile(folder.resolve("plain"));
            assertEquals(Files.getPosixFilePermissions(plain), Files.getPosixFilePermissions(folder.resolve("a.nq")));
        }
    }

    @Test
    void aTdb2DatabaseThatWasKilledInMidWriteOpensWithAllThatWasCommitted(@TempDir Path folder) throws IOException {
        String location = "tdb2:" + folder.resolve("store");
        try (DatasetStore store = DatasetStore.open(location)) {
            store.update("INSERT DATA { <urn:s> <urn:p> 1 }");
        }
        Path journal = folder.resolve("store/Data-0001/journal.jrnl");
        assertEquals(0, Files.size(journal));
        // As found after a kill -9: a whole entry, and the head of another without its data.
        byte[] found = java.util.HexFormat.of().parseHex("00000018" + "0927009c" + "00000001" + "0000000e"
                + "000000000000002600000000000000270000000000000027" + "00000018" + "08f5009a" + "00000001" + "0000000c");
        for (int length : new int[] {found.length, 20, 7}) {
            Files.write(journal, java.util.Arrays.copyOf(found, length));
            try (DatasetStore store = DatasetStore.open(location)) {
                assertEquals(1, store.size());
                store.update("INSERT DATA { <urn:s> <urn:p> 2 } ; DELETE DATA { <urn:s> <urn:p> 2 }");
            }
        }
    }

    @Test
    void aDatabaseThatIsOpenIsReadBesideItAndIsNotClosedMeanwhile(@TempDir Path place) throws IOException {
        String location = "tdb2:" + place;
        try (DatasetStore store = DatasetStore.open(location)) {
            store.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }");
            try (DatasetStore reader = DatasetStore.openThere(location);
                    DatasetStore other = DatasetStore.openThere(location)) {
                assertEquals(1, reader.size());
                assertThrows(IllegalStateException.class, store::close);
                store.update("INSERT DATA { <urn:s> <urn:p> <urn:o2> }");
                assertEquals(2, other.size());
            }
            assertThrows(IllegalStateException.class, () -> DatasetStore.open(location));
        }
        try (DatasetStore reader = DatasetStore.openThere(location)) {
            assertEquals(2, reader.size());
        }
        DatasetStore.open(location).close();
    }
}
