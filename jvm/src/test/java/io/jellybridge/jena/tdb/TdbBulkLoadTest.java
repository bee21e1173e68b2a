package io.jellybridge.jena.tdb;

import static io.jellybridge.jena.TestPatches.content;
import static io.jellybridge.jena.TestPatches.file;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.tdb2.sys.TDBInternal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TdbBulkLoadTest {
    private static final StoredPosition POSITION = new StoredPosition("urn:jellybridge:log");

    /** Leads from no position to one. */
    private static final PatchApplier.Step STEP = new PatchApplier.Step() {

        @Override
        public void before(DatasetGraph dataset) {
            assertEquals(null, POSITION.get(dataset));
        }

        @Override
        public void after(DatasetGraph dataset) {
            POSITION.set(dataset, "<urn:id:1>");
        }
    };

    @TempDir
    Path folder;

    private Path database() {
        return folder.resolve("database");
    }

    private DatasetStore open() throws IOException {
        return DatasetStore.open("tdb2:" + database());
    }

    private static Io.Supplier<PatchSource<Node>> patches(Path file) {
        return () -> new PatchReader<>(Files.newInputStream(file), file.toString(), new NodeTerms(), ReadOptions.DEFAULT);
    }

    private static Optional<ApplyReport> load(DatasetStore store, Io.Supplier<PatchSource<Node>> patches) throws IOException {
        return store.load(patches, STEP, 0, ProgressListener.NONE);
    }

    private Io.Supplier<PatchSource<Node>> some() throws IOException {
        return patches(file(folder, to -> {
            to.txnBegin();
            to.addPrefix(null, "ex", "http://e/");
            to.add(TestPatches.G, TestPatches.S, TestPatches.P, TestPatches.O);
            to.add(null, TestPatches.S, TestPatches.P, TestPatches.blank("b"));
            to.txnCommit();
        }));
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> entries = Files.list(database())) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith("Data")).sorted().toList();
        }
    }

    @Test
    void aLoadedNumberCanBeDeletedByWhatIsShown() throws IOException {
        try (DatasetStore store = open()) {
            assertEquals(1, load(store, patches(file(folder, to -> {
                to.add(TestPatches.G, TestPatches.S, TestPatches.P, literal("1.50", XSDDatatype.XSDdecimal));
                to.add(TestPatches.G, TestPatches.S, TestPatches.P, literal("1.5", XSDDatatype.XSDdecimal));
            }))).get().changed());
            store.update("DROP ALL");
            assertEquals(0, store.size());
        }
    }

    /** The loader would not see that TDB2 takes one for another. */
    @Test
    void literalsWithABaseDirectionAreLeftToATransaction() throws IOException {
        try (DatasetStore store = open()) {
            assertEquals(Optional.empty(), load(store, patches(file(folder, to -> to.add(TestPatches.G, TestPatches.S,
                    TestPatches.P, NodeFactory.createLiteralDirLang("o", "ar", "rtl"))))));
            assertEquals(0, store.size());
        }
    }

    @Test
    void anIntegerThatTdb2WouldAlterIsRefusedBeforeAnythingIsLoaded() throws IOException {
        try (DatasetStore store = open()) {
            Io.Supplier<PatchSource<Node>> patches = patches(file(folder, to -> to.add(TestPatches.G, TestPatches.S, TestPatches.P,
                    literal("-9223372036854775809", XSDDatatype.XSDinteger))));
            String message = assertThrows(FormatException.class, () -> load(store, patches)).getMessage();
            assertTrue(message.contains("\"-9223372036854775809\"") && message.contains("more than 64 bits"), message);
            assertEquals(0, store.size());
            assertEquals(List.of("Data-0001"), folders());
        }
    }

    // --- the same as a transaction

    private static Node literal(String lexical, XSDDatatype datatype) {
        return NodeFactory.createLiteralDT(lexical, datatype);
    }

    /** Few, so that they meet; many of them are one to TDB2, and some look as if they were. */
    private static final Node[] OBJECTS = {
        literal("42", XSDDatatype.XSDinteger), literal("042", XSDDatatype.XSDinteger), literal("42", XSDDatatype.XSDint),
        literal("1", XSDDatatype.XSDboolean), literal("true", XSDDatatype.XSDboolean),
        literal("1.0", XSDDatatype.XSDdecimal), literal("1.00", XSDDatatype.XSDdecimal),
        literal("1e0", XSDDatatype.XSDdouble), literal("1.0", XSDDatatype.XSDdouble),
        literal("72057594037927936", XSDDatatype.XSDinteger), literal("072057594037927936", XSDDatatype.XSDinteger),
        literal("2020-01-01T00:00:00Z", XSDDatatype.XSDdateTime),
        literal("2020-01-01T00:00:00+00:00", XSDDatatype.XSDdateTime),
        literal("no number", XSDDatatype.XSDinteger), TestPatches.text("42"), TestPatches.O, TestPatches.blank("b"),
        NodeFactory.createLiteralLang("x", "en-gb"), NodeFactory.createLiteralLang("x", "en-GB"),
        NodeFactory.createTripleTerm(TestPatches.S, TestPatches.P, literal("42", XSDDatatype.XSDinteger)),
        NodeFactory.createTripleTerm(TestPatches.S, TestPatches.P, literal("042", XSDDatatype.XSDinteger)),
    };

    private static final Node[] SUBJECTS = {TestPatches.S, TestPatches.blank("b"), OBJECTS[OBJECTS.length - 1],
        OBJECTS[OBJECTS.length - 2]};

    private static final Node[] GRAPHS = {null, TestPatches.G, TestPatches.blank("g"), Quad.defaultGraphIRI};

    private static final String LATER = "DELETE WHERE { ?s <http://e/p> 42 } ; INSERT DATA { <http://e/s> <http://e/p> 7 }";

    private static <T> T any(Random random, T[] all) {
        return all[random.nextInt(all.length)];
    }

    private static void randomPatches(Random random, RDFChanges to) {
        double deletions = random.nextInt(4) * 0.2;
        for (int patch = 0; patch < 3; patch++) {
            for (int block = 0; block < 4; block++) {
                to.txnBegin();
                for (int row = 0; row < 40; row++) {
                    randomRow(random, deletions, to);
                }
                if (random.nextInt(4) == 0) {
                    to.txnAbort();
                } else {
                    to.txnCommit();
                }
            }
            to.segment();
        }
    }

    private static void randomRow(Random random, double deletions, RDFChanges to) {
        boolean deletion = random.nextDouble() < deletions;
        if (random.nextInt(8) == 0) {
            String prefix = "p" + random.nextInt(3);
            if (deletion) {
                to.deletePrefix(null, prefix);
            } else {
                to.addPrefix(null, prefix, "http://e/" + random.nextInt(3) + "#");
            }
        } else if (deletion) {
            to.delete(any(random, GRAPHS), any(random, SUBJECTS), TestPatches.P, any(random, OBJECTS));
        } else {
            to.add(any(random, GRAPHS), any(random, SUBJECTS), TestPatches.P, any(random, OBJECTS));
        }
    }

    @Test
    void aLoadComesToTheSameAsATransaction() throws IOException {
        for (int seed = 0; seed < 4; seed++) {
            int number = seed;
            Io.Supplier<PatchSource<Node>> patches = patches(file(folder, to -> randomPatches(new Random(number), to)));
            String loaded = "tdb2:" + folder.resolve("loaded" + seed);
            String applied = "tdb2:" + folder.resolve("applied" + seed);
            try (DatasetStore store = DatasetStore.open(applied); DatasetStore other = DatasetStore.open(loaded)) {
                ApplyReport report = store.applyTogether(patches, STEP, ProgressListener.NONE);
                assertEquals(Optional.of(report), load(other, patches), "seed " + seed);
                store.update(LATER);
                other.update(LATER);
            }
            // Opened again: what TDB2 has in its cache is not always what it keeps.
            try (DatasetStore store = DatasetStore.open(applied); DatasetStore other = DatasetStore.open(loaded)) {
                assertEquals(content(store), content(other), "seed " + seed);
                assertEquals(store.size(), other.size());
                for (String pattern : List.of("?s ?p 42", "?s <http://e/p> ?o", "<http://e/s> ?p ?o")) {
                    String query = "SELECT (count(*) AS ?n) { { " + pattern + " } UNION { GRAPH ?g { " + pattern + " } } }";
                    assertEquals(store.runQuery(query), other.runQuery(query), "each index has the same");
                }
            }
        }
    }

    @Test
    void patchesThatNoDatasetMayHoldAreTheErrorOfTheirFormat() throws IOException {
        try (DatasetStore store = open()) {
            Io.Supplier<PatchSource<Node>> wrong = patches(file(folder, to -> {
                to.txnBegin();
                to.add(null, TestPatches.S, TestPatches.P, TestPatches.O);
                to.add(null, TestPatches.text("a literal"), TestPatches.P, TestPatches.O);
                to.txnCommit();
            }));
            FormatException loaded = assertThrows(FormatException.class, () -> load(store, wrong));
            FormatException applied = assertThrows(FormatException.class,
                    () -> store.applyTogether(wrong, STEP, ProgressListener.NONE));
            assertEquals(applied.getMessage(), loaded.getMessage());
            assertEquals(List.of("Data-0001"), folders());
        }
    }

    @Test
    void progressIsTold() throws IOException {
        try (DatasetStore store = open()) {
            List<Long> told = new ArrayList<>();
            store.load(patches(file(folder, to -> {
                for (int i = 0; i < 25_000; i++) {
                    to.add(null, TestPatches.S, TestPatches.P, TestPatches.integer("" + i));
                }
            })), STEP, 0, told::add);
            assertEquals(List.of(10_000L, 20_000L, 25_000L), told);
        }
    }

    // --- the moment of the switch

    @Test
    void theLoadedGenerationTakesThePlaceOfTheEmptyOne() throws IOException {
        try (DatasetStore store = open()) {
            Files.createFile(database().resolve("Data-0001").resolve("none.opt"));
            DatasetGraph kept = store.dataset();
            assertTrue(load(store, some()).isPresent());
            assertEquals(List.of("Data-0002"), folders());
            assertTrue(Files.exists(database().resolve("Data-0002").resolve("none.opt")), "settings go on");
            assertEquals(2, store.size());
            assertEquals(content(store), content(kept));
            assertEquals("<urn:id:1>", store.readPosition("urn:jellybridge:log"));
            store.update("INSERT DATA { <urn:a> <urn:b> <urn:c> }");
            assertEquals(3, store.size());
        }
        try (DatasetStore again = open()) {
            assertEquals(3, again.size());
            assertTrue(content(again).contains("@ex: http://e/"));
        }
    }

    @Test
    void aReaderEndsOnWhatItBeganWith() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (DatasetStore store = open()) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch loaded = new CountDownLatch(1);
            Io.Supplier<PatchSource<Node>> patches = some();
            Future<List<Boolean>> reader = thread.submit(() -> {
                DatasetGraph dataset = store.dataset();
                dataset.begin(TxnType.READ);
                try {
                    boolean before = dataset.find().hasNext();
                    begun.countDown();
                    assertTrue(loaded.await(60, TimeUnit.SECONDS));
                    // Long enough for a switch that does not wait.
                    Thread.sleep(500);
                    return List.of(before, dataset.find().hasNext());
                } finally {
                    dataset.end();
                }
            });
            assertTrue(begun.await(60, TimeUnit.SECONDS));
            PatchApplier.Step step = new PatchApplier.Step() {

                @Override
                public void before(DatasetGraph dataset) {
                    STEP.before(dataset);
                }

                @Override
                public void after(DatasetGraph dataset) {
                    STEP.after(dataset);
                    loaded.countDown();
                }
            };
            store.load(patches, step, 0, ProgressListener.NONE);
            assertEquals(2, store.size());
            assertEquals(List.of(false, false), reader.get());
            assertEquals(2, thread.submit(store::size).get());
        } finally {
            thread.shutdown();
        }
    }

    @Test
    void whoeverFillsTheDatabaseMeanwhileIsNotOverwritten() throws IOException {
        try (DatasetStore store = open()) {
            Io.Supplier<PatchSource<Node>> patches = some();
            Io.Supplier<PatchSource<Node>> disturbed = new Io.Supplier<PatchSource<Node>>() {
                private int readings;

                @Override
                public PatchSource<Node> get() throws IOException {
                    if (++readings == 2) {
                        store.update("INSERT DATA { <urn:a> <urn:b> <urn:c> }");
                    }
                    return patches.get();
                }
            };
            assertEquals(Optional.empty(), load(store, disturbed));
            assertEquals(TestPatches.set("<urn:a> <urn:b> <urn:c>"), content(store));
            assertEquals(List.of("Data-0001"), folders());
        }
    }

    @Test
    void aTransactionOfTheSameThreadIsRefused() throws IOException {
        try (DatasetStore store = open(); QuadCursor rows = store.rows()) {
            Io.Supplier<PatchSource<Node>> patches = some();
            assertThrows(IllegalStateException.class, () -> load(store, patches));
            assertFalse(rows.hasNext());
        }
    }

    // --- failures

    private void isEmptyAndUsable(DatasetStore store) throws IOException {
        assertEquals(TestPatches.set(), content(store));
        assertTrue(folders().contains("Data-0001"));
        assertFalse(folders().contains("Data-0002-tmp"));
        store.update("INSERT DATA { <urn:a> <urn:b> <urn:c> }");
        store.update("DELETE DATA { <urn:a> <urn:b> <urn:c> }");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aReadingThatFailsLeavesTheDatabaseEmpty(int failing) throws IOException {
        Path whole = file(folder, to -> {
            for (int i = 0; i < 3_000; i++) {
                to.add(null, TestPatches.S, TestPatches.P, TestPatches.integer("" + i));
            }
        });
        Path cut = folder.resolve("cut.jellyp");
        byte[] bytes = Files.readAllBytes(whole);
        Files.write(cut, Arrays.copyOf(bytes, bytes.length - 100));
        Io.Supplier<PatchSource<Node>> changing = new Io.Supplier<PatchSource<Node>>() {
            private int readings;

            @Override
            public PatchSource<Node> get() throws IOException {
                return patches(++readings == failing ? cut : whole).get();
            }
        };
        try (DatasetStore store = open()) {
            assertThrows(ApplyException.class, () -> load(store, changing));
            isEmptyAndUsable(store);
            assertTrue(load(store, patches(whole)).isPresent());
            assertEquals(3_000, store.size());
        }
    }

    @Test
    void aStepThatFailsLeavesTheDatabaseEmpty() throws IOException {
        PatchApplier.Step refusing = new PatchApplier.Step() {

            @Override
            public void before(DatasetGraph dataset) {
                STEP.before(dataset);
            }

            @Override
            public void after(DatasetGraph dataset) {
                throw new UnsupportedOperationException("refused by the test");
            }
        };
        try (DatasetStore store = open()) {
            Io.Supplier<PatchSource<Node>> patches = some();
            assertThrows(UnsupportedOperationException.class, () -> store.load(patches, refusing, 0, ProgressListener.NONE));
            isEmptyAndUsable(store);
        }
    }

    @Test
    void aRenamingThatFailsLeavesTheDatabaseEmpty() throws IOException {
        try (DatasetStore store = open()) {
            Path inTheWay = Files.createDirectory(database().resolve("Data-0002"));
            Files.createFile(inTheWay.resolve("file"));
            Io.Supplier<PatchSource<Node>> patches = some();
            assertThrows(IOException.class, () -> load(store, patches));
            isEmptyAndUsable(store);
            assertTrue(Files.exists(inTheWay.resolve("file")), "not ours");
            Files.delete(inTheWay.resolve("file"));
            Files.delete(inTheWay);
            assertTrue(load(store, patches).isPresent());
        }
    }

    @Test
    void whatAKillLeavesIsNoHindrance() throws IOException {
        open().close();
        Path loading = Files.createDirectory(database().resolve("Data-0002-tmp"));
        Files.writeString(loading.resolve("nodes.dat"), "half of it");
        try (DatasetStore store = open()) {
            assertEquals(List.of("Data-0001"), folders());
            assertTrue(load(store, some()).isPresent());
        }
        // Killed after the renaming: the empty generation is still there.
        DatasetStore.open("tdb2:" + folder.resolve("other")).close();
        Files.move(folder.resolve("other").resolve("Data-0001"), database().resolve("Data-0001"));
        try (DatasetStore store = open()) {
            assertEquals(2, store.size());
            assertEquals("<urn:id:1>", store.readPosition("urn:jellybridge:log"));
        }
    }

    // --- where it is not done

    @ParameterizedTest
    @ValueSource(strings = {"INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:b> 1 } }"})
    void aDatabaseWithQuadsIsNotLoaded(String update) throws IOException {
        try (DatasetStore store = open()) {
            store.update(update);
            assertEquals(Optional.empty(), load(store, some()));
            assertEquals(1, store.size());
            assertEquals(List.of("Data-0001"), folders());
        }
    }

    @Test
    void aDatabaseWithPrefixesIsNotLoaded() throws IOException {
        try (DatasetStore store = open()) {
            TestPatches.apply(store, file(folder, to -> to.addPrefix(null, "ex", "http://e/")));
            assertEquals(Optional.empty(), load(store, some()));
            assertEquals(0, store.size());
        }
    }

    @Test
    void aCapturedDatabaseIsNotLoaded() throws IOException {
        try (DatasetStore store = open()) {
            try (Capture capture = store.startCapture(folder.resolve("log.jellyp"), CaptureOptions.DEFAULT)) {
                assertEquals(Optional.empty(), load(store, some()));
                assertEquals(0, capture.patches());
            }
            assertTrue(load(store, some()).isPresent());
        }
    }

    @Test
    void aDatabaseThatTheProcessHasOpenByOtherMeansIsNotLoaded() throws IOException {
        Files.createDirectories(database());
        DatasetGraph other = DatabaseMgr.connectDatasetGraph(database().toString());
        try (DatasetStore store = open()) {
            assertEquals(Optional.empty(), load(store, some()));
        } finally {
            TDBInternal.expel(other);
        }
        try (DatasetStore memory = DatasetStore.open("mem:")) {
            assertEquals(Optional.empty(), load(memory, some()));
        }
    }
}
