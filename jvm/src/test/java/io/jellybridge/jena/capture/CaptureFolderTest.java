package io.jellybridge.jena.capture;

import static io.jellybridge.jena.TestPatches.G;
import static io.jellybridge.jena.TestPatches.O;
import static io.jellybridge.jena.TestPatches.P;
import static io.jellybridge.jena.TestPatches.S;
import static io.jellybridge.jena.TestPatches.integer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.Backend;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.log.CaptureWriter;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.PatchTimes;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures into a folder: its files, its chain, and what a crash leaves. */
class CaptureFolderTest {
    private static final long LONG = 1_000_000;
    private static final CaptureOptions OPTIONS =
            CaptureOptions.DEFAULT.withFsync(false).withRotation(new CaptureWriter.Rotation(64 << 20, Long.MAX_VALUE, LONG));

    @TempDir
    Path temporary;

    private Path log;

    /** Files end with so many patches. */
    private static CaptureWriter.Rotation patches(long most) {
        return new CaptureWriter.Rotation(1 << 20, most, LONG);
    }

    /** Files end with the patch that makes them so large. */
    private static CaptureWriter.Rotation bytes(long most) {
        return new CaptureWriter.Rotation(most, Long.MAX_VALUE, LONG);
    }

    @BeforeEach
    void nameTheLog() {
        log = temporary.resolve("a/log");
    }

    /** The files of the log, each by the name of its first version. */
    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.map(CaptureFolderTest::nameOfFirst).filter(name -> name.contains(".jellyp")).sorted().toList();
        }
    }

    private static String nameOfFirst(Path file) {
        return file.getFileName().toString().replaceAll("-[0-9]{20}", "");
    }

    private Path path(String nameOfFirst) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(file -> nameOfFirst(file).equals(nameOfFirst)).findFirst().orElseThrow();
        }
    }

    /** The file whose first patch is a version. */
    private static String name(int first) {
        return String.format("%020d.jellyp", first);
    }

    /** The same while it is written. */
    private static String part(int first) {
        return "." + name(first) + ".part";
    }

    /** The values of a header in all patches, in their order. */
    private List<String> headers(String key) throws IOException {
        List<String> values = new ArrayList<>();
        for (String file : files()) {
            values.addAll(headers(key, file));
        }
        return values;
    }

    private List<String> headers(String key, String file) throws IOException {
        return TestPatches.events(path(file)).stream().filter(event -> event.startsWith("H " + key + " "))
                .map(event -> event.substring(key.length() + 3)).toList();
    }

    private void checkChain(int patches) throws IOException {
        List<String> ids = headers("id");
        assertEquals(patches, ids.size());
        assertEquals(ids.subList(0, patches - 1), headers("prev"));
        assertEquals(patches, ids.stream().distinct().count());
        assertEquals(patches, headers("time").size());
        for (String time : headers("time")) {
            assertTrue(time.matches("\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\"\\^\\^<.*#dateTime>"), time);
        }
    }

    @Test
    void timesSortAsTextDoes() {
        List<String> times = Stream.of(999, 1000, 1001, 2000).map(Instant::ofEpochMilli)
                .map(PatchTimes.MILLISECONDS::format).toList();
        assertEquals("1970-01-01T00:00:01.000Z", times.get(1));
        assertEquals(times.stream().sorted().toList(), times);
    }

    private static void insert(DatasetStore store, int number) throws IOException {
        store.update("INSERT DATA { <http://e/s> <http://e/p> " + number + " }");
    }

    private long replayed() throws IOException {
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            for (String file : files()) {
                TestPatches.apply(replica, path(file));
            }
            return replica.size();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void theChainGoesOnOverFilesAndCaptures(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(temporary)) {
            for (int run = 0; run < 3; run++) {
                try (Capture capture = store.startCapture(log, OPTIONS.withRotation(patches(2)))) {
                    for (int i = 0; i < 3; i++) {
                        insert(store, 10 * run + i);
                        assertEquals("<" + capture.head().replaceAll("[<>]", "") + ">", position(store));
                    }
                }
            }
        }
        assertEquals(Stream.of(1, 3, 4, 6, 7, 9).map(CaptureFolderTest::name).toList(), files());
        checkChain(9);
        assertEquals(9, replayed());
    }

    /** Changes that Jena makes, and that no replica could. */
    private static Map<String, Consumer<DatasetGraph>> illegalChanges() {
        Node relative = TestPatches.iri("relative");
        Node tag = NodeFactory.createLiteralLang("x", "1");
        return Map.of(
                "<_:abc\\u0020def>",
                update("INSERT { <http://e/s> <http://e/p> ?x } WHERE { BIND(IRI('_:abc def') AS ?x) }"),
                "\"x\"@1", update("INSERT { <http://e/s> <http://e/p> ?x } WHERE { BIND(STRLANG('x', '1') AS ?x) }"),
                "<relative>", dataset -> dataset.add(null, relative, P, O),
                "the literal \"s\" as subject", dataset -> dataset.add(null, TestPatches.text("s"), P, O),
                "as predicate", dataset -> dataset.add(G, S, TestPatches.blank("p"), O),
                "<<( <http://e/s>", dataset -> dataset.add(G, S, P, NodeFactory.createTripleTerm(S, relative, O)),
                "as graph", dataset -> dataset.add(tag, S, P, O),
                "the prefix 'ex'", dataset -> dataset.prefixes().add("ex", "relative"),
                ", to be deleted,", dataset -> dataset.delete(G, relative, P, O));
    }

    private static Consumer<DatasetGraph> update(String sparql) {
        return dataset -> UpdateExec.dataset(dataset).update(sparql).execute();
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatNoReplicaCouldHoldIsRefusedBeforeTheCommitAndTheReplicaGoesOn(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(temporary); Capture capture = store.startCapture(log, OPTIONS)) {
            insert(store, 1);
            illegalChanges().forEach((named, change) -> {
                SortedSet<String> before = TestPatches.content(store);
                DatasetGraph dataset = capture.dataset();
                RuntimeException e = assertThrows(RuntimeException.class, () -> dataset.executeWrite(() -> {
                    dataset.add(G, S, P, O);
                    change.accept(dataset);
                }), named);
                assertTrue(e.getMessage().contains(named) && e.getMessage().contains("can't be captured"), e.toString());
                assertFalse(e.getMessage().contains("null"), e.toString());
                assertEquals(before, TestPatches.content(store), named);
                assertEquals(1, capture.patches(), named);
            });
            insert(store, 2);
            assertEquals(2, capture.patches());
        }
        checkChain(2);
        assertEquals(2, replayed());
    }

    private static String position(DatasetStore store) {
        DatasetGraph dataset = store.dataset();
        dataset.begin(TxnType.READ);
        try {
            return new StoredPosition(CaptureOptions.POSITION_KEY).get(dataset);
        } finally {
            dataset.end();
        }
    }

    @Test
    void aFileEndsWithThePatchThatMakesItLargeEnough() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); Capture capture = store.startCapture(log,
                OPTIONS.withRotation(bytes(2000)))) {
            for (int i = 0; i < 100; i++) {
                insert(store, i);
            }
            assertEquals(100, capture.patches());
        }
        List<String> files = files();
        assertTrue(files.size() > 3, files.toString());
        for (String file : files.subList(0, files.size() - 1)) {
            long size = Files.size(path(file));
            assertTrue(size >= 2000 && size < 2600, file + " " + size);
        }
        checkChain(100);
    }

    @Test
    void aFileAppearsWhenItIsWholeOrAskedFor() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); Capture capture = store.startCapture(log, OPTIONS)) {
            capture.rotate();
            insert(store, 1);
            assertEquals(List.of(part(1)), files());
            capture.rotate();
            capture.rotate();
            assertEquals(List.of(name(1)), files());
            assertEquals(1, replayed());
            assertEquals(List.of("id", "time", "chain", "TX", "A", "TC").size(), capture.rows());
            insert(store, 2);
        }
        assertEquals(List.of(name(1), name(2)), files());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40_000})
    void aFileThatIsAskedForWithinATransactionAppearsWithoutIt(int rows) throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); Capture capture = store.startCapture(log, OPTIONS)) {
            insert(store, 1);
            insert(store, 2);
            DatasetGraph dataset = capture.dataset();
            dataset.begin(TxnType.WRITE);
            for (int i = 0; i < rows; i++) {
                dataset.add(G, S, P, TestPatches.text("a value that is the only one of its kind, " + i));
            }
            capture.rotate();
            assertEquals(List.of(name(1)), files().subList(files().size() - 1, files().size()));
            assertEquals(2, headers("id", name(1)).size());
            dataset.add(G, S, P, TestPatches.text("another one"));
            dataset.commit();
            dataset.end();
            insert(store, 3);
        }
        assertEquals(List.of(name(1), name(3)), files());
        checkChain(4);
        assertEquals(rows + 4, replayed());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 300})
    void whatIsAbortedLeavesNothingInTheStreamAndTheNextPatchNeedsNothingOfIt(int restartBytes) throws IOException {
        CaptureOptions options = OPTIONS.withWriteOptions(new WriteOptions(3, true, 1 << 20, restartBytes));
        Path file = temporary.resolve("log.jellyp");
        List<String> expected = new ArrayList<>();
        try (DatasetStore store = DatasetStore.open("mem:"); DatasetStore other = DatasetStore.open("mem:");
                Capture capture = store.startCapture(log, options); Capture one = other.startCapture(file, options)) {
            for (int i = 0; i < 40; i++) {
                for (DatasetGraph dataset : List.of(capture.dataset(), one.dataset())) {
                    dataset.begin(TxnType.WRITE);
                    for (int row = 0; row < i % 7 + 1; row++) {
                        dataset.add(G, S, TestPatches.iri("http://e/" + i % 3 + "/p" + row), integer(i + "" + row));
                    }
                    if (i % 3 == 1) {
                        dataset.commit();
                    } else {
                        dataset.abort();
                    }
                    dataset.end();
                }
            }
            expected.addAll(TestPatches.content(store.dataset()));
        }
        assertEquals(List.of(name(1)), files());
        checkChain(13);
        for (Path written : List.of(path(name(1)), file)) {
            try (DatasetStore replica = DatasetStore.open("mem:")) {
                TestPatches.apply(replica, written);
                assertEquals(expected.size(), replica.size() + 1, written.toString()); // the position is no data
            }
        }
    }

    @Test
    void aTransactionThatCantBeKeptBackIsAbortedAndTheNextOneIsTriedAnew() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); Capture capture = store.startCapture(log, OPTIONS)) {
            insert(store, 1);
            Path aside = Files.move(log, temporary.resolve("aside"));
            DatasetGraph dataset = capture.dataset();
            dataset.begin(TxnType.WRITE);
            assertThrows(UncheckedIOException.class, () -> {
                for (int i = 0; i < 50_000; i++) {
                    dataset.add(G, S, P, TestPatches.text("a value that is the only one of its kind, " + i));
                }
            });
            Files.move(aside, log);
            assertThrows(RuntimeException.class, dataset::commit);
            insert(store, 2);
            assertEquals(2, store.size());
        }
        assertEquals(List.of(name(1)), files());
        checkChain(2);
        assertEquals(2, replayed());
    }

    @Test
    void aChangeFailsWhereNotEvenTheHeadersFit() throws IOException {
        CaptureOptions options = OPTIONS.withWriteOptions(new WriteOptions(1, true, 40));
        try (DatasetStore store = DatasetStore.open("mem:"); Capture capture = store.startCapture(log, options)) {
            for (int i = 0; i < 2; i++) {
                assertTrue(assertThrows(RuntimeException.class, () -> insert(store, 1)).getMessage()
                        .contains("raise maxFrameBytes"));
            }
            assertEquals(0, store.size());
            assertEquals(0, capture.patches());
        }
        assertEquals(List.of(), files());
    }

    @Test
    void aTransactionLargerThanTheBufferLeavesNoOtherFile() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); Capture capture = store.startCapture(log, OPTIONS)) {
            DatasetGraph dataset = capture.dataset();
            for (boolean commit : new boolean[] {false, true}) {
                dataset.begin(TxnType.WRITE);
                for (int i = 0; i < 50_000; i++) {
                    dataset.add(G, S, P, TestPatches.text("a value that is the only one of its kind, " + i));
                }
                if (commit) {
                    dataset.commit();
                } else {
                    dataset.abort();
                }
                dataset.end();
            }
        }
        assertEquals(List.of(name(1)), files());
        assertTrue(Files.size(path(name(1))) > 2 << 20);
        assertEquals(50_000, replayed());
    }

    @Test
    void oldFilesMayBeMovedAwayAndTheChainGoesOn() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            try (Capture capture = store.startCapture(log, OPTIONS.withRotation(patches(1)))) {
                insert(store, 1);
                insert(store, 2);
                assertEquals(position(store), capture.head());
            }
            String id = position(store);
            Files.delete(log.resolve(name(1)));
            try (Capture capture = store.startCapture(log, OPTIONS)) {
                assertEquals(id, capture.head());
                insert(store, 3);
            }
            assertEquals(List.of(name(2), name(3)), files());
            assertEquals(id, headers("prev").get(1));
            Files.delete(log.resolve(name(2)));
            Files.delete(log.resolve(name(3)));
            String empty = assertThrows(IllegalStateException.class, () -> store.startCapture(log, OPTIONS)).getMessage();
            assertTrue(empty.contains("is empty, and the dataset is at urn:uuid:"), empty);
        }
    }

    @Test
    void twoCapturesDoNotShareAFolder() throws IOException {
        try (DatasetStore one = DatasetStore.open("mem:"); DatasetStore two = DatasetStore.open("mem:")) {
            Capture capture = one.startCapture(log, OPTIONS);
            assertTrue(assertThrows(IllegalStateException.class, () -> two.startCapture(log, OPTIONS)).getMessage()
                    .contains("another capture"));
            capture.close();
            two.startCapture(log, OPTIONS).close();
        }
    }

    @Test
    void aFolderThatHoldsSomethingElseIsRefused() throws IOException {
        Files.createDirectories(log);
        Files.writeString(log.resolve("notes.txt"), "mine");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            assertTrue(assertThrows(IOException.class, () -> store.startCapture(log, OPTIONS)).getMessage()
                    .contains("notes.txt"));
            Files.delete(log.resolve("notes.txt"));
            store.startCapture(log, OPTIONS).close();
        }
    }

    @Test
    void aTransactionThatOutlivesItsCaptureIsNotCommitted() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            Capture capture = store.startCapture(log, OPTIONS);
            DatasetGraph dataset = capture.dataset();
            dataset.begin(TxnType.WRITE);
            dataset.add(G, S, P, O);
            capture.close();
            assertTrue(assertThrows(IllegalStateException.class, dataset::commit).getMessage().contains("ended"));
            assertFalse(store.dataset().isInTransaction());
            assertThrows(IllegalStateException.class, () -> dataset.add(G, S, P, O));
            assertEquals(0, store.size());
        }
        assertEquals(List.of(), files());
    }

    private static Stream<Arguments> changesOfPositionsOnly() {
        return Stream.of("CLEAR ALL", "DROP ALL", "DROP NAMED", "CLEAR SILENT GRAPH <urn:jellybridge:sync>",
                "DELETE WHERE { GRAPH <urn:jellybridge:sync> { ?s ?p ?o } }", "DELETE WHERE { GRAPH ?g { ?s ?p ?o } }",
                "MOVE SILENT <urn:jellybridge:sync> TO DEFAULT")
                .flatMap(update -> Stream.of(Arguments.of(update, false), Arguments.of(update, true)));
    }

    @ParameterizedTest
    @MethodSource("changesOfPositionsOnly")
    void whatIsNotInTheLogLeavesThePosition(String update, boolean effectiveOnly) throws IOException {
        CaptureOptions options = OPTIONS.withEffectiveOnly(effectiveOnly);
        try (DatasetStore store = DatasetStore.open("mem:")) {
            for (int run = 0; run < 3; run++) {
                try (Capture capture = store.startCapture(log, options)) {
                    insert(store, run);
                    store.update("DELETE DATA { <http://e/s> <http://e/p> " + run + " }");
                    store.update(update);
                    assertEquals(2, capture.patches());
                    assertEquals("<" + capture.head().replaceAll("[<>]", "") + ">", position(store));
                }
            }
        }
        checkChain(6);
    }

    // --- what a crash leaves

    /** A capture whose process goes away: its folder is left as it is. */
    private static final class Crash {
        final DatasetGraph base;
        final DatasetGraph captured;
        boolean commitFails;

        Crash(DatasetGraph dataset, Path log, CaptureOptions options) throws IOException {
            base = new DatasetGraphWrapper(dataset) {
                @Override
                public void commit() {
                    if (commitFails) {
                        super.abort();
                        throw new IllegalStateException("the process is gone");
                    }
                    super.commit();
                }
            };
            CaptureFolder folder = new CaptureFolder(log, options);
            StoredPosition position = new StoredPosition(CaptureOptions.POSITION_KEY);
            new CaptureRecovery(folder, dataset, position, CaptureOptions.Start.CHANGES).run();
            CaptureSink sink = new CaptureSink(folder, options);
            captured = new CapturingDatasetGraph(base, sink, options.effectiveOnly(), new CapturePosition(base, position, sink));
            folder.releaseLock();
        }

        void insert(int number) {
            captured.add(Quad.defaultGraphIRI, S, P, integer(Integer.toString(number)));
        }
    }

    private static long numbers(DatasetGraph dataset) {
        return TestPatches.content(dataset).stream().filter(line -> line.startsWith("<http://e/s>")).count();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void aPatchThatTheLogHasAndTheDatasetHasNotIsAppliedByTheNextCapture(int before) throws IOException {
        for (boolean recordAborted : new boolean[] {false, true}) {
            Path folder = log.resolveSibling(recordAborted + "");
            CaptureOptions options = OPTIONS.withRotation(patches(2)).withRecordAborted(recordAborted);
            DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
            Crash crash = new Crash(dataset, folder, options);
            for (int i = 0; i < before; i++) {
                crash.insert(i);
            }
            crash.commitFails = true;
            assertThrows(IllegalStateException.class, () -> crash.insert(100));
            assertEquals(before, numbers(dataset));
            Crash again = new Crash(dataset, folder, options);
            assertEquals(before + 1, numbers(dataset));
            again.insert(200);
            for (int i = 0; i < 3 && recordAborted; i++) {
                again.captured.begin(TxnType.WRITE);
                again.insert(300);
                again.captured.abort();
                again.captured.end();
            }
            new Crash(dataset, folder, options).insert(201);
            assertEquals(before + 3, numbers(dataset));
        }
    }

    @Test
    void ofThePatchThatTheDatasetHasNotItGetsDeletionsAndPrefixesTooAndNoneOfThoseBefore() throws IOException {
        DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
        Crash crash = new Crash(dataset, log, OPTIONS);
        crash.captured.executeWrite(() -> {
            crash.captured.prefixes().add("old", "http://old/");
            crash.captured.prefixes().add("gone", "http://gone/");
            crash.insert(1);
            crash.insert(2);
        });
        crash.captured.executeWrite(() -> {
            crash.captured.prefixes().delete("gone");
            crash.captured.delete(Quad.defaultGraphIRI, S, P, integer("2"));
        });
        crash.commitFails = true;
        assertThrows(IllegalStateException.class, () -> crash.captured.executeWrite(() -> {
            crash.captured.delete(Quad.defaultGraphIRI, S, P, integer("1"));
            crash.insert(3);
            crash.captured.prefixes().delete("old");
            crash.captured.prefixes().add("new", "http://new/");
        }));
        Txn.executeWrite(dataset, () -> {
            dataset.prefixes().clear(); // which Jena's dataset in memory does not roll back
            dataset.prefixes().add("old", "http://old/");
        });
        new Crash(dataset, log, OPTIONS);
        assertEquals(TestPatches.set(TestPatches.string(Quad.create(Quad.defaultGraphIRI, S, P, integer("3"))),
                "@new: http://new/"), TestPatches.content(UserDataView.of(dataset)));
    }

    @Test
    void aPatchWithoutAnIdIsOfNoCapture() throws IOException {
        StoreLog.create(log);
        Path file = TestPatches.file(temporary, PatchOptions.DEFAULT, changes -> {
            changes.txnBegin();
            changes.add(G, S, P, O);
            changes.txnCommit();
            changes.segment();
        });
        Path named = Files.move(file, log.resolve(name(1)));
        try (DatasetStore store = DatasetStore.open("mem:")) {
            assertEquals(named + " has no header id, so it is no patch of a log; check the log",
                    assertThrows(IOException.class, () -> store.startCapture(log, OPTIONS)).getMessage());
        }
    }

    @Test
    void aFileOfExactlyItsSizeIsFull() throws IOException {
        long size = 1 << 20;
        for (String name : new String[] {"one", "two"}) {
            log = temporary.resolve(name);
            try (DatasetStore store = DatasetStore.open("mem:");
                    Capture capture = store.startCapture(log, OPTIONS.withRotation(bytes(size)))) {
                insert(store, 1);
                assertEquals(List.of(name.equals("one") ? part(1) : name(1)), files());
                capture.rotate();
                size = Files.size(path(name(1))); // that of each patch like it
            }
        }
    }

    @Test
    void aDatasetThatGotThePatchOfTheLogIsAtItsPosition() throws IOException {
        DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
        Crash crash = new Crash(dataset, log, OPTIONS);
        crash.commitFails = true;
        assertThrows(IllegalStateException.class, () -> crash.insert(1));
        new Crash(dataset, log, OPTIONS);
        CaptureFolder recovered = new CaptureFolder(log, OPTIONS);
        assertEquals(StoredPosition.toCanonical(recovered.head()), Txn.calculateRead(dataset,
                () -> new StoredPosition(CaptureOptions.POSITION_KEY).get(dataset)));
        recovered.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void aFileThatEndsWithinAPatchLosesItAtEveryByte(int rowsInAFrame) throws IOException {
        DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
        Crash crash = new Crash(dataset, log,
                OPTIONS.withWriteOptions(new WriteOptions(rowsInAFrame, true, 1 << 20)));
        crash.insert(1);
        Path part = log.resolve(part(1));
        byte[] one = Files.readAllBytes(part);
        crash.commitFails = true;
        assertThrows(IllegalStateException.class, () -> crash.insert(2));
        byte[] two = Files.readAllBytes(part);
        assertTrue(Arrays.equals(one, Arrays.copyOf(two, one.length)));
        for (int length = one.length; length < two.length; length++) {
            Path folder = copyWithoutPatches("cut" + length);
            Files.write(folder.resolve(part(1)), Arrays.copyOf(two, length));
            CaptureFolder recovered = new CaptureFolder(folder, OPTIONS);
            assertEquals(one.length, Files.size(folder.resolve(name(1))), "cut after byte " + length);
            recovered.close();
        }
        for (int length = 0; length < one.length; length++) {
            Path folder = copyWithoutPatches("none" + length);
            Files.write(folder.resolve(part(1)), Arrays.copyOf(one, length));
            CaptureFolder recovered = new CaptureFolder(folder, OPTIONS);
            assertFalse(Files.exists(folder.resolve(part(1))), "cut after byte " + length);
            assertNull(recovered.head());
            recovered.close();
        }
    }

    private Path copyWithoutPatches(String name) throws IOException {
        Path copy = Files.createDirectory(temporary.resolve(name));
        Files.copy(log.resolve("patch-log.properties"), copy.resolve("patch-log.properties"));
        return copy;
    }

    @Test
    void aLogOfAnotherDatasetOrWithoutItsEndIsRefused() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); DatasetStore other = DatasetStore.open("mem:")) {
            try (Capture capture = store.startCapture(log, OPTIONS.withRotation(patches(1)))) {
                for (int i = 0; i < 3; i++) {
                    insert(store, i);
                }
                assertEquals(3, capture.patches());
            }
            assertTrue(assertThrows(IllegalStateException.class, () -> other.startCapture(log, OPTIONS)).getMessage()
                    .contains("never captured"));
            assertEquals(0, other.size());
            other.startCapture(temporary.resolve("other"), OPTIONS).close();
            String behind = assertThrows(IllegalStateException.class, () -> other.startCapture(log, OPTIONS)).getMessage();
            assertTrue(behind.startsWith("the log in " + log + " ends with patch urn:uuid:"), behind);
            assertTrue(behind.contains("the dataset is at the start of another log"), behind);
            assertEquals(0, other.size());
            Files.delete(log.resolve(name(3)));
            assertTrue(assertThrows(IllegalStateException.class, () -> store.startCapture(log, OPTIONS)).getMessage()
                    .contains("not in it"));
            try (Capture capture = other.startCapture(log, OPTIONS.withPosition(null))) {
                insert(other, 7);
                assertEquals(1, capture.patches());
            }
            assertEquals(1, other.size());
            checkChain(3);
        }
    }

    /** Its start is that of another log, so that the patch is not one which a crash kept from this dataset. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theOnlyPatchOfAnotherDatasetIsRefusedAtTheStart(boolean isThere) throws IOException {
        Path empty = temporary.resolve("empty");
        try (DatasetStore store = DatasetStore.open("mem:"); DatasetStore other = DatasetStore.open("mem:")) {
            other.startCapture(empty, OPTIONS).close();
            if (isThere) {
                StoreLog.openOrCreate(new FolderStore(log)).close();
                other.startCapture(log, OPTIONS).close();
                other.startCapture(empty, OPTIONS).close();
            }
            try (Capture capture = store.startCapture(log, OPTIONS)) {
                insert(store, 1);
                assertEquals(1, capture.patches());
            }
            String refused = assertThrows(IllegalStateException.class, () -> other.startCapture(log, OPTIONS)).getMessage();
            assertTrue(refused.contains("the dataset is at the start of another log"), refused);
            assertEquals(0, other.size());
            other.startCapture(empty, OPTIONS).close();
        }
    }

    @Test
    void aDatasetBeforePatchesThatWerePrunedIsRefused() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); DatasetStore atStart = DatasetStore.open("mem:")) {
            atStart.startCapture(log, OPTIONS).close();
            try (Capture capture = store.startCapture(log, OPTIONS)) {
                insert(store, 1);
                assertEquals(1, capture.patches());
            }
            try (StoreLog others = StoreLog.open(log)) {
                LogPatches.append(others, LogPatches.patch(null, null, LogPatches.add(2)));
                LogPatches.append(others, LogPatches.patch(null, null, LogPatches.add(3)));
            }
            String behind = assertThrows(IllegalStateException.class, () -> atStart.startCapture(log, OPTIONS)).getMessage();
            assertTrue(behind.contains("the dataset is at its start, which is more than one patch behind"), behind);
            Files.delete(log.resolve(name(1)));
            Files.delete(log.resolve(name(2)));
            for (DatasetStore one : List.of(store, atStart)) {
                long before = one.size();
                String refused = assertThrows(IllegalStateException.class, () -> one.startCapture(log, OPTIONS)).getMessage();
                assertTrue(refused.contains("the patches after that were pruned, up to version 2"), refused);
                assertEquals(before, one.size());
            }
        }
    }

    @Test
    void aLogThatCannotBeWrittenAbortsTheTransactionAndTheNextOneIsTriedAnew() throws IOException {
        CaptureOptions options = OPTIONS.withRotation(patches(1));
        try (DatasetStore store = DatasetStore.open("mem:")) {
            try (Capture capture = store.startCapture(log, options)) {
                insert(store, 1);
                // What is in the way of the next file.
                Path blocked = Files.createDirectory(log.resolve(part(2)));
                assertThrows(IOException.class, () -> {
                    try {
                        insert(store, 2);
                    } catch (java.io.UncheckedIOException e) {
                        throw e.getCause();
                    }
                });
                assertEquals(1, store.size());
                Files.delete(blocked);
                insert(store, 3);
                assertEquals(2, capture.patches());
            }
        }
        checkChain(2);
        assertEquals(2, replayed());
    }

    @Test
    void aFileThatIsFullAppearsAtOnceOrWithTheNextPatch() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:");
                Capture capture = store.startCapture(log, OPTIONS.withRotation(patches(2)))) {
            insert(store, 1);
            // What is in the way of the file's name.
            Path blocked = Files.createDirectory(log.resolve(String.format("%020d-%020d.jellyp", 1, 2)));
            insert(store, 2);
            assertEquals(2, capture.patches());
            Files.delete(blocked);
            insert(store, 3);
            insert(store, 4);
            assertEquals(List.of(name(1), name(3)), files());
        }
        checkChain(4);
        assertEquals(4, replayed());
    }

    /** An interrupt closes the file that is written. */
    @Test
    void anInterruptAbortsItsTransactionAlone() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); Capture capture = store.startCapture(log, OPTIONS)) {
            insert(store, 1);
            Thread.currentThread().interrupt();
            String message = assertThrows(UncheckedIOException.class, () -> insert(store, 2)).getMessage();
            assertTrue(Thread.interrupted());
            assertFalse(message.contains("null"), message);
            assertEquals(1, store.size());
            insert(store, 3);
            assertEquals(2, capture.patches());
        }
        assertEquals(List.of(name(1)), files());
        checkChain(2);
        assertEquals(2, replayed());
    }

    @Test
    void aRowOutsideOfATransactionIsRefused() throws IOException {
        CaptureFolder target = new CaptureFolder(log, OPTIONS);
        CaptureSink sink = new CaptureSink(target, OPTIONS);
        for (int patch = 0; patch < 2; patch++) {
            assertEquals("no transaction is open",
                    assertThrows(IllegalStateException.class, () -> sink.add(G, S, P, O)).getMessage());
            sink.txnBegin();
            sink.header("note", TestPatches.text("x"));
            sink.add(G, S, P, O);
            sink.txnCommit();
        }
        target.close();
        assertEquals(List.of("\"x\"", "\"x\""), headers("note"));
        checkChain(2);
    }
}
