package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.jena.query.QueryParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of {@link OpenDataset}, on every target. */
class OpenDatasetTest {
    private static final String KEY = "urn:jellybridge:log";

    @TempDir
    Path folder;

    private static PositionUpdate step(String expected, String next) {
        return new PositionUpdate(KEY, expected, next);
    }

    private static ApplyReport apply(OpenDataset target, PositionUpdate advance, String... lines) throws IOException {
        return target.apply(TextBatch.of(lines), advance, ProgressListener.NONE);
    }

    /** All quads but those of the sync itself. */
    static SortedSet<String> content(OpenDataset dataset) throws IOException {
        SortedSet<String> content = new TreeSet<>();
        try (QuadCursor rows = dataset.rows()) {
            while (rows.hasNext()) {
                String row = Arrays.stream(rows.next()).map(term -> term == null ? "" : new String(term, UTF_8))
                        .collect(Collectors.joining(" ")).trim();
                if (!row.endsWith(" <" + StoredPosition.GRAPH + ">")) {
                    content.add(row);
                }
            }
        }
        return content;
    }

    private static SortedSet<String> set(String... rows) {
        return new TreeSet<>(List.of(rows));
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void patchesAndPositionArriveTogether(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            assertNull(target.readPosition(KEY));
            ApplyReport report = apply(target, step(null, "<urn:uuid:1>"),
                    "H id <urn:uuid:1> .", "TX .", "PA \"ex\" <http://e/> .", "A <urn:s> <urn:p> \"x\" .",
                    "A <_:b> <urn:p> <urn:o> <urn:g> .", "TC .", "Z .", "D <urn:s> <urn:p> \"x\" .", "Z .");
            assertEquals(new ApplyReport(2, 1, 2, 1, 0, kind.changed(3)), report);
            assertEquals("<urn:uuid:1>", target.readPosition(KEY));
            assertNull(target.readPosition("urn:another"));
            assertEquals(set("_:b <urn:p> <urn:o> <urn:g>"), content(opened.dataset()));
            apply(target, step("<urn:uuid:1>", "<urn:uuid:2>"), "A <urn:s> <urn:p> \"y\" .");
            assertEquals("<urn:uuid:2>", target.readPosition(KEY));
            assertEquals(2, opened.dataset().size());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void everyTermArrivesAsItIs(TestDataset kind) throws IOException {
        String[] terms = {"<http://e/é>", "\"a\\nb\\\"c\\\\\"", "\"x\"@en-gb", "\"x\"@ar--rtl", "_:abc", "_:é-1.x", "_:b b",
            "\"042\"^^<urn:d>", "<<( <urn:a> <urn:p> _:x )>>", "\"😀\""};
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            String[] lines = Arrays.stream(terms)
                    .map(term -> term.equals("_:b b") ? "<_:b\\u0020b>" : term)
                    .map(term -> "A <urn:s> <urn:p> " + term + " <urn:g> .").toArray(String[]::new);
            apply(target, step(null, "\"1\""), lines);
            assertEquals(Arrays.stream(terms).map(term -> "<urn:s> <urn:p> " + term + " <urn:g>")
                    .collect(Collectors.toCollection(TreeSet::new)), content(opened.dataset()));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void positionsAreLiteralsToo(TestDataset kind) throws IOException {
        String twelve = "\"12\"^^<http://www.w3.org/2001/XMLSchema#long>";
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            apply(target, new PositionUpdate("urn:jellybridge:query:é", null, twelve), "A <urn:s> <urn:p> 1 .");
            assertEquals(twelve, target.readPosition("urn:jellybridge:query:é"));
            apply(target, new PositionUpdate("urn:jellybridge:query:é", twelve, "\"a \\\"b\\\" & c\""), "D <urn:s> <urn:p> 1 .");
            assertEquals("\"a \\\"b\\\" & c\"", target.readPosition("urn:jellybridge:query:é"));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aStepFromElsewhereIsRefusedWithBothPositions(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            apply(target, step(null, "<urn:uuid:1>"), "A <urn:s> <urn:p> 1 .");
            SortedSet<String> before = content(opened.dataset());
            for (PositionUpdate wrong : List.of(step(null, "<urn:uuid:1>"), step("<urn:uuid:0>", "<urn:uuid:2>"))) {
                PositionConflictException refused = assertThrows(PositionConflictException.class,
                        () -> apply(target, wrong, "A <urn:s> <urn:p> 2 ."));
                assertEquals(Position.idOf(wrong.expected()), refused.expected());
                assertEquals("<urn:uuid:1>", refused.found());
                assertEquals(KEY, refused.key());
            }
            assertEquals(before, content(opened.dataset()));
            assertEquals("<urn:uuid:1>", target.readPosition(KEY));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void whatAPatchWasIsPartOfThePositionAndNotesStay(TestDataset kind) throws IOException {
        Position begun = new Position("<urn:uuid:1>", "{\"a\":\"é \\n \\\" <x> & 1%+\"}");
        Position ended = new Position("<urn:uuid:1>", "more");
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            assertNull(target.storedPosition(KEY));
            apply(target, new PositionUpdate(KEY, null, begun, List.of("note é\n\"1\"", "note 2")), "A <urn:s> <urn:p> <urn:1> .");
            assertEquals(begun, target.storedPosition(KEY));
            PositionUpdate rest = new PositionUpdate(KEY, begun, ended, List.of("note 2", "note 3"));
            apply(target, rest, "A <urn:s> <urn:p> <urn:2> .");
            assertEquals(ended, target.storedPosition(KEY));
            String refused = assertThrows(PositionConflictException.class,
                    () -> apply(target, rest, "A <urn:s> <urn:p> <urn:3> .")).getMessage();
            assertTrue(refused.contains("begins at <urn:uuid:1>, of which it has applied more or fewer rows"), refused);
            apply(target, step("<urn:uuid:1>", "<urn:uuid:2>"), "D <urn:s> <urn:p> <urn:1> .");
            assertEquals(Position.of("<urn:uuid:2>"), target.storedPosition(KEY));
            assertEquals(set("note é\n\"1\"", "note 2", "note 3"), new TreeSet<>(target.readNotes(KEY)));
            assertEquals(List.of(), target.readNotes("urn:another"));
            assertEquals(set("<urn:s> <urn:p> <urn:2>"), content(opened.dataset()));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void anAbortedBlockUndoesItselfAndNothingElse(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            ApplyReport report = apply(target, step(null, "<urn:uuid:1>"),
                    "TX .", "A <urn:kept> <urn:p> 1 .", "TC .",
                    "TX .", "A <urn:undone> <urn:p> 1 .", "D <urn:kept> <urn:p> 1 .", "TA .", "Z .",
                    "TX .", "A <urn:undone> <urn:p> 2 .", "TA .", "A <urn:outside> <urn:p> 1 .", "Z .");
            assertEquals(new ApplyReport(2, 1, 2, 0, 2, kind.changed(2)), report);
            String one = " <urn:p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer>";
            assertEquals(set("<urn:kept>" + one, "<urn:outside>" + one), content(opened.dataset()));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aBrokenPatchChangesNothing(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            FormatException refused = assertThrows(FormatException.class, () -> apply(target,
                    step(null, "<urn:uuid:1>"), "A <urn:s> <urn:p> 1 .", "A <urn:s> <urn:p> ."));
            assertEquals(2, refused.line());
            assertThrows(FormatException.class, () -> apply(target, step(null, "<urn:uuid:1>"),
                    "A <urn:s> <urn:p> 1 <urn:x-arq:UnionGraph> ."));
            assertNull(target.readPosition(KEY));
            assertEquals(0, opened.dataset().size());
            apply(target, step(null, "<urn:uuid:1>"), "A <urn:s> <urn:p> 1 .");
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void anEmptyBatchTakesItsStep(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            apply(target, step(null, "<urn:uuid:1>"));
            assertEquals("<urn:uuid:1>", target.readPosition(KEY));
            assertEquals(0, opened.dataset().size());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void severalPositionsOfAKeyAreAnError(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            opened.updatePositions("INSERT DATA { GRAPH <urn:jellybridge:sync> "
                    + "{ <urn:jellybridge:log> <urn:jellybridge:position> <urn:uuid:1>, <urn:uuid:2> } }");
            assertTrue(assertThrows(IllegalStateException.class, () -> target.readPosition(KEY)).getMessage()
                    .contains("several positions"));
            assertThrows(IllegalStateException.class, () -> apply(target, step("<urn:uuid:1>", "<urn:uuid:3>")));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void wordsThatAreNoPositionOrKeyAreRefused(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset target = opened.target();
            for (String word : new String[] {"_:b", "urn:uuid:1", "<relative>", "<urn:a> <urn:b>", ""}) {
                assertThrows(IllegalArgumentException.class, () -> apply(target, step(null, word)), word);
            }
            assertThrows(IllegalArgumentException.class, () -> target.readPosition("no key> { } #"));
            assertEquals(0, opened.dataset().size());
        }
    }

    /** Two threads take the same steps, again and again: each step is taken once, and the loser is told. */
    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void ofTwoSyncsAtOnceOneWinsEachStep(TestDataset kind) throws Exception {
        int steps = 10;
        try (TestDataset.Opened opened = kind.open(folder)) {
            ExecutorService threads = Executors.newFixedThreadPool(2);
            CyclicBarrier start = new CyclicBarrier(2);
            Callable<Integer> sync = () -> {
                int won = 0;
                OpenDataset target = opened.target();
                String position = null;
                for (int i = 0; i < steps; i++) {
                    start.await();
                    String next = "<urn:uuid:" + i + ">";
                    try {
                        // Each step deletes what the one before added: twice, or in another order, would show.
                        apply(target, step(position, next), "D <urn:s> <urn:p> " + (i - 1) + " .",
                                "A <urn:s> <urn:p> " + i + " .");
                        won++;
                    } catch (PositionConflictException | SyncLeaseException e) {
                        // the other one won
                    }
                    start.await();
                    position = target.readPosition(KEY);
                }
                return won;
            };
            List<Future<Integer>> results = new ArrayList<>(List.of(threads.submit(sync), threads.submit(sync)));
            int won = 0;
            for (Future<Integer> result : results) {
                won += get(result);
            }
            threads.shutdown();
            assertEquals(steps, won);
            assertEquals(set("<urn:s> <urn:p> \"" + (steps - 1) + "\"^^<http://www.w3.org/2001/XMLSchema#integer>"),
                    content(opened.dataset()));
            assertEquals(1, opened.dataset().size());
        }
    }

    private static int get(Future<Integer> result) throws Exception {
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    // --- files, queries and updates

    private static final String QUADS = """
            _:abc <urn:p> _:b0 .
            _:B1x <urn:p> _:a.b <urn:g> .
            <urn:s> <urn:p> <<( _:t <urn:p> "x"@ar--rtl )>> _:g .
            """;

    private static SortedSet<String> lines(String quads) {
        return quads.lines().map(line -> line.substring(0, line.length() - 2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void whatIsLoadedIsDumpedWithTheSameLabels(TestDataset kind) throws IOException {
        Path file = Files.writeString(folder.resolve("in.nq"), QUADS);
        Path dump = folder.resolve("out.nq");
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            dataset.load(file.toString());
            assertEquals(lines(QUADS), content(dataset));
            assertEquals(3, dataset.size());
            dataset.dump(dump.toString());
            assertEquals(lines(QUADS), lines(Files.readString(dump)));
            Path bad = Files.writeString(folder.resolve("bad.nq"), QUADS + "<urn:s> <urn:p> <relative> .\n");
            FormatException refused = assertThrows(FormatException.class, () -> dataset.load(bad.toString()));
            assertTrue(refused.getMessage().contains("bad.nq, line 4"), refused.getMessage());
            assertEquals(3, dataset.size());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void prefixesAndBothKindsOfGraphsAreLoaded(TestDataset kind) throws IOException {
        Path file = Files.writeString(folder.resolve("in.trig"),
                "PREFIX ex: <urn:ex:> ex:s ex:p ex:o . ex:g { ex:s ex:p ex:o } { ex:s ex:p ex:second }");
        try (TestDataset.Opened opened = kind.open(folder)) {
            opened.dataset().load(file.toString());
            assertEquals(set("<urn:ex:s> <urn:ex:p> <urn:ex:o>", "<urn:ex:s> <urn:ex:p> <urn:ex:o> <urn:ex:g>",
                    "<urn:ex:s> <urn:ex:p> <urn:ex:second>"), content(opened.dataset()));
            assertEquals(kind.prefixes("ex", "urn:ex:"), opened.prefixes());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void everyKindOfQueryHasTheSameJson(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            dataset.update("INSERT DATA { <urn:s> <urn:p> \"a\"@EN . GRAPH <urn:g> { <urn:t> <urn:p> <urn:o> } }");
            assertJson("{'vars':['s','o','x'],'rows':[['<urn:s>','\\\"a\\\"@en',null]]}",
                    dataset.runQuery("SELECT ?s ?o ?x { ?s <urn:p> ?o }"));
            assertJson("{'boolean':true}", dataset.runQuery("ASK { ?s ?p ?o }"));
            assertJson("{'boolean':false}", dataset.runQuery("ASK { ?s <urn:none> ?o }"));
            assertJson("{'triples':[['<urn:s>','<urn:x>','<urn:s>']]}",
                    dataset.runQuery("CONSTRUCT { ?s <urn:x> ?s } { { ?s ?p ?o } UNION { ?s ?p ?o } }"));
            assertJson("{'quads':[['<urn:s>','<urn:x>','<urn:s>','<urn:n>']]}",
                    dataset.runQuery("CONSTRUCT { GRAPH <urn:n> { ?s <urn:x> ?s } } { ?s ?p ?o }"));
            assertJson("{'triples':[['<urn:s>','<urn:p>','\\\"a\\\"@en']]}", dataset.runQuery("DESCRIBE <urn:s>"));
            assertThrows(QueryParseException.class, () -> dataset.runQuery("SELEKT"));
        }
    }

    private static void assertJson(String expected, String actual) {
        assertEquals(JsonParser.parseString(expected.replace('\'', '"')), JsonParser.parseString(actual));
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void anUpdateThatIsNoneOrMayNotRunDoesNothing(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            assertThrows(QueryParseException.class, () -> dataset.update("INSERT DATA { <urn:s> }"));
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> dataset.update("INSERT DATA { <urn:s> <urn:p> 1 } ; LOAD <file:///etc/hostname>"));
            assertTrue(refused.getMessage().startsWith("LOAD <file:///etc/hostname>"), refused.getMessage());
            assertEquals(0, dataset.size());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void patchesWithoutAStepAreTransactionsOfTheirOwnAndLeaveNoPosition(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            List<Long> told = new ArrayList<>();
            ApplyReport report = dataset.apply("test", TextBatch.of("TX .", "A <urn:s> <urn:p> 1 .", "TC .", "Z .", "Z .",
                    "TX .", "A <urn:s> <urn:p> 2 .", "TA .", "Z .", "PA \"ex\" <urn:ex:> .", "Z .",
                    "D <urn:s> <urn:p> 1 .", "A <urn:s> <urn:p> <urn:o> .", "Z ."), told::add);
            assertEquals(new ApplyReport(5, 1, 2, 1, 1, kind.changed(3)), report);
            assertEquals(3, told.get(told.size() - 1));
            assertEquals(told.stream().sorted().toList(), told);
            assertEquals(set("<urn:s> <urn:p> <urn:o>"), content(dataset));
            assertEquals(kind.prefixes("ex", "urn:ex:"), opened.prefixes());
            assertTrue(opened.positions().isEmpty(), "receipts are gone: " + opened.positions());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aBrokenPatchOfSeveralIsFoundBeforeTheFirst(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            FormatException refused = assertThrows(FormatException.class, () -> dataset.apply("test",
                    TextBatch.of("A <urn:s> <urn:p> 1 .", "Z .", "A \"x\" <urn:p> 1 ."), ProgressListener.NONE));
            assertEquals(3, refused.line());
            assertEquals(0, dataset.size());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aDatasetThatWasClosedSaysSo(TestDataset kind) throws IOException {
        TestDataset.Opened opened = kind.open(folder);
        OpenDataset dataset = opened.dataset();
        opened.close();
        String file = Files.writeString(folder.resolve("in.nq"), QUADS).toString();
        for (Executable use : List.<Executable>of(dataset::size, dataset::rows, () -> dataset.update("CLEAR ALL"),
                () -> dataset.load(file), () -> dataset.dump(folder.resolve("out.nq").toString()),
                () -> dataset.runQuery("ASK {}"), () -> dataset.readPosition(KEY),
                () -> apply(dataset, step(null, "<urn:1>"), "A <urn:s> <urn:p> 1 ."),
                () -> dataset.apply("test", TextBatch.of("A <urn:s> <urn:p> 1 ."), ProgressListener.NONE))) {
            String message = assertThrows(IllegalStateException.class, use).getMessage();
            assertTrue(message.contains("was closed"), message);
        }
        assertFalse(Files.exists(folder.resolve("out.nq")));
    }

    @Test
    void aBatchThatChangesBetweenItsReadingsIsCaught() throws IOException {
        Patches changing = new Patches() {
            private int readings;

            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                return TextBatch.of("A <urn:s> <urn:p> 1 .", readings++ == 0 ? "" : "A <urn:s>").open(terms);
            }
        };
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder)) {
            OpenDataset target = opened.target();
            assertThrows(RuntimeException.class,
                    () -> target.apply(changing, step(null, "<urn:uuid:1>"), ProgressListener.NONE));
            assertEquals(0, opened.dataset().size());
        }
    }
}
