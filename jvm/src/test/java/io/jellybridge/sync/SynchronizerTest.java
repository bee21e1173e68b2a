package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.Checksums;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.SyncState.Applied;
import io.jellybridge.sync.SyncState.SetAside;
import io.jellybridge.sync.Synchronizer.SyncReport;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applying patches in the order that is given; which one that is, and the datasets themselves, have tests of their own. */
class SynchronizerTest {
    private static final SyncOptions DEFAULTS =
            options(false, 100_000, false);

    @TempDir
    Path folder;

    private DatasetStore store;

    @BeforeEach
    void open() throws IOException {
        store = DatasetStore.open("mem:");
    }

    private static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private interface Rows {
        void write(PatchWriter<byte[]> to);
    }

    private void file(String name, Rows... patches) throws IOException {
        try (PatchWriter<byte[]> writer = new PatchWriter<>(Files.newOutputStream(folder.resolve(name)), name,
                new Utf8Terms(), PatchOptions.DEFAULT, WriteOptions.DEFAULT.withTerms(TermRules.ANY))) {
            for (Rows patch : patches) {
                patch.write(writer);
                writer.endPatch();
            }
        }
    }

    private static Rows patch(String id, String prev, Rows rows) {
        return to -> {
            if (id != null) {
                to.header(utf8("id"), utf8("<urn:id:" + id + ">"));
            }
            if (prev != null) {
                to.header(utf8("prev"), utf8("<urn:id:" + prev + ">"));
            }
            to.transaction(Op.TX);
            rows.write(to);
            to.transaction(Op.TC);
        };
    }

    /** Each patch takes away what the one before added: applied twice, or in another order, they leave something else. */
    private static Rows counter(int n) {
        return to -> {
            statement(to, Op.D, "<urn:counter>", "\"" + (n - 1) + "\"");
            statement(to, Op.A, "<urn:counter>", "\"" + n + "\"");
        };
    }

    private static void statement(PatchWriter<byte[]> to, Op op, String subject, String object) {
        to.statement(op, utf8(subject), utf8("<urn:p>"), utf8(object), null);
    }

    private void chain(int from, int to) throws IOException {
        for (int i = from; i <= to; i++) {
            file(i + ".jellyp", patch("" + i, i == 1 ? null : "" + (i - 1), counter(i)));
        }
    }

    /** The patches of all files, by their numbers. */
    private List<SyncPatch> patches() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Comparator<Path> byNumber = Comparator.comparing(
                    file -> Integer.valueOf(file.getFileName().toString().replace(".jellyp", "")));
            return FilePatches.list(files.sorted(byNumber).toList(), ProgressListener.NONE);
        }
    }

    /** Applies the patches that are behind where the dataset is. */
    private SyncReport sync(SyncOptions options) throws IOException {
        String position = store.readPosition(SyncOptions.LOG);
        List<SyncPatch> all = patches();
        int applied = all.stream().map(SyncPatch::position).toList().indexOf(position) + 1;
        return SyncRun.run(all.subList(applied, all.size()), store, options, ProgressListener.NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100})
    void aValueThatTdb2CannotHoldIsPassedIfALaterPatchDeletesIt(int batchRows) throws IOException {
        String large = "\"99999999999999999999\"^^<http://www.w3.org/2001/XMLSchema#integer>";
        chain(1, 1);
        file("2.jellyp", patch("2", "1", to -> {
            counter(2).write(to);
            statement(to, Op.A, "<urn:s>", large);
        }));
        chain(3, 5);
        file("6.jellyp", patch("6", "5", to -> {
            counter(6).write(to);
            statement(to, Op.D, "<urn:s>", large);
        }));
        store = DatasetStore.open("tdb2:" + folder.resolveSibling(folder.getFileName() + "-db"));
        SyncReport stopped = sync(options(false, batchRows, false));
        assertEquals(List.of(1L, 1), List.of(stopped.patches(), stopped.faulty()));
        String message = stopped.fault().getMessage();
        assertTrue(message.contains("more than 64 bits") && message.contains("if a later patch deletes it, sync with net_effect "
                + "(--net-effect); else make a checkpoint of a version without it"), message);
        SyncReport passed = sync(new SyncOptions(SyncOptions.LOG, false, batchRows, Long.MAX_VALUE, 1e9, true));
        assertEquals(List.of(5L, -1), List.of(passed.patches(), passed.faulty()));
        assertEquals("<urn:id:6>", store.readPosition(SyncOptions.LOG));
        assertEquals(1, store.size());
    }

    @Test
    void aValueThatTdb2CannotHoldStopsANetEffectTooIfNothingDeletesIt() throws IOException {
        chain(1, 1);
        file("2.jellyp", patch("2", "1",
                to -> statement(to, Op.A, "<urn:s>", "\"99999999999999999999\"^^<http://www.w3.org/2001/XMLSchema#integer>")));
        chain(3, 3);
        store = DatasetStore.open("tdb2:" + folder.resolveSibling(folder.getFileName() + "-db"));
        SyncReport stopped = sync(options(false, 1, true));
        assertEquals(List.of(1L, 1), List.of(stopped.patches(), stopped.faulty()));
        assertEquals("<urn:id:1>", store.readPosition(SyncOptions.LOG));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"99999999999999999999\"^^<http://www.w3.org/2001/XMLSchema#integer>", "\"o\"@ar--ltr"})
    void aValueThatTdb2BehindTheModuleCannotHoldIsThatOfItsPatchAlone(String value) throws IOException {
        file("1.jellyp", patch("1", null, to -> statement(to, Op.A, "<urn:s>", "\"o\"@ar--rtl")));
        chain(2, 4);
        file("5.jellyp", patch("5", "4", to -> statement(to, Op.A, "<urn:s>", value)));
        file("6.jellyp", patch("6", "5", to -> statement(to, Op.D, "<urn:s>", value)));
        try (TestFuseki fuseki = TestFuseki.withModule(DatabaseMgr.createDatasetGraph());
                OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            SyncReport stopped = SyncRun.run(patches(), dataset, DEFAULTS, ProgressListener.NONE);
            assertEquals(List.of(4L, 4, "<urn:id:4>"), List.of(stopped.patches(), stopped.faulty(), stopped.position()));
            String message = stopped.fault().getMessage();
            assertTrue(message.startsWith("[apply] " + fuseki.url() + "/patch: " + value.substring(0, value.lastIndexOf('"'))), message);
            assertTrue(message.contains("; correct it where the patch is written; nothing was applied; in a log that has it"), message);
            SyncReport passed = SyncRun.run(patches().subList(4, 6), dataset, options(false, 100_000, true), ProgressListener.NONE);
            assertEquals(List.of(2L, -1), List.of(passed.patches(), passed.faulty()));
            assertEquals(2, dataset.size());
        }
    }

    private TreeSet<String> content() {
        return content(store.dataset());
    }

    private static TreeSet<String> content(DatasetGraph dataset) {
        TreeSet<String> quads = new TreeSet<>();
        dataset.begin(org.apache.jena.query.TxnType.READ);
        try {
            for (Quad quad : (Iterable<Quad>) dataset::find) {
                if (!quad.getGraph().toString().contains(StoredPosition.GRAPH)) {
                    quads.add(quad.toString());
                }
            }
        } finally {
            dataset.end();
        }
        return quads;
    }

    private static SyncOptions options(boolean dryRun, long batchRows, boolean net) {
        return new SyncOptions(SyncOptions.LOG, dryRun, batchRows, 64 << 20, 10, net);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 100_000})
    void aChainIsAppliedInItsOrderAndOnce(long batchRows) throws IOException {
        chain(1, 12);
        SyncOptions options = options(false, batchRows, false);
        SyncReport first = sync(options);
        assertEquals(12, first.patches());
        assertEquals("<urn:id:12>", first.position());
        assertEquals(12, first.added());
        assertEquals(-1, first.faulty());
        assertEquals(1, content().size());
        assertTrue(content().first().contains("\"12\""));
        SyncReport second = sync(options);
        assertEquals(0, second.patches());
        assertEquals("<urn:id:12>", second.position());
        chain(13, 14);
        assertEquals(2, sync(options).patches());
        assertTrue(content().first().contains("\"14\""));
    }

    @Test
    void aPatchWithoutAnIdGoesByItsFileAndNumber() throws IOException {
        file("1.jellyp", patch(null, null, counter(1)));
        assertEquals("\"1.jellyp#0\"", sync(DEFAULTS).position());
        file("2.jellyp", patch(null, null, counter(2)), patch(null, null, counter(3)));
        SyncReport more = sync(DEFAULTS);
        assertEquals(2, more.patches());
        assertEquals("\"2.jellyp#1\"", more.position());
        assertTrue(content().first().contains("\"3\""));
    }

    @Test
    void manyPatchesOfOneFileCanBeTakenInParts() throws IOException {
        Rows[] patches = new Rows[20];
        for (int i = 0; i < patches.length; i++) {
            patches[i] = patch("" + i, i == 0 ? null : "" + (i - 1), counter(i));
        }
        file("1.jellyp", patches);
        SyncOptions small = options(false, 10, false);
        assertEquals(8, SyncRun.run(patches().subList(0, 8), store, small, ProgressListener.NONE).patches());
        assertTrue(content().first().contains("\"7\""));
        SyncReport rest = sync(small);
        assertEquals(12, rest.patches());
        assertTrue(rest.transactions() > 3);
        assertTrue(content().first().contains("\"19\""));
    }

    @Test
    void patchesFromHereAndThereInAFileKeepTheOrderThatIsGiven() throws IOException {
        file("1.jellyp", patch("1", null, counter(1)), patch("2", "1", counter(2)), patch("3", "2", counter(3)));
        List<SyncPatch> all = patches();
        SyncReport report = SyncRun.run(List.of(all.get(2), all.get(0), all.get(1)), store, DEFAULTS,
                ProgressListener.NONE);
        assertEquals(List.of(3L, 1L), List.of(report.patches(), report.transactions()));
        // 3, then 1, then 2 in the place of 1
        assertEquals(2, content().size());
        assertTrue(content().first().contains("\"2\"") && content().last().contains("\"3\""), content().toString());
    }

    private static PatchSpool copied(List<SyncPatch> patches, FilePatches.Cursor cursor) throws IOException {
        PatchSpool spool = new PatchSpool();
        spool.copy(patches, cursor, ProgressListener.NONE);
        return spool;
    }

    @Test
    void patchesThatDoNotStandNextToEachOtherAreReadAlone() throws IOException {
        file("1.jellyp", patch("1", null, counter(1)), patch("2", "1", counter(2)), patch("3", "2", counter(3)));
        file("2.jellyp", patch("11", null, counter(11)), patch("12", "11", counter(12)), patch("13", "12", counter(13)));
        List<SyncPatch> all = patches();
        for (List<Integer> some : List.of(List.of(0, 2), List.of(0, 4), List.of(1, 5), List.of(2, 4), List.of(0, 1, 5))) {
            List<SyncPatch> chosen = some.stream().map(all::get).toList();
            List<String> ids = new ArrayList<>();
            try (FilePatches.Cursor cursor = new FilePatches.Cursor(); PatchSpool spool = copied(chosen, cursor);
                    PatchSource<byte[]> source = spool.open(new Utf8Terms())) {
                source.readAll(new PatchAdapter<>() {
                    @Override
                    public void header(byte[] key, byte[] value) {
                        if (new String(key, StandardCharsets.UTF_8).equals("id")) {
                            ids.add(new String(value, StandardCharsets.UTF_8));
                        }
                    }
                });
            }
            assertEquals(chosen.stream().map(SyncPatch::id).toList(), ids);
        }
    }

    @Test
    void aPatchWithoutHeadersIsNotTakenForTheOneBeforeIt() throws IOException {
        file("1.jellyp", patch("1", "0", counter(1)), patch(null, null, counter(2)));
        SyncPatch second = patches().get(1);
        assertNull(second.id());
        assertNull(second.prev());
    }

    /** As where a run stopped at a patch that is set aside, and goes on behind it. */
    @Test
    void aLedgerGoesOnWhereARunEndedAndADryRunMovesNothing() throws IOException {
        chain(1, 5);
        List<SyncPatch> all = patches();
        SyncState state = SyncState.ofNames(null, all, List.of());
        SyncRun.run(all, store, options(true, 1, false), state, ProgressListener.NONE);
        assertNull(state.at());
        assertEquals(2, SyncRun.run(all.subList(0, 2), store, DEFAULTS, state, ProgressListener.NONE).patches());
        FilePatches.Cursor cursor = new FilePatches.Cursor();
        state.setAside(all.get(2), null, cursor);
        assertEquals(2, SyncRun.run(all.subList(3, 5), store, DEFAULTS, state, ProgressListener.NONE).patches());
        assertEquals(state.at(), store.storedPosition(SyncOptions.LOG));
        Applied applied = Applied.at(state.at());
        assertEquals(List.of("<urn:id:5>", cursor.readContent(all.get(4)).hash()), List.of(applied.patch(), applied.hash()));
        cursor.close();
        List<String> notes = store.readNotes(SyncOptions.LOG);
        assertEquals(List.of("3.jellyp#0"),
                notes.stream().map(SetAside::parse).filter(note -> note != null).map(SetAside::aside).toList());
        assertEquals(4, notes.stream().filter(note -> note.startsWith("{\"file\":")).count());
    }

    @Test
    void aDryRunChangesNothingAndSaysWhatWouldBe() throws IOException {
        chain(1, 4);
        SyncReport dry = sync(options(true, 3, false));
        assertTrue(content().isEmpty());
        assertEquals(null, store.readPosition(SyncOptions.LOG));
        assertEquals(dry, butForChanges(sync(options(false, 3, false))));
    }

    @Test
    void aBadPatchStopsTheRunAfterTheOnesBefore() throws IOException {
        chain(1, 5);
        breakFile("4.jellyp");
        SyncReport stopped = sync(DEFAULTS);
        assertEquals(List.of(3L, 3), List.of(stopped.patches(), stopped.faulty()));
        assertTrue(stopped.fault().getMessage().contains("4.jellyp"), stopped.fault().getMessage());
        assertTrue(content().first().contains("\"3\""));
        assertEquals("<urn:id:3>", store.readPosition(SyncOptions.LOG));
        chain(4, 4);
        assertEquals(2, sync(DEFAULTS).patches());
        assertTrue(content().first().contains("\"5\""));
    }

    @Test
    void aPatchWithTextThatIsNoneStopsTheRunAndTheOthersOfItsFileArrive() throws IOException {
        file("1.jellyp", patch("1", null, counter(1)), patch("2", "1", to -> {
            statement(to, Op.A, "<urn:bad>", "\"spoilt\"");
            statement(to, Op.A, "<urn:bad>", "\"not\"");
        }), patch("3", "2", counter(2)));
        byte[] bytes = Files.readAllBytes(folder.resolve("1.jellyp"));
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("spoilt")] = (byte) 0xFF;
        Files.write(folder.resolve("1.jellyp"), Checksums.renewed(bytes));
        List<SyncPatch> all = patches();
        SyncReport stopped = SyncRun.run(all, store, DEFAULTS, ProgressListener.NONE);
        assertEquals(1, stopped.faulty());
        assertTrue(stopped.fault().getMessage().contains("1.jellyp"), stopped.fault().getMessage());
        assertEquals("<urn:id:1>", store.readPosition(SyncOptions.LOG));
        SyncReport rest = SyncRun.run(all.subList(2, 3), store, DEFAULTS, ProgressListener.NONE);
        assertEquals("<urn:id:3>", rest.position());
        assertEquals(1, content().size());
        assertTrue(content().first().contains("\"2\""));
    }

    @Test
    void aPatchThatNoDatasetMayHoldStopsTheRunToo() throws IOException {
        chain(1, 2);
        try (PatchWriter<byte[]> writer = new PatchWriter<>(Files.newOutputStream(folder.resolve("3.jellyp")), null,
                new Utf8Terms(), PatchOptions.DEFAULT.withGeneralizedStatements(true), WriteOptions.DEFAULT)) {
            patch("3", "2", to -> statement(to, Op.A, "\"a literal\"", "\"3\"")).write(writer);
            writer.endPatch();
        }
        file("4.jellyp", patch("4", "3", counter(4)));
        SyncReport stopped = sync(options(false, 100, false));
        assertEquals(2, stopped.faulty());
        assertEquals("<urn:id:2>", stopped.position());
        assertTrue(stopped.fault() instanceof FormatException);
    }

    @Test
    void aPlaceholderForALostPatchIsOneThatCantBeRead() throws IOException {
        chain(1, 3);
        file("2.jellyp", to -> {
            to.header(utf8("id"), utf8("<urn:id:2>"));
            to.header(utf8("prev"), utf8("<urn:id:1>"));
            to.header(utf8("lost"), utf8("\"cut off\""));
        });
        SyncReport stopped = sync(DEFAULTS);
        String lost = stopped.fault().getMessage();
        assertTrue(lost.contains("2.jellyp") && lost.contains("cut off"), lost);
        assertEquals(1, stopped.faulty());
        assertTrue(content().first().contains("\"1\""));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDryRunFindsThePatchThatNoDatasetMayHold(boolean net) throws IOException {
        chain(1, 2);
        file("3.jellyp", patch("3", "2", to -> statement(to, Op.A, "<relative>", "\"3\"")));
        file("4.jellyp", patch("4", "3", counter(4)));
        SyncReport dry = sync(options(true, 100, net));
        assertTrue(content().isEmpty());
        assertEquals(2, dry.faulty());
        assertTrue(dry.fault().getMessage().contains("3.jellyp"), dry.fault().getMessage());
        SyncReport done = sync(options(false, 100, net));
        assertEquals(List.of(dry.patches(), dry.position(), dry.faulty()),
                List.of(done.patches(), done.position(), done.faulty()));
    }

    /** How many rows would change the dataset, a dry run does not know. */
    private static SyncReport butForChanges(SyncReport done) {
        return new SyncReport(done.patches(), done.transactions(), done.added(), done.deleted(), null, done.aborted(),
                done.position(), done.faulty(), done.fault());
    }

    private void breakFile(String name) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve(name));
        Files.write(folder.resolve(name), java.util.Arrays.copyOf(bytes, bytes.length - 5));
    }

    @Test
    void whoeverIsOvertakenIsToldAndNothingIsAppliedTwice() throws IOException {
        chain(1, 3);
        List<SyncPatch> patches = patches();
        OpenDataset overtaken = TestDataset.overtaken(store,
                () -> SyncRun.run(patches, store, DEFAULTS, ProgressListener.NONE));
        PositionConflictException conflict = assertThrows(PositionConflictException.class,
                () -> SyncRun.run(patches, overtaken, options(false, 1, false), ProgressListener.NONE));
        assertEquals("<urn:id:3>", conflict.found());
        assertTrue(content().first().contains("\"3\""));
    }

    /** Two at once: what the other one applied since is not applied again. */
    @Test
    void whatWasWorkedOutForAPositionIsAppliedThereAlone() throws IOException {
        chain(1, 5);
        List<SyncPatch> patches = patches();
        SyncState before = SyncState.ofPatches(store.storedPosition(SyncOptions.LOG));
        SyncRun.run(patches.subList(0, 3), store, DEFAULTS, ProgressListener.NONE);
        PositionConflictException conflict = assertThrows(PositionConflictException.class,
                () -> SyncRun.run(patches, store, DEFAULTS, before, ProgressListener.NONE));
        assertNull(conflict.expected());
        assertEquals(patches.get(2).position(), conflict.found());
    }

    @Test
    void theNetEffectIsThatOfAllOperations() throws IOException {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            for (int i = 1; i <= 8; i++) {
                List<Rows> blocks = new ArrayList<>();
                for (int block = 0; block < 3; block++) {
                    boolean aborted = random.nextInt(4) == 0;
                    List<Rows> rows = new ArrayList<>(Collections.nCopies(6, null));
                    rows.replaceAll(none -> randomRow(random));
                    blocks.add(to -> {
                        to.transaction(Op.TX);
                        rows.forEach(row -> row.write(to));
                        to.transaction(aborted ? Op.TA : Op.TC);
                    });
                }
                file(i + ".jellyp", to -> blocks.forEach(block -> block.write(to)));
            }
            try (DatasetStore one = DatasetStore.open("mem:"); DatasetStore other = DatasetStore.open("mem:")) {
                SyncRun.run(patches(), one, DEFAULTS, ProgressListener.NONE);
                SyncReport net = SyncRun.run(patches(), other,
                        options(false, 50, true), ProgressListener.NONE);
                assertEquals(content(one.dataset()), content(other.dataset()), "seed " + seed);
                assertFalse(content(one.dataset()).isEmpty());
                assertTrue(net.added() + net.deleted() < 8 * 18, "fewer operations than rows");
            }
        }
    }

    private static Rows randomRow(Random random) {
        Op op = random.nextBoolean() ? Op.A : Op.D;
        int subject = random.nextInt(3);
        int object = random.nextInt(3);
        return to -> statement(to, op, "<urn:s" + subject + ">", "\"" + object + "\"");
    }

    @Test
    void aNameWithQuotesIsAPositionToo() throws IOException {
        file("a \"b\" \\c.jellyp", patch(null, null, counter(1)));
        List<SyncPatch> named = FilePatches.list(List.of(folder.resolve("a \"b\" \\c.jellyp")), ProgressListener.NONE);
        assertEquals("\"a \\\"b\\\" \\\\c.jellyp#0\"", named.get(0).position());
        SyncReport report = SyncRun.run(named, store, DEFAULTS, ProgressListener.NONE);
        assertEquals(named.get(0).position(), report.position());
        assertEquals(named.get(0).position(), store.readPosition(SyncOptions.LOG));
    }

    @Test
    void aTransactionEndsWithThePatchThatMakesItLongEnoughInRowsOrInBytes() throws IOException {
        chain(1, 9);
        List<SyncPatch> patches = patches();
        // a header id, a header prev but in the first, TX, two statements, TC
        assertEquals(List.of(5L, 6L, 6L), patches.stream().limit(3).map(SyncPatch::rows).toList());
        long bytes = Files.size(folder.resolve("2.jellyp"));
        assertEquals(bytes, patches.get(1).bytes());
        for (long[] limits : new long[][] {{11, 1 << 20, 5}, {12, 1 << 20, 4}, {1_000, 2 * bytes, 4}, {10, 1 << 20, 5},
            {1_000, 3 * bytes, 3}, {1, 1, 9}}) {
            try (DatasetStore other = DatasetStore.open("mem:")) {
                SyncOptions options =
                        new SyncOptions(SyncOptions.LOG, false, limits[0], limits[1], 10, false);
                List<Long> told = new ArrayList<>();
                SyncReport report = SyncRun.run(patches, other, options, told::add);
                assertEquals(limits[2], report.transactions(), limits[0] + " rows, " + limits[1] + " bytes");
                assertEquals(List.of(9L, 9L, 9L), List.of(report.patches(), report.added(), report.deleted()));
                assertEquals(9 * 6 - 1, told.get(told.size() - 1));
                assertEquals(told.stream().sorted().toList(), told);
            }
        }
    }

    /** Each transaction but the first takes one patch, since no dataset is as fast as this asks for. */
    @Test
    void aSlowDatasetGetsShorterTransactions() throws IOException {
        file("1.jellyp", patch(null, null, counter(1)), patch(null, null, counter(2)), patch(null, null, counter(3)),
                patch(null, null, counter(4)), patch(null, null, counter(5)));
        SyncOptions hasty = new SyncOptions(SyncOptions.LOG, false, 8, 64 << 20, 1e-9, false);
        SyncReport report = sync(hasty);
        assertEquals(List.of(5L, 4L), List.of(report.patches(), report.transactions()));
    }

    @Test
    void theReportAddsUpWhatTheTransactionsDid() throws IOException {
        for (int i = 1; i <= 3; i++) {
            file(i + ".jellyp", patch("" + i, i == 1 ? null : "" + (i - 1), to -> {
                statement(to, Op.A, "<urn:s>", "\"kept\"");
                to.transaction(Op.TC);
                to.transaction(Op.TX);
                statement(to, Op.A, "<urn:s>", "\"undone\"");
                to.transaction(Op.TA);
                to.transaction(Op.TX);
                statement(to, Op.D, "<urn:s>", "\"not there\"");
            }));
        }
        SyncReport report = sync(options(false, 1, false));
        assertEquals(new SyncReport(3, 3, 3, 3, 1L, 3, "<urn:id:3>", -1, null), report);
    }

    @ParameterizedTest
    @ValueSource(strings = {"batchRows", "batchBytes", "batchSeconds"})
    void aSizeThatIsNotPositiveIsRefusedByItsName(String size) {
        List<String> sizes = List.of("batchRows", "batchBytes", "batchSeconds");
        for (double wrong : new double[] {0, -1}) {
            double[] values = {1, 1, 1};
            values[sizes.indexOf(size)] = wrong;
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> new SyncOptions(
                    SyncOptions.LOG, false, (long) values[0], (long) values[1], values[2], false));
            assertTrue(refused.getMessage().startsWith(size + "=" + wrong), refused.getMessage());
        }
    }

    @Test
    void theNetEffectKeepsThePrefixesGraphsAndTripleTermsOfTheLastOperations() throws IOException {
        Rows rows = to -> {
            for (String name : new String[] {"a", "b"}) {
                to.prefix(Op.PA, utf8(name), utf8("<http://before/>"), null);
                to.prefix(Op.PA, utf8(name), utf8("<http://" + name + "/>"), null);
            }
            to.prefix(Op.PD, utf8("b"), null, null);
            for (String graph : new String[] {null, "<urn:g1>", "<urn:g2>"}) {
                for (String predicate : new String[] {"<urn:p>", "<urn:q>"}) {
                    to.statement(Op.A, utf8("<urn:s>"), utf8(predicate), utf8("<<( <urn:s> <urn:p> _:b )>>"), utf8(graph));
                }
            }
            to.statement(Op.D, utf8("<urn:s>"), utf8("<urn:p>"), utf8("<<( <urn:s> <urn:p> _:b )>>"), utf8("<urn:g1>"));
            statement(to, Op.A, "<urn:Aa>", "\"one hash\"");
            statement(to, Op.A, "<urn:BB>", "\"one hash\"");
        };
        try (PatchWriter<byte[]> writer = new PatchWriter<>(Files.newOutputStream(folder.resolve("1.jellyp")), null,
                new Utf8Terms(), PatchOptions.DEFAULT.withRdfStar(true), WriteOptions.DEFAULT)) {
            patch("1", null, rows).write(writer);
            writer.endPatch();
        }
        SyncReport report = sync(options(false, 100, true));
        assertEquals(List.of(7L, 1L), List.of(report.added(), report.deleted()));
        assertEquals(7, content().size());
        assertEquals(java.util.Map.of("a", "http://a/"), Txn.calculateRead(store.dataset(),
                () -> store.dataset().prefixes().getMappingCopy()));
    }

    @Test
    void aListenerHearsOfEachFileThatIsReadAndCanEndTheReading() throws IOException {
        chain(1, 3);
        int[] heard = new int[1];
        ProgressListener second = new ProgressListener() {
            @Override
            public void progress(long rows) {
                throw new AssertionError("nothing is done");
            }

            @Override
            public void reading(long rows) {
                if (++heard[0] == 2) {
                    throw new IllegalStateException("interrupted by the user");
                }
            }
        };
        List<Path> files = Stream.of("1.jellyp", "2.jellyp", "3.jellyp").map(folder::resolve).toList();
        assertThrows(IllegalStateException.class, () -> FilePatches.list(files, second));
        assertEquals(3, FilePatches.list(files, second).size());
        assertEquals(2 + 3, heard[0]);
    }

    @Test
    void aPatchOfAFileIsReadAloneAndAFileThatShrankHasItNotAnyMore() throws IOException {
        file("a.jellyp", patch("1", null, counter(1)), patch("2", "1", counter(2)), patch("3", "2", counter(3)));
        SyncPatch second = FilePatches.list(List.of(folder.resolve("a.jellyp")), ProgressListener.NONE).get(1);
        assertEquals(Files.size(folder.resolve("a.jellyp")) / 2, second.bytes());
        List<String> objects = new ArrayList<>();
        PatchAdapter<byte[]> collecting = new PatchAdapter<>() {
            @Override
            public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                objects.add(op + new String(object, StandardCharsets.UTF_8));
            }
        };
        try (PatchSource<byte[]> source = second.open(new Utf8Terms())) {
            source.readAll(collecting);
            assertFalse(source.next(collecting));
        }
        assertEquals(List.of("D\"1\"", "A\"2\""), objects);
        SyncPatch third = FilePatches.list(List.of(folder.resolve("a.jellyp")), ProgressListener.NONE).get(2);
        file("a.jellyp", patch("1", null, counter(1)));
        for (SyncPatch gone : List.of(second, third)) {
            try (PatchSource<byte[]> source = gone.open(new Utf8Terms())) {
                assertThrows(IOException.class, () -> source.next(collecting));
            }
        }
    }

    /** A reader of Jelly-Patch lets it pass; a dataset must not. */
    @Test
    void aPatchWhoseTransactionsDoNotBalanceIsRefused() throws IOException {
        file("1.jellyp");
        byte[] options = Files.readAllBytes(folder.resolve("1.jellyp"));
        byte[] rows = {10, 2, 6 << 3 | 2, 0, 10, 2, 6 << 3 | 2, 0, 10, 2, 7 << 3 | 2, 0, 10, 2, 15 << 3 | 2, 0};
        Files.write(folder.resolve("2.jellyp"), TestPatches.withRows(options, rows)); // TX, TX, TC and a mark
        file("1.jellyp", patch(null, null, counter(1)));
        SyncReport report = sync(DEFAULTS);
        assertEquals(List.of(1L, 1), List.of(report.patches(), report.faulty()));
        FormatException why = (FormatException) report.fault();
        assertEquals("P-102", why.rule());
        assertTrue(why.getMessage().contains("2.jellyp"), why.getMessage());
        assertTrue(content().first().contains("\"1\""));
    }

    /** A patch that is in no file, such as one of a DataFrame. */
    private record MemoryPatch(String name, String id, String prev, String text) implements SyncPatch {
        @Override
        public long rows() {
            return text.lines().count();
        }

        @Override
        public long bytes() {
            return text.length();
        }

        @Override
        public RuntimeException fault() {
            return null;
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) {
            return TextBatch.of(text).open(terms);
        }

        @Override
        public Path file() {
            return null;
        }
    }

    @Test
    void patchesThatAreInNoFileAreFollowedToo() throws IOException {
        List<SyncPatch> source = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            source.add(new MemoryPatch("p" + i, "<urn:id:" + i + ">", i == 1 ? null : "<urn:id:" + (i - 1) + ">",
                    i == 4 ? "A <relative> <urn:p> 1 ." : "D <urn:s> <urn:p> \"" + (i - 1) + "\" .\nA <urn:s> <urn:p> \"" + i
                            + "\" ."));
        }
        SyncReport stopped = SyncRun.run(source, store, DEFAULTS, ProgressListener.NONE);
        assertEquals(List.of(3L, 3), List.of(stopped.patches(), stopped.faulty()));
        assertEquals("<urn:id:5>",
                SyncRun.run(source.subList(4, 5), store, DEFAULTS, ProgressListener.NONE).position());
        assertEquals(2, content().size()); // patch 4 would have taken one away
    }

    /** A dataset in memory that takes many rows in one go, as an empty TDB2 database does, while it is empty. */
    private OpenDataset loading(long leastRows) {
        return (OpenDataset) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {OpenDataset.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("usesBulkLoader")) {
                        return (long) arguments[0] >= leastRows && store.readPosition(SyncOptions.LOG) == null;
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aDatasetThatLoadsGetsAllThatItCanInOneGo() throws IOException {
        chain(1, 8);
        SyncReport loaded = SyncRun.run(patches(), loading(20),
                options(false, 1, false), ProgressListener.NONE);
        assertEquals(List.of(8L, 1L, 8L), List.of(loaded.patches(), loaded.transactions(), loaded.added()));
        chain(9, 10);
        assertEquals(2, sync(options(false, 1, false)).transactions());
        assertTrue(content().first().contains("\"10\""));
    }

    @Test
    void whatIsBeforeABadPatchIsLoadedWhereItIsEnough() throws IOException {
        chain(1, 8);
        file("7.jellyp", patch("7", "6", to -> statement(to, Op.A, "<relative>", "\"7\"")));
        List<SyncPatch> patches = patches();
        SyncReport stopped = SyncRun.run(patches, loading(20), options(false, 1, false), ProgressListener.NONE);
        assertTrue(stopped.fault().getMessage().contains("7.jellyp"), stopped.fault().getMessage());
        assertEquals("<urn:id:6>", store.readPosition(SyncOptions.LOG));
        // four in one go, being half of what is there, and two by one
        assertEquals(List.of(6L, 3L, 6), List.of(stopped.patches(), stopped.transactions(), stopped.faulty()));
        Txn.executeWrite(store.dataset(), () -> store.dataset().clear());
        assertEquals(6, SyncRun.run(patches, loading(1000), options(false, 1, false),
                ProgressListener.NONE).transactions());
        Txn.executeWrite(store.dataset(), () -> store.dataset().clear());
        assertEquals(6, SyncRun.run(patches, loading(20), options(true, 1, false),
                ProgressListener.NONE).transactions(), "a dry run loads nothing");
    }

    @Test
    void whatIsBehindPatchesThatCantBeReadIsLoadedToo() throws IOException {
        chain(1, 8);
        for (int i = 1; i <= 3; i++) {
            breakFile(i + ".jellyp");
        }
        file("7.jellyp", patch("7", "6", to -> statement(to, Op.A, "<relative>", "\"7\"")));
        List<SyncPatch> patches = patches().subList(3, 8);
        SyncReport report = SyncRun.run(patches, loading(10), options(false, 1, false), ProgressListener.NONE);
        // two of the five in one go, and one by itself
        assertEquals(List.of(3L, 2L, 3), List.of(report.patches(), report.transactions(), report.faulty()));
        SyncReport rest = SyncRun.run(patches.subList(4, 5), loading(10), options(false, 1, false),
                ProgressListener.NONE);
        assertEquals("<urn:id:8>", rest.position());
    }

    @Test
    void longTransactionsTellHowFarTheyAreAndFastOnesStayLong() throws IOException {
        for (int i = 1; i <= 4; i++) {
            int patch = i;
            file(i + ".jellyp", patch("" + i, i == 1 ? null : "" + (i - 1), to -> {
                for (int row = 0; row < 6_000; row++) {
                    statement(to, Op.A, "<urn:s>", "\"" + patch + "." + row + "\"");
                }
            }));
        }
        List<Long> told = new ArrayList<>();
        SyncReport report = SyncRun.run(patches(), store,
                new SyncOptions(SyncOptions.LOG, false, 10_000, 64 << 20, 300, false), told::add);
        assertEquals(List.of(4L, 2L, 24_000L), List.of(report.patches(), report.transactions(), report.added()));
        assertTrue(told.contains(10_000L) && told.contains(12_007L + 10_000), told.toString());
    }
}
