package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Following folders of patches; the targets themselves are for their own contract test. */
class SynchronizerTest {
    private static final SyncOptions DEFAULTS =
            new SyncOptions(SyncOptions.LOG, null, false, null, 100_000, 64 << 20, 10, false);

    @TempDir
    Path folder;

    @TempDir
    Path elsewhere;

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

    private SyncReport sync(SyncOptions options) throws IOException {
        return Synchronizer.run(FolderPatches.list(folder), store, options, ProgressListener.NONE);
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

    private static SyncOptions options(String until, boolean dryRun, Path quarantine, long batchRows, boolean net) {
        return new SyncOptions(SyncOptions.LOG, until, dryRun, quarantine, batchRows, 64 << 20, 10, net);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 100_000})
    void aChainIsAppliedInItsOrderAndOnce(long batchRows) throws IOException {
        chain(1, 12);
        // names that sort in another order than the chain
        for (int i = 1; i <= 12; i++) {
            Files.move(folder.resolve(i + ".jellyp"), folder.resolve("f" + (i * 7 % 13) + ".jellyp"));
        }
        SyncOptions options = options(null, false, null, batchRows, false);
        SyncReport first = sync(options);
        assertEquals(12, first.patches());
        assertEquals("<urn:id:12>", first.after());
        assertEquals(12, first.added());
        assertEquals(1, content().size());
        assertTrue(content().first().contains("\"12\""));
        SyncReport second = sync(options);
        assertEquals(0, second.patches());
        assertEquals(12, second.skipped());
        assertEquals("<urn:id:12>", second.before());
        chain(13, 14);
        assertEquals(2, sync(options).patches());
        assertTrue(content().first().contains("\"14\""));
    }

    @Test
    void withoutIdsTheNaturalOrderOfTheNamesCounts() throws IOException {
        for (int i = 1; i <= 11; i++) {
            file("log" + i + ".jellyp", patch(null, null, counter(i)));
        }
        assertEquals("\"log11.jellyp#0\"", sync(DEFAULTS).after());
        assertTrue(content().first().contains("\"11\""));
        file("log12.jellyp", patch(null, null, counter(12)), patch(null, null, counter(13)));
        SyncReport more = sync(DEFAULTS);
        assertEquals(2, more.patches());
        assertEquals("\"log12.jellyp#1\"", more.after());
        assertTrue(content().first().contains("\"13\""));
    }

    @Test
    void manyPatchesOfOneFileCanBeTakenInParts() throws IOException {
        Rows[] patches = new Rows[20];
        for (int i = 0; i < patches.length; i++) {
            patches[i] = patch("" + i, i == 0 ? null : "" + (i - 1), counter(i));
        }
        file("all.jellyp", patches);
        assertEquals(8, sync(options("<urn:id:7>", false, null, 10, false)).patches());
        assertTrue(content().first().contains("\"7\""));
        SyncReport rest = sync(options(null, false, null, 10, false));
        assertEquals(12, rest.patches());
        assertTrue(rest.transactions() > 3);
        assertTrue(content().first().contains("\"19\""));
    }

    @Test
    void gapsForksAndUnknownPositionsAreNamed() throws IOException {
        chain(1, 3);
        Files.delete(folder.resolve("2.jellyp"));
        SyncException gap = assertThrows(SyncException.class, () -> sync(DEFAULTS));
        assertTrue(gap.getMessage().contains("<urn:id:3> (3.jellyp#0) follows <urn:id:2>"), gap.getMessage());
        assertTrue(content().isEmpty());
        chain(2, 2);
        file("other.jellyp", patch("x", "2", counter(3)));
        SyncException fork = assertThrows(SyncException.class, () -> sync(DEFAULTS));
        assertTrue(fork.getMessage().contains("forks after <urn:id:2>"), fork.getMessage());
        Files.delete(folder.resolve("other.jellyp"));
        sync(DEFAULTS);
        for (int i = 1; i <= 3; i++) {
            Files.delete(folder.resolve(i + ".jellyp"));
        }
        chain(7, 8);
        SyncException unknown = assertThrows(SyncException.class, () -> sync(DEFAULTS));
        assertTrue(unknown.getMessage().contains("<urn:id:3>"), unknown.getMessage());
        assertTrue(content().first().contains("\"3\""));
    }

    @Test
    void theBeginningOfALogMayBeGoneOnceItWasApplied() throws IOException {
        chain(1, 3);
        sync(DEFAULTS);
        for (int i = 1; i <= 3; i++) {
            Files.delete(folder.resolve(i + ".jellyp"));
        }
        assertEquals(0, sync(DEFAULTS).patches());
        chain(4, 5);
        assertEquals(2, sync(DEFAULTS).patches());
        assertTrue(content().first().contains("\"5\""));
    }

    @Test
    void aDryRunChangesNothingAndSaysWhatWouldBe() throws IOException {
        chain(1, 4);
        SyncReport dry = sync(options(null, true, null, 3, false));
        assertTrue(content().isEmpty());
        assertEquals(null, store.position(SyncOptions.LOG));
        assertEquals(dry, butForChanges(sync(options(null, false, null, 3, false))));
    }

    @Test
    void aBadPatchStopsTheSyncAfterTheOnesBefore() throws IOException {
        chain(1, 5);
        breakFile("4.jellyp");
        assertThrows(FormatException.class, () -> sync(DEFAULTS));
        assertTrue(content().first().contains("\"3\""));
        assertEquals("<urn:id:3>", store.position(SyncOptions.LOG));
        chain(4, 4);
        assertEquals(2, sync(DEFAULTS).patches());
        assertTrue(content().first().contains("\"5\""));
    }

    @Test
    void aBadPatchGoesAsideWithItsReason() throws IOException {
        chain(1, 3);
        breakFile("2.jellyp");
        file("4.jellyp", patch("4", "3", to -> statement(to, Op.A, "<urn:s>", "\"4\"")));
        Path quarantine = elsewhere.resolve("bad");
        SyncReport report = sync(options(null, false, quarantine, 100, false));
        assertEquals(List.of("2.jellyp#0"), report.quarantined());
        assertEquals(3, report.patches());
        assertEquals("<urn:id:4>", report.after());
        assertTrue(Files.exists(quarantine.resolve("2.jellyp")));
        assertTrue(Files.readString(quarantine.resolve("2.jellyp#0.reason.txt")).contains("2.jellyp"));
        SyncReport again = sync(options(null, false, quarantine, 100, false));
        assertEquals(0, again.patches());
        assertEquals(List.of(), again.quarantined());
    }

    @Test
    void aPatchThatNoDatasetMayHoldGoesAsideToo() throws IOException {
        chain(1, 2);
        try (PatchWriter<byte[]> writer = new PatchWriter<>(Files.newOutputStream(folder.resolve("3.jellyp")), null,
                new Utf8Terms(), PatchOptions.DEFAULT.withGeneralizedStatements(true), WriteOptions.DEFAULT)) {
            patch("3", "2", to -> statement(to, Op.A, "\"a literal\"", "\"3\"")).write(writer);
            writer.endPatch();
        }
        file("4.jellyp", patch("4", "3", counter(4)));
        SyncReport report = sync(options(null, false, elsewhere, 100, false));
        assertEquals(List.of("3.jellyp#0"), report.quarantined());
        assertEquals("<urn:id:4>", report.after());
    }

    @Test
    void aFirstPatchThatCantBeReadIsNoGap() throws IOException {
        chain(1, 3);
        breakFile("1.jellyp");
        assertThrows(FormatException.class, () -> sync(DEFAULTS));
        assertTrue(content().isEmpty());
        SyncReport report = sync(options(null, false, elsewhere, 100, false));
        assertEquals(List.of("1.jellyp#0"), report.quarantined());
        assertEquals("<urn:id:3>", report.after());
    }

    @Test
    void whatFollowsAGapIsNamedAndAppliedInTheOrderOfTheChain() throws IOException {
        file("1.jellyp", patch("1", null, counter(1)));
        file("2.jellyp", patch("2", "1", counter(2)));
        file("3.jellyp", patch("4", "3", counter(4)));
        file("4.jellyp", patch("3", "2", counter(3)));
        breakFile("2.jellyp");
        SyncReport report = sync(options(null, false, elsewhere, 1, false));
        assertEquals(3, report.patches());
        // Patch 2 would have taken away what patch 1 added.
        assertEquals(2, content().size());
        assertTrue(content().first().contains("\"1\"") && content().last().contains("\"4\""), content().toString());
        Files.delete(folder.resolve("2.jellyp"));
        try (DatasetStore other = DatasetStore.open("mem:")) {
            SyncException gap = assertThrows(SyncException.class, () -> Synchronizer.run(FolderPatches.list(folder),
                    other, DEFAULTS, ProgressListener.NONE));
            assertTrue(gap.getMessage().contains("<urn:id:3> (4.jellyp#0) follows <urn:id:2>"), gap.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCircleIsNamed(boolean besideAChain) throws IOException {
        file("1.jellyp", patch("1", besideAChain ? null : "1", counter(1)));
        if (besideAChain) {
            file("2.jellyp", patch("2", "3", counter(2)));
            file("3.jellyp", patch("3", "2", counter(3)));
        } else {
            Txn.executeWrite(store.dataset(), () -> new StoredPosition(SyncOptions.LOG).set(store.dataset(), "<urn:id:1>"));
        }
        SyncException circle = assertTimeoutPreemptively(Duration.ofSeconds(60),
                () -> assertThrows(SyncException.class, () -> sync(DEFAULTS)));
        assertTrue(circle.getMessage().contains("in a circle; <urn:id:" + (besideAChain ? "" : "1>")), circle.getMessage());
        assertTrue(content().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"_:b0", "<relative>", "\"007\"^^<http://www.w3.org/2001/XMLSchema#integer>",
        "\"99999999999999999999\"^^<http://www.w3.org/2001/XMLSchema#integer>"})
    void anIdThatNoDatasetKeepsAsItIsIsNamedBeforeAnythingIsApplied(String id) throws IOException {
        file("1.jellyp", patch("1", null, counter(1)));
        file("2.jellyp", to -> {
            to.header(utf8("id"), utf8(id));
            to.header(utf8("prev"), utf8("<urn:id:1>"));
        });
        SyncException refused = assertThrows(SyncException.class, () -> sync(options(null, false, null, 1, false)));
        assertTrue(refused.getMessage().contains("2.jellyp#0") && refused.getMessage().contains(id), refused.getMessage());
        assertTrue(content().isEmpty());
    }

    @Test
    void aStandInForALostPatchIsOneThatCantBeRead() throws IOException {
        chain(1, 3);
        file("2.jellyp", to -> {
            to.header(utf8("id"), utf8("<urn:id:2>"));
            to.header(utf8("prev"), utf8("<urn:id:1>"));
            to.header(utf8("lost"), utf8("\"cut off\""));
        });
        FormatException lost = assertThrows(FormatException.class, () -> sync(DEFAULTS));
        assertTrue(lost.getMessage().contains("2.jellyp") && lost.getMessage().contains("cut off"), lost.getMessage());
        assertTrue(content().first().contains("\"1\""));
        SyncReport report = sync(options(null, false, elsewhere, 100, false));
        assertEquals(List.of("2.jellyp#0"), report.quarantined());
        assertEquals("<urn:id:3>", report.after());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDryRunFindsThePatchThatNoDatasetMayHold(boolean net) throws IOException {
        chain(1, 2);
        file("3.jellyp", patch("3", "2", to -> statement(to, Op.A, "<relative>", "\"3\"")));
        file("4.jellyp", patch("4", "3", counter(4)));
        for (boolean dry : new boolean[] {true, false}) {
            FormatException stop = assertThrows(FormatException.class,
                    () -> sync(options(null, dry, null, 100, net)));
            assertTrue(stop.getMessage().contains("3.jellyp"), stop.getMessage());
        }
        store.update("CLEAR ALL");
        SyncReport dry = sync(options(null, true, elsewhere, 100, net));
        assertEquals(List.of("3.jellyp#0"), dry.quarantined());
        assertFalse(Files.exists(elsewhere.resolve("3.jellyp")));
        assertTrue(content().isEmpty());
        assertEquals(dry, butForChanges(sync(options(null, false, elsewhere, 100, net))));
    }

    /** How many rows would change the dataset, a dry run does not know. */
    private static SyncReport butForChanges(SyncReport done) {
        return new SyncReport(done.patches(), done.transactions(), done.added(), done.deleted(), null, done.aborted(),
                done.skipped(), done.quarantined(), done.before(), done.after());
    }

    private void breakFile(String name) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve(name));
        Files.write(folder.resolve(name), java.util.Arrays.copyOf(bytes, bytes.length - 5));
    }

    @Test
    void whoeverIsOvertakenIsToldAndNothingIsAppliedTwice() throws IOException {
        chain(1, 3);
        List<SyncPatch> patches = FolderPatches.list(folder);
        OpenDataset overtaken = TestDataset.overtaken(store,
                () -> Synchronizer.run(patches, store, DEFAULTS, ProgressListener.NONE));
        PositionConflictException conflict = assertThrows(PositionConflictException.class,
                () -> Synchronizer.run(patches, overtaken, options(null, false, null, 1, false), ProgressListener.NONE));
        assertEquals("<urn:id:3>", conflict.found());
        assertTrue(content().first().contains("\"3\""));
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
                Synchronizer.run(FolderPatches.list(folder), one, DEFAULTS, ProgressListener.NONE);
                SyncReport net = Synchronizer.run(FolderPatches.list(folder), other,
                        options(null, false, null, 50, true), ProgressListener.NONE);
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
    void namesAreInNaturalOrder() {
        List<String> names = new ArrayList<>(List.of("a10", "a2", "a02", "b", "a1b", "a", "a1", "a1a10", "a1a9"));
        names.sort(NaturalOrder.INSTANCE);
        assertEquals(List.of("a", "a1", "a1a9", "a1a10", "a1b", "a02", "a2", "a10", "b"), names);
    }
}
