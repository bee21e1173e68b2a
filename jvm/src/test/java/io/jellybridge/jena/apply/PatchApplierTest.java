package io.jellybridge.jena.apply;

import static io.jellybridge.jena.TestPatches.G;
import static io.jellybridge.jena.TestPatches.LONG_TIME;
import static io.jellybridge.jena.TestPatches.O;
import static io.jellybridge.jena.TestPatches.P;
import static io.jellybridge.jena.TestPatches.QUADS;
import static io.jellybridge.jena.TestPatches.S;
import static io.jellybridge.jena.TestPatches.blank;
import static io.jellybridge.jena.TestPatches.bytes;
import static io.jellybridge.jena.TestPatches.content;
import static io.jellybridge.jena.TestPatches.file;
import static io.jellybridge.jena.TestPatches.integer;
import static io.jellybridge.jena.TestPatches.iri;
import static io.jellybridge.jena.TestPatches.set;
import static io.jellybridge.jena.TestPatches.string;
import static io.jellybridge.jena.TestPatches.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.Checksums;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.jena.Backend;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.data.DiskFullException;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.JellyPatchWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.shared.AddDeniedException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of applying a file, on every back end. */
class PatchApplierTest {

    @TempDir
    Path folder;

    private static ApplyReport apply(DatasetStore store, Path file) throws IOException {
        return TestPatches.apply(store, file);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void rowsAndPrefixesArriveAndAreCounted(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            ApplyReport report = apply(store, file(folder, changes -> {
                changes.header("id", iri("urn:1"));
                changes.txnBegin();
                changes.addPrefix(G, "ex", "http://e/");
                changes.add(null, S, P, text("x"));
                changes.add(G, blank("b"), P, O);
                changes.add(G, S, P, O);
                changes.txnCommit();
                changes.segment();
                changes.txnBegin();
                changes.delete(G, S, P, O);
                changes.delete(G, S, P, text("not there"));
                changes.txnCommit();
                changes.segment();
                changes.segment();
            }));
            assertEquals(new ApplyReport(3, 2, 3, 2, 0, 4L), report);
            assertEquals(set("@ex: http://e/", "<http://e/s> <http://e/p> \"x\"",
                    "_:b <http://e/p> <http://e/o> <http://e/g>"), content(store));
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void anAbortedBlockUndoesItselfAndNothingElse(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            ApplyReport report = apply(store, file(folder, changes -> {
                changes.txnBegin();
                changes.add(null, S, P, text("kept"));
                changes.addPrefix(null, "kept", "http://kept/");
                changes.txnCommit();
                changes.txnBegin();
                changes.add(null, S, P, text("undone"));
                changes.delete(null, S, P, text("kept"));
                changes.addPrefix(null, "undone", "http://undone/");
                changes.deletePrefix(null, "kept");
                changes.txnAbort();
                changes.add(null, S, P, text("outside"));
                changes.segment();
            }));
            assertEquals(new ApplyReport(1, 1, 2, 0, 1, 2L), report);
            assertEquals(set("@kept: http://kept/", "<http://e/s> <http://e/p> \"kept\"",
                    "<http://e/s> <http://e/p> \"outside\""), content(store));
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void theLastOfTwoOperationsOnAQuadCounts(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            apply(store, file(folder, changes -> {
                changes.add(null, S, P, text("gone"));
                changes.delete(null, S, P, text("gone"));
                changes.delete(null, S, P, text("there"));
                changes.add(null, S, P, text("there"));
            }));
            assertEquals(set("<http://e/s> <http://e/p> \"there\""), content(store));
        }
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void everyStreamTypeAndStatementTypeIsApplied(StreamType type) throws IOException {
        for (StatementType statements : StatementType.values()) {
            try (DatasetStore store = DatasetStore.open("mem:")) {
                ApplyReport report = apply(store, file(folder, QUADS.withStreamType(type).withStatementType(statements),
                        changes -> {
                            changes.txnBegin();
                            changes.add(null, S, P, O);
                            changes.txnCommit();
                        }));
                assertEquals(new ApplyReport(1, 1, 1, 0, 0, 1L), report);
                assertEquals(set("<http://e/s> <http://e/p> <http://e/o>"), content(store));
            }
        }
    }

    // --- checked whole, before anything is touched

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatADatasetMustNotHoldIsRefusedBeforeAnythingIsTouched(Backend backend) throws IOException {
        Node triple = NodeFactory.createTripleTerm(text("literal"), P, O);
        List<Consumer<RDFChanges>> illegal = List.of(
                changes -> changes.add(null, text("x"), P, O),
                changes -> changes.add(null, S, blank("p"), O),
                changes -> changes.add(null, S, text("p"), O),
                changes -> changes.add(text("g"), S, P, O),
                changes -> changes.add(iri("urn:x-arq:UnionGraph"), S, P, O),
                changes -> changes.delete(iri("urn:x-arq:UnionGraph"), S, P, O),
                changes -> changes.add(null, iri("relative"), P, O),
                changes -> changes.add(null, S, iri(""), O),
                changes -> changes.add(null, S, P, iri("//host/path")),
                changes -> changes.add(null, S, P, iri("http://e/New York")),
                changes -> changes.add(iri("g"), S, P, O),
                changes -> changes.add(null, S, P, NodeFactory.createLiteralDT("x",
                        org.apache.jena.datatypes.TypeMapper.getInstance().getSafeTypeByName("datatype"))),
                changes -> changes.add(null, S, P, triple),
                changes -> changes.addPrefix(null, "1a", "http://e/"),
                changes -> changes.deletePrefix(null, "a!b"));
        try (DatasetStore store = backend.open(folder)) {
            for (Consumer<RDFChanges> change : illegal) {
                FormatException refusal = assertThrows(FormatException.class, () -> apply(store,
                        file(folder, changes -> {
                            changes.add(null, S, P, O);
                            changes.segment();
                            changes.txnBegin();
                            change.accept(changes);
                            changes.txnAbort();
                        })));
                assertEquals("apply", refusal.rule());
                assertEquals(set(), content(store));
                assertFalse(store.dataset().isInTransaction());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void tripleTermsAndBlankGraphsAreLegal(Backend backend) throws IOException {
        Node triple = NodeFactory.createTripleTerm(S, P, blank("b"));
        try (DatasetStore store = backend.open(folder)) {
            apply(store, file(folder, changes -> changes.add(blank("g"), triple, P, triple)));
            assertEquals(set(string(triple) + " <http://e/p> " + string(triple) + " _:g"), content(store));
        }
    }

    @Test
    void aFaultSaysWhereItIs() throws IOException {
        Path file = file(folder, changes -> {
            changes.add(null, S, P, O);
            changes.add(null, text("literal"), P, O);
        });
        try (DatasetStore store = DatasetStore.open("mem:")) {
            FormatException refusal = assertThrows(FormatException.class, () -> apply(store, file));
            assertTrue(refusal.getMessage().contains(file.toString()), refusal.getMessage());
            assertTrue(refusal.found().contains("literal"), refusal.getMessage());
            assertTrue(refusal.row() > 1 && refusal.offset() > 0, refusal.getMessage());
        }
    }

    @Test
    void aTermThatJenaCannotHoldSaysWhereItIs() throws IOException {
        byte[] tag = "x-ltr".getBytes();
        byte[] stream = bytes(QUADS, changes -> changes.add(null, S, P, NodeFactory.createLiteralLang("v", "x-ltr")));
        int at = indexOf(stream, tag);
        stream[at + 1] = '-';
        stream[at + 2] = '-';
        Path file = Files.write(folder.resolve("tag.jellyp"), Checksums.renewed(stream));
        try (DatasetStore store = DatasetStore.open("mem:")) {
            FormatException refusal = assertThrows(FormatException.class, () -> apply(store, file));
            assertEquals("term", refusal.rule());
            assertTrue(refusal.getMessage().contains("x--tr"), refusal.getMessage());
        }
    }

    /** Jena fails on an xsd:dateTime with eleven decimals of a second, which is legal. */
    @Test
    void aLiteralThatJenaFailsOnSaysWhereItIs() throws IOException {
        Path file = file(folder, changes -> changes.add(null, S, P, LONG_TIME));
        try (DatasetStore store = DatasetStore.open("mem:")) {
            if (TestPatches.isLongTimeParsed()) {
                assertEquals(1, apply(store, file).added());
                return;
            }
            FormatException refusal = assertThrows(FormatException.class, () -> apply(store, file));
            assertEquals("term", refusal.rule());
            assertTrue(refusal.getMessage().contains(LONG_TIME.getLiteralLexicalForm()) && refusal.row() > 1, refusal.getMessage());
        }
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int i = 0; i <= bytes.length - part.length; i++) {
            if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("not there");
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aFileCutAnywhereChangesNothing(Backend backend) throws IOException {
        byte[] stream = bytes(QUADS, changes -> {
            changes.add(null, S, P, O);
            changes.txnBegin();
            changes.add(G, S, P, text("x"));
            changes.txnCommit();
        });
        try (DatasetStore store = backend.open(folder)) {
            for (int length = 0; length < stream.length; length++) {
                Path file = Files.write(folder.resolve("cut.jellyp"), Arrays.copyOf(stream, length));
                assertThrows(FormatException.class, () -> apply(store, file), "cut at " + length);
            }
            assertEquals(set(), content(store));
        }
    }

    @Test
    void transactionsThatDoNotBalanceAreRefused() throws IOException {
        // Options, and then rows by their field numbers in RdfPatchRow: 6 TX, 7 TC, 8 TA, 15 mark.
        assertUnbalanced("P-102", 6, 6, 7, 15);
        assertUnbalanced("P-101", 7, 15);
        assertUnbalanced("P-101", 8, 15);
        assertUnbalanced("P-101", 6, 7, 7, 15);
        assertUnbalanced("P-104", 6, 15, 7, 15);
        assertUnbalanced("P-105", 6);
    }

    private void assertUnbalanced(String rule, int... rows) throws IOException {
        byte[] options = bytes(QUADS, changes -> { });
        byte[] more = new byte[4 * rows.length];
        for (int i = 0; i < rows.length; i++) {
            more[4 * i] = 10;
            more[4 * i + 1] = 2;
            more[4 * i + 2] = (byte) (rows[i] << 3 | 2);
        }
        Path file = Files.write(folder.resolve("unbalanced.jellyp"), TestPatches.withRows(options, more));
        try (DatasetStore store = DatasetStore.open("mem:")) {
            FormatException refusal = assertThrows(FormatException.class, () -> apply(store, file));
            assertEquals(rule, refusal.rule());
        }
    }

    // --- read twice

    private static void commit(RDFChanges changes, String object) {
        changes.txnBegin();
        changes.add(null, S, P, text(object));
        changes.txnCommit();
    }

    private static void abort(RDFChanges changes, String object) {
        changes.txnBegin();
        changes.add(null, S, P, text(object));
        changes.txnAbort();
    }

    private static void assertChanged(long applied, Consumer<RDFChanges> first, Consumer<RDFChanges> second) {
        List<byte[]> readings = List.of(bytes(QUADS, first), bytes(QUADS, second));
        for (boolean isTogether : new boolean[] {false, true}) {
            DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
            PatchApplier applier = new PatchApplier(dataset, ProgressListener.NONE);
            Iterator<byte[]> left = readings.iterator();
            Io.Supplier<PatchSource<Node>> patches = () -> new PatchReader<>(
                    new ByteArrayInputStream(left.next()), "changing", new NodeTerms(), ReadOptions.DEFAULT);
            String message = assertThrows(ApplyException.class, () -> {
                if (isTogether) {
                    applier.applyTogether(patches, new PositionUpdate(KEY, null, "<urn:1>"));
                } else {
                    applier.apply("changing", patches);
                }
            }).getMessage();
            assertTrue(message.endsWith("the patches have changed since they were checked; try again when nothing writes them"), message);
            assertEquals(isTogether ? 0 : applied, content(dataset).size());
            assertFalse(dataset.isInTransaction());
        }
    }

    @Test
    void patchesThatChangeAfterTheyWereCheckedAreNotApplied() {
        assertChanged(0, changes -> commit(changes, "x"), changes -> abort(changes, "x"));
        assertChanged(0, changes -> abort(changes, "x"), changes -> commit(changes, "x"));
        Consumer<RDFChanges> grown = changes -> {
            commit(changes, "x");
            changes.segment();
            abort(changes, "y");
            changes.add(null, S, P, text("z"));
        };
        assertChanged(1, changes -> {
            commit(changes, "x");
            changes.segment();
        }, grown);
        assertChanged(2, grown, changes -> {
            commit(changes, "x");
            changes.segment();
            changes.add(null, S, P, text("z"));
        });
        assertChanged(0, changes -> commit(changes, "x"), changes -> {
            commit(changes, "x");
            commit(changes, "y");
        });
    }

    // --- errors of the dataset

    /** Fails at the n-th add. */
    private static final class Failing extends DatasetGraphWrapper {
        private int left;

        Failing(DatasetGraph base, int left) {
            super(base);
            this.left = left;
        }

        @Override
        public void add(Node g, Node s, Node p, Node o) {
            if (left-- == 0) {
                throw new AddDeniedException("the disk is full");
            }
            super.add(g, s, p, o);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void anErrorOfTheDatasetUndoesItsPatchAndPrefixesAndLeavesNoTransactionOpen(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            DatasetGraph failing = new Failing(store.dataset(), 2);
            Path file = file(folder, changes -> {
                changes.addPrefix(null, "first", "http://first/");
                changes.addPrefix(null, "changed", "http://before/");
                changes.add(null, S, P, text("first"));
                changes.segment();
                changes.addPrefix(null, "second", "http://second/");
                changes.addPrefix(null, "changed", "http://after/");
                changes.deletePrefix(null, "first");
                changes.add(null, S, P, text("second"));
                changes.add(null, S, P, text("fails"));
                changes.segment();
            });
            ApplyException failure = assertThrows(ApplyException.class,
                    () -> PatchApplier.apply(failing, file, ReadOptions.DEFAULT));
            assertEquals(1, failure.patch());
            assertTrue(failure.getMessage().contains("disk is full"), failure.getMessage());
            assertFalse(store.dataset().isInTransaction());
            assertEquals(set("@first: http://first/", "@changed: http://before/",
                    "<http://e/s> <http://e/p> \"first\""),
                    content(store));
            store.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }");
        }
    }

    /** TDB2 maps files into memory, so that a full disk shows at any moment. */
    private static final Error NO_PAGE = new InternalError("a fault occurred in a recent unsafe memory access operation");

    @Test
    void aFullDiskOfATdb2DatabaseFailsThePatchAndIsNamed() throws IOException {
        try (DatasetStore store = Backend.TDB2.open(folder)) {
            DatasetGraph full = new DatasetGraphWrapper(store.dataset()) {
                @Override
                public void add(Node g, Node s, Node p, Node o) {
                    super.add(g, s, p, o);
                    throw NO_PAGE;
                }
            };
            Path file = file(folder, changes -> changes.add(null, S, P, O));
            PatchApplier applier = new PatchApplier(full, ProgressListener.NONE);
            Io.Supplier<PatchSource<Node>> patches = () -> PatchFiles.read(new FileLocation(file.toString()), null, new NodeTerms(), false);
            for (Executable apply : List.<Executable>of(
                    () -> applier.apply(file.toString(), patches),
                    () -> applier.applyTogether(patches, new PositionUpdate(KEY, null, "<urn:1>")))) {
                ApplyException failure = assertThrows(ApplyException.class, apply);
                assertEquals(0, failure.patch());
                assertTrue(failure.getMessage().contains("the TDB2 database in " + folder.toRealPath().resolve("database")
                        + " can't be written: "), failure.getMessage());
                assertFalse(store.dataset().isInTransaction());
                assertEquals(set(), content(store));
            }
        }
    }

    @Test
    void aFullDiskOfATdb2DatabaseThatIsSeenInTheStepIsNamedToo() throws IOException {
        try (DatasetStore store = Backend.TDB2.open(folder)) {
            Path file = file(folder, changes -> changes.add(null, S, P, O));
            PatchApplier applier = new PatchApplier(store.dataset(), ProgressListener.NONE);
            PatchApplier.Step step = new PatchApplier.Step() {
                @Override
                public void before(DatasetGraph dataset) {
                    // the first page is there
                }

                @Override
                public void after(DatasetGraph dataset) {
                    throw NO_PAGE;
                }
            };
            assertThrows(DiskFullException.class, () -> applier.applyTogether(
                    () -> PatchFiles.read(new FileLocation(file.toString()), null, new NodeTerms(), false), step));
            assertEquals(set(), content(store));
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aDatasetInATransactionIsRefused(Backend backend) throws IOException {
        Path file = file(folder, changes -> changes.add(null, S, P, O));
        try (DatasetStore store = backend.open(folder)) {
            store.dataset().begin(TxnType.READ);
            try {
                assertTrue(assertThrows(IllegalStateException.class, () -> apply(store, file)).getMessage()
                        .contains("in a transaction"));
                assertTrue(store.dataset().isInTransaction());
            } finally {
                store.dataset().end();
            }
        }
    }

    @Test
    void aDatasetThatCannotAbortIsRefused() throws IOException {
        Path file = file(folder, changes -> { });
        assertThrows(IllegalArgumentException.class,
                () -> PatchApplier.apply(DatasetGraphFactory.createGeneral(), file, ReadOptions.DEFAULT));
    }

    @Test
    void progressIsReportedAndAListenerThatThrowsUndoesThePatch() throws IOException {
        Path file = file(folder, changes -> {
            for (int i = 0; i < 24_999; i++) {
                changes.add(null, S, P, integer(Integer.toString(i)));
            }
            changes.delete(null, S, P, integer("24999"));
        });
        try (DatasetStore store = DatasetStore.open("mem:")) {
            assertThrows(ApplyException.class, () -> TestPatches.apply(store, file, rows -> {
                throw new IllegalStateException("interrupted by the user");
            }));
            assertEquals(0, store.size());
            List<Long> seen = new ArrayList<>();
            TestPatches.apply(store, file, seen::add);
            assertEquals(List.of(10_000L, 20_000L, 25_000L), seen);
            assertEquals(24_999, store.size());
        }
    }

    @Test
    void aReadingIsHeardOfAndCanBeEndedAndItsFaultsHaveTheirPlace() throws IOException {
        Path file = file(folder, changes -> {
            for (int i = 0; i < 10_000; i++) {
                changes.add(null, S, P, O);
            }
        });
        List<Long> heard = new ArrayList<>();
        ProgressListener listener = new ProgressListener() {
            @Override
            public void progress(long rows) {
                throw new AssertionError("nothing is done");
            }

            @Override
            public void reading(long rows) {
                heard.add(rows);
                if (heard.size() > 2) {
                    throw new IllegalStateException("interrupted by the user");
                }
            }
        };
        Patches watched = new WatchedPatches(PatchFiles.openPatches(file.toString()), listener);
        try (PatchSource<byte[]> source = watched.open(new Utf8Terms())) {
            source.readAll(new PatchAdapter<>());
            assertEquals(9_999, source.numbers().row());
            assertTrue(source.newError("rule", "found", "advice").getMessage().contains(file.toString()));
        }
        assertEquals(List.of(4_095L, 8_191L), heard);
        try (PatchSource<byte[]> source = watched.open(new Utf8Terms())) {
            assertThrows(IllegalStateException.class, () -> source.readAll(new PatchAdapter<>()));
        }
    }

    // --- together, with a step

    private static final String KEY = "urn:test:key";

    private ApplyReport step(DatasetStore store, String from, String to, Consumer<RDFChanges> changes) throws IOException {
        return store.apply(PatchFiles.openPatches(file(folder, changes).toString()), new PositionUpdate(KEY, from, to),
                ProgressListener.NONE);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void allPatchesOfAStepAreOneTransactionWithThePosition(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            ApplyReport report = step(store, null, "<urn:1>", changes -> {
                changes.add(null, S, P, text("first"));
                changes.segment();
                changes.delete(null, S, P, text("first"));
                changes.add(null, S, P, text("second"));
                changes.segment();
            });
            assertEquals(new ApplyReport(2, 0, 2, 1, 0, 3L), report);
            assertEquals("<urn:1>", store.readPosition(KEY));
            SortedSet<String> before = content(store);
            for (String from : new String[] {null, "<urn:0>"}) {
                PositionConflictException conflict = assertThrows(PositionConflictException.class,
                        () -> step(store, from, "<urn:2>", changes -> changes.add(null, S, P, O)));
                assertEquals(Arrays.asList(KEY, from, "<urn:1>"),
                        Arrays.asList(conflict.key(), conflict.expected(), conflict.found()));
                assertEquals("the dataset is at <urn:1> under <urn:test:key>, and the step to <urn:2> begins at "
                        + (from == null ? "no position" : from) + "; nothing was applied", conflict.getMessage());
            }
            assertEquals(before, content(store));
        }
    }

    /** The dataset is asked within the transaction too, since another may have moved it while the patches were checked. */
    @Test
    void aStepThatIsTakenWhileItsPatchesAreCheckedIsRefused() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            Path file = file(folder, changes -> changes.add(null, S, P, O));
            Patches overtaken = new Patches() {
                private int readings;

                @Override
                public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                    if (readings++ == 0) {
                        Txn.executeWrite(store.dataset(), () -> new StoredPosition(KEY).set(store.dataset(), "<urn:other>"));
                    }
                    return PatchFiles.openPatches(file.toString()).open(terms);
                }
            };
            PositionConflictException conflict = assertThrows(PositionConflictException.class,
                    () -> store.apply(overtaken, new PositionUpdate(KEY, null, "<urn:1>"), ProgressListener.NONE));
            assertEquals("<urn:other>", conflict.found());
            assertEquals(0, store.size());
            assertFalse(store.dataset().isInTransaction());
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void anErrorOfTheDatasetUndoesAllPatchesOfAStep(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            Path file = file(folder, changes -> {
                changes.addPrefix(null, "ex", "http://e/");
                changes.add(null, S, P, text("first"));
                changes.segment();
                changes.add(null, S, P, text("fails"));
            });
            PatchApplier applier = new PatchApplier(new Failing(store.dataset(), 1), ProgressListener.NONE);
            ApplyException failure = assertThrows(ApplyException.class, () -> applier.applyTogether(
                    () -> PatchFiles.read(new FileLocation(file.toString()), null, new NodeTerms(), false), new PositionUpdate(KEY, null, "<urn:1>")));
            assertEquals(1, failure.patch());
            assertNull(failure.file());
            assertTrue(failure.getMessage().startsWith("patch 1 failed, and nothing of the transaction is in the dataset: ")
                    && failure.getMessage().contains("disk is full"), failure.getMessage());
            assertEquals(set(), content(store));
            assertFalse(store.dataset().isInTransaction());
            assertNull(store.readPosition(KEY));
        }
    }

    @Test
    void anErrorSaysHowManyPatchesWereAppliedBefore() throws IOException {
        Path file = file(folder, changes -> {
            for (int i = 0; i < 3; i++) {
                changes.add(null, S, P, integer("" + i));
                changes.segment();
            }
        });
        for (int fails : new int[] {0, 2}) {
            DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
            ApplyException failure = assertThrows(ApplyException.class,
                    () -> PatchApplier.apply(new Failing(dataset, fails), file, ReadOptions.DEFAULT));
            assertEquals(List.of(file.toString(), (long) fails), List.of(failure.file(), failure.patch()));
            assertTrue(failure.getMessage().startsWith("patch " + fails + " of " + file + " was not applied")
                    && failure.getMessage().contains(fails == 0 ? "; no patch was applied before it: "
                    : "; the 2 before it were applied and stay: "), failure.getMessage());
            assertEquals(fails, content(dataset).size());
        }
        assertEquals(new ApplyReport(3, 0, 3, 0, 0, 3L),
                PatchApplier.apply(DatasetGraphFactory.createTxnMem(), file, ReadOptions.DEFAULT));
    }

    @Test
    void aStepOfADatasetInATransactionIsRefused() throws IOException {
        DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
        dataset.begin(TxnType.READ);
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> new PatchApplier(dataset, ProgressListener.NONE).applyTogether(() -> {
                    throw new AssertionError("read before the refusal");
                }, new PositionUpdate(KEY, null, "<urn:1>")));
        assertTrue(refused.getMessage().contains("in a transaction"), refused.getMessage());
        dataset.end();
    }

    // --- against a model

    @ParameterizedTest
    @EnumSource(Backend.class)
    void randomPatchesDoWhatASetOfQuadsWouldDo(Backend backend) throws IOException {
        int seeds = backend == Backend.MEMORY ? 100 : 5; // TDB2 writes to the disk at every commit
        for (int seed = 0; seed < seeds; seed++) {
            Random random = new Random(seed);
            Path inside = Files.createDirectory(folder.resolve("seed" + seed));
            try (DatasetStore store = backend.open(inside)) {
                SortedSet<String> model = new TreeSet<>();
                long[] counts = new long[6];
                for (int file = 0; file < 3; file++) {
                    Path patch = inside.resolve(file + ".jellyp");
                    try (JellyPatchWriter writer = new JellyPatchWriter(Files.newOutputStream(patch), null, QUADS,
                            new WriteOptions(1 + random.nextInt(20), true, 1 << 20))) {
                        for (int i = random.nextInt(6); i > 0; i--) {
                            randomPatch(random, writer, model, counts);
                            counts[0]++;
                        }
                    }
                    ApplyReport report = apply(store, patch);
                    assertEquals(new ApplyReport(counts[0], counts[1], counts[2], counts[3], counts[4],
                            counts[5]), report);
                    assertEquals(model, content(store), "seed " + seed);
                    Arrays.fill(counts, 0);
                }
            }
        }
    }

    private static void randomPatch(Random random, RDFChanges changes, SortedSet<String> model, long[] counts) {
        for (int block = random.nextInt(4); block > 0; block--) {
            int kind = random.nextInt(3);
            SortedSet<String> after = new TreeSet<>(model);
            long[] rows = new long[3];
            if (kind > 0) {
                changes.txnBegin();
            }
            for (int row = random.nextInt(15); row > 0; row--) {
                randomRow(random, changes, after, rows);
            }
            if (kind == 2) {
                changes.txnAbort();
                counts[4]++;
                continue;
            }
            if (kind == 1) {
                changes.txnCommit();
                counts[1]++;
            }
            counts[2] += rows[0];
            counts[3] += rows[1];
            counts[5] += rows[2];
            model.clear();
            model.addAll(after);
        }
        changes.segment();
    }

    private static void randomRow(Random random, RDFChanges changes, SortedSet<String> model, long[] rows) {
        if (random.nextInt(8) == 0) {
            String prefix = "p" + random.nextInt(3);
            String iri = "http://e/" + random.nextInt(2);
            model.removeIf(line -> line.startsWith("@" + prefix + ":"));
            if (random.nextBoolean()) {
                changes.addPrefix(random.nextBoolean() ? G : null, prefix, iri);
                model.add("@" + prefix + ": " + iri);
            } else {
                changes.deletePrefix(random.nextBoolean() ? G : null, prefix);
            }
            return;
        }
        Node graph = random.nextBoolean() ? null : random.nextBoolean() ? G : blank("g");
        Node subject = random.nextBoolean() ? S : blank("b" + random.nextInt(2));
        Node object = List.of(O, text("x"), integer("1"), NodeFactory.createLiteralLang("x", "en-GB"),
                NodeFactory.createTripleTerm(S, P, blank("b0"))).get(random.nextInt(5));
        String line = string(Quad.create(graph == null ? Quad.defaultGraphIRI : graph, subject, P, object));
        if (random.nextInt(3) > 0) {
            changes.add(graph, subject, P, object);
            rows[2] += model.add(line) ? 1 : 0;
            rows[0]++;
        } else {
            changes.delete(graph, subject, P, object);
            rows[2] += model.remove(line) ? 1 : 0;
            rows[1]++;
        }
    }
}
