package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.TemporaryFiles;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.http.AnsweringServer;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpException;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.riot.QueryResponse;
import io.jellybridge.sync.ServerDataset.ResultRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to a dataset behind HTTP; the rest is in the contract of all datasets. */
class FusekiDatasetTest {

    @TempDir
    Path folder;

    @Test
    void positionsAreShownToWhoAsksForThem() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock();
                FusekiDataset data = FusekiDataset.open(FusekiOptions.of(fuseki.url()));
                FusekiDataset all = FusekiDataset.open(FusekiOptions.of(fuseki.url()), true)) {
            data.apply(TextBatch.of("A <urn:s> <urn:p> <urn:o> ."), new PositionUpdate("urn:k", null, "<urn:1>"),
                    ProgressListener.NONE);
            assertEquals(List.of(1L, 2L), List.of(data.size(), all.size()));
            assertEquals("<urn:s> <urn:p> <urn:o> .\n", dumped(data));
            assertEquals(2, dumped(all).lines().count());
            assertTrue(dumped(all).contains("<urn:k> <urn:jellybridge:position> <urn:1> <urn:jellybridge:sync> .\n"));
        }
    }

    private String dumped(FusekiDataset dataset) throws IOException {
        Path file = folder.resolve("dump.nq");
        dataset.dump(file.toString());
        return Files.readString(file);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPatchThatTheServerFailsOnIsNamedAndThoseBeforeItStay(boolean module) throws IOException {
        try (TestFuseki fuseki = module ? TestFuseki.withModule(RefusingDataset.create())
                : TestFuseki.stock(RefusingDataset.create());
                FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            ApplyException failure = assertThrows(ApplyException.class, () -> dataset.apply("changes", TextBatch.of(
                    "A <urn:s> <urn:p> 1 .", "Z .", "A <urn:s> <urn:p> 2 .", "Z .", "A <urn:s> <urn:p> \"refused\" .", "Z .",
                    "A <urn:s> <urn:p> 3 ."), ProgressListener.NONE));
            assertEquals(List.of("changes", 2L), List.of(failure.file(), failure.patch()));
            assertTrue(failure.getCause() instanceof HttpException, failure.toString());
            assertTrue(failure.getMessage().endsWith(": " + failure.getCause().getMessage()), failure.getMessage());
            assertFalse(failure.getMessage().contains("Exception: http"), failure.getMessage());
            assertEquals(2, dataset.size());
        }
    }

    @Test
    void aPatchThatTdb2BehindTheModuleCannotHoldIsNamedToo() throws IOException {
        try (TestFuseki fuseki = TestFuseki.withModule(DatabaseMgr.createDatasetGraph());
                FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            ApplyException failure = assertThrows(ApplyException.class, () -> dataset.apply("changes", TextBatch.of(
                    "A <urn:s> <urn:p> 1 .", "Z .", "A <urn:s> <urn:p> 99999999999999999999 ."), ProgressListener.NONE));
            assertEquals(List.of("changes", 1L), List.of(failure.file(), failure.patch()));
            assertTrue(failure.getCause() instanceof FormatException, failure.toString());
            assertEquals(1, dataset.size());
        }
    }

    /** A change of a dataset, by one of the ways to it. */
    @FunctionalInterface
    private interface Change {
        void of(FusekiDataset dataset, Path file) throws IOException;
    }

    private static Publication publication(FusekiDataset dataset, Path file) {
        return new Publication(dataset, List.of(new PublishedFile(new SnapshotFile(new FileLocation(file.toString()), null,
                ConvertOptions.strict(false), new ProgressMeter()), null)), BlankNodes.LABEL, DeletionLimit.of(null),
                Publication.Check.CONTENT, ProgressListener.NONE);
    }

    private static final Map<String, Change> CHANGES = Map.of(
            "a dry run of publish", (dataset, file) -> publication(dataset, file).computeDifference(null, false),
            "publish", (dataset, file) -> publication(dataset, file).publish(new FileLocation(file.resolveSibling("p.rdfp").toString())),
            "apply", (dataset, file) -> dataset.apply("p", TextBatch.of("A <urn:s> <urn:p> 1 ."), ProgressListener.NONE),
            "a step of sync", (dataset, file) -> move(dataset, null, 1),
            "a dry run of sync", (dataset, file) -> SyncRun.run(List.of(), dataset,
                    new SyncOptions(SyncOptions.LOG, true, 100, 1000, 10, false), ProgressListener.NONE),
            "load", (dataset, file) -> dataset.load(file.toString()));

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "true  | start Fuseki again: fuseki:endpoint [ fuseki:operation fuseki:patch ; fuseki:name \"patch\" ] ;",
        "false | it has no service update either, so the server allows no changes: start it with --update",
    })
    void aDatasetWithoutThePatchServiceSaysWhatToAddBeforeAnythingChanges(boolean hasUpdate, String advice) throws IOException {
        Path file = Files.writeString(folder.resolve("new.nq"), "<urn:s> <urn:p> <urn:o> .\n");
        Map<String, Operation> services = hasUpdate ? Map.of("query", Operation.Query, "update", Operation.Update)
                : Map.of("query", Operation.Query);
        try (TestFuseki fuseki = TestFuseki.with(services);
                FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            CHANGES.forEach((name, change) -> {
                String message = assertThrows(IOException.class, () -> change.of(dataset, file), name).getMessage();
                assertTrue(message.startsWith(fuseki.url() + "/patch: the dataset has no service patch, which takes changes; "
                        + "nothing was changed; ") && message.contains(advice), name + ": " + message);
                assertEquals(hasUpdate, message.contains("sparql:" + fuseki.url() + "/update?query=" + fuseki.url() + "/query"),
                        message);
                assertTrue(!hasUpdate || message.contains("run/configuration/ds.ttl"), message);
            });
            assertEquals(0, dataset.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/none", "/ds/sparql"})
    void anAddressOfNoDatasetIsNamedAsSuch(String path) throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock()) {
            String url = fuseki.url().replace("/ds", path);
            String message = assertThrows(HttpException.class, () -> FusekiDataset.open(FusekiOptions.of(url))).getMessage();
            assertTrue(message.matches(Pattern.quote(url) + "/query: answered 40[45]: there is no such dataset, or it has no "
                    + "service query; the address of a dataset is http://HOST:PORT/NAME, without the name of a service"), message);
        }
    }

    @Test
    void aListenerHearsOfEachPatchThatArrived() throws IOException {
        try (TestFuseki fuseki = TestFuseki.withModule();
                FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            TextBatch patches = TextBatch.of("A <urn:s> <urn:p> 1 .", "Z .", "Z .", "A <urn:s> <urn:p> 2 .",
                    "D <urn:s> <urn:p> 1 .", "Z .");
            List<Long> told = new ArrayList<>();
            dataset.apply("changes", patches, told::add);
            assertEquals(List.of(1L, 3L, 3L), told);
            told.clear();
            dataset.apply(patches, new PositionUpdate("urn:k", null, "<urn:1>"), told::add);
            assertEquals(List.of(3L), told);
        }
    }

    /** The server lost our module, or got it, since it was asked what it takes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatTakesAnotherFormatThanBeforeGetsIt(boolean hadModule) throws IOException {
        try (TestFuseki with = TestFuseki.withModule(); TestFuseki without = TestFuseki.stock(with.dataset());
                FaultyProxy proxy = new FaultyProxy(hadModule ? with : without, "patch");
                FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(proxy.url()))) {
            move(dataset, null, 1);
            proxy.to(hadModule ? without : with);
            move(dataset, 1, 2);
            move(dataset, 2, 3);
            assertEquals("<urn:3>", dataset.readPosition("urn:k"));
            assertEquals(1, dataset.size());
            proxy.to(hadModule ? with : without);
            ApplyException once = assertThrows(ApplyException.class, () -> dataset.apply("changes",
                    TextBatch.of("A <urn:s> <urn:p> 4 ."), ProgressListener.NONE));
            assertTrue(once.getMessage().contains("/patch: the server " + (hadModule ? "takes Jelly-Patch now"
                    : "does not take Jelly-Patch any more") + ", and nothing of this patch was applied"), once.getMessage());
            dataset.apply("changes", TextBatch.of("A <urn:s> <urn:p> 4 ."), ProgressListener.NONE);
            assertEquals(2, dataset.size());
        }
    }

    private static void move(FusekiDataset dataset, Integer from, int to) throws IOException {
        dataset.apply(TextBatch.of("D <urn:s> <urn:p> " + (to - 1) + " .", "A <urn:s> <urn:p> " + to + " ."),
                new PositionUpdate("urn:k", from == null ? null : "<urn:" + from + ">", "<urn:" + to + ">"), ProgressListener.NONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void patchesOfAStepThatWasTakenAreNotRead(boolean module) throws IOException {
        try (TestFuseki fuseki = module ? TestFuseki.withModule() : TestFuseki.stock();
                FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            move(dataset, null, 1);
            Patches unread = new Patches() {
                @Override
                public <T> PatchSource<T> open(TermFactory<T> terms) {
                    throw new AssertionError("they are read");
                }
            };
            assertEquals("<urn:1>", assertThrows(PositionConflictException.class, () -> dataset.apply(unread,
                    new PositionUpdate("urn:k", null, "<urn:2>"), ProgressListener.NONE)).found());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void triplesOfAFileAndPrefixesArriveAndThoseThatNoDatasetTakesAreRefused(boolean module) throws IOException {
        Path file = Files.writeString(folder.resolve("a.ttl"), "PREFIX ex: <urn:ex:> ex:s ex:p ex:o .");
        try (TestFuseki fuseki = module ? TestFuseki.withModule() : TestFuseki.stock();
                FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            dataset.load(file.toString());
            dataset.apply(TextBatch.of("PA \"more\" <urn:more:> ."), new PositionUpdate("urn:k", null, "<urn:1>"),
                    ProgressListener.NONE);
            for (String refused : List.of("PA \"wrong\" <relative> .", "H lost \"cut off\" .")) {
                assertThrows(RuntimeException.class, () -> dataset.apply(TextBatch.of(refused),
                        new PositionUpdate("urn:k", "<urn:1>", "<urn:2>"), ProgressListener.NONE), refused);
            }
            assertEquals("<urn:ex:s> <urn:ex:p> <urn:ex:o> .\n", dumped(dataset));
            assertEquals(Map.of("ex", "urn:ex:", "more", "urn:more:"), Txn.calculateRead(fuseki.dataset(),
                    () -> fuseki.dataset().prefixes().getMappingCopy()));
        }
    }

    @Test
    void patchesWithoutRowsSendNothing() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(); FaultyProxy proxy = new FaultyProxy(fuseki, "update");
                FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(proxy.url()))) {
            dataset.apply("changes", TextBatch.of("Z .", "Z ."), ProgressListener.NONE);
            assertEquals(0, proxy.requests());
            dataset.apply("changes", TextBatch.of("A <urn:s> <urn:p> 1 ."), ProgressListener.NONE);
            assertEquals(1, proxy.requests()); // which deletes the receipt
        }
    }

    /** The third update of a SPARQL store, after those that begin and change, is the one that deletes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasAppliedIsASuccessAlsoIfItsReceiptCannotBeDeleted(boolean ofFuseki) throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(); FaultyProxy proxy = new FaultyProxy(fuseki, "update");
                OpenDataset dataset = ofFuseki ? new FusekiDataset(FusekiOptions.of(proxy.url(), Map.of("attempts", "1")))
                        : new SparqlDataset(SparqlOptions.of("sparql:" + proxy.url() + "/update?query=" + proxy.url() + "/query",
                                Map.of("attempts", "1", "defaultGraph", "exclusive")), false)) {
            proxy.failAt(ofFuseki ? 1 : 3, FaultyProxy.Fault.UNAVAILABLE);
            dataset.apply("changes", TextBatch.of("A <urn:s> <urn:p> 1 ."), ProgressListener.NONE);
            assertEquals(1, dataset.size());
            assertEquals(ofFuseki ? 1 : 3, proxy.requests());
        }
    }

    /** Its quads don't tell, since all have the form in which TDB2 stores them too. */
    @Test
    void aServerIsNotTakenForOneThatChangesNumbers() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(); FusekiDataset dataset = new FusekiDataset(FusekiOptions.of(fuseki.url()))) {
            dataset.apply("changes", TextBatch.of("A <urn:s> <urn:p> 1 ."), ProgressListener.NONE);
            DatasetSnapshot snapshot = new DatasetSnapshot(dataset, null);
            snapshot.read((subject, predicate, object, graph) -> { });
            CanonicalQuad quad = new CanonicalQuad("<urn:s>".getBytes(UTF_8), "<urn:p>".getBytes(UTF_8),
                    "\"01\"^^<http://www.w3.org/2001/XMLSchema#integer>".getBytes(UTF_8), null);
            assertSame(quad, snapshot.asStored(quad));
        }
    }

    @Test
    void changesThatOthersMakeCannotBeCaptured() throws IOException {
        try (FusekiDataset dataset = new FusekiDataset(FusekiOptions.of("http://localhost:1/ds"))) {
            UnsupportedOperationException refused = assertThrows(UnsupportedOperationException.class,
                    () -> dataset.startCapture(folder.resolve("log"), CaptureOptions.DEFAULT));
            assertTrue(refused.getMessage().contains("patch:LoggedDataset"), refused.getMessage());
            assertFalse(Files.exists(folder.resolve("log")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{ \"head\": { \"vars\": [ \"n\" ] }, \"results\": { \"bindings\": [ "})
    void anAnswerThatIsCutIsAnErrorThatSaysSo(String cut) throws IOException {
        try (AnsweringServer server = new AnsweringServer(200, "application/sparql-results+json", cut);
                FusekiDataset dataset = new FusekiDataset(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")))) {
            String said = server.url() + "ds/query: the answer ends in the middle";
            assertEquals(said, assertThrows(HttpException.class, dataset::size).getMessage());
            assertEquals(said, assertThrows(HttpException.class, () -> dataset.runQuery("SELECT * {}")).getMessage());
        }
    }

    /** Another server, or a proxy's word in the place of an answer. */
    @ParameterizedTest
    @ValueSource(strings = {"SELECT * {}", "ASK {}", "CONSTRUCT WHERE { ?s ?p ?o }"})
    void anAnswerThatIsNoResultOfAQueryIsAnErrorThatSaysSo(String query) throws IOException {
        for (String type : new String[] {"text/html;charset=utf-8", "application/sparql-results+json"}) {
            try (AnsweringServer server = new AnsweringServer(200, type, "<html>Welcome</html>");
                    FusekiDataset dataset = new FusekiDataset(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")))) {
                HttpException noResult = assertThrows(HttpException.class, () -> dataset.runQuery(query));
                String said = server.url() + "ds/query: the answer is " + (type.startsWith("text/html")
                        ? "text/html, and no result of a query; is the address right?"
                        : "no result of a query: ");
                assertTrue(noResult.getMessage().startsWith(said), noResult.getMessage());
                String ofSize = assertThrows(HttpException.class, dataset::size).getMessage();
                assertEquals(type.startsWith("text/html") ? said : said + "it is not well-formed", ofSize);
                assertThrows(HttpException.class, () -> dataset.rows().hasNext());
                assertThrows(HttpException.class, () -> dataset.dump(folder.resolve("dump.nq").toString()));
                assertFalse(Files.exists(folder.resolve("dump.nq")));
            }
        }
    }

    private static final String NO_ROWS = "{\"head\":{\"vars\":[\"s\"]},\"results\":{\"bindings\":[]}}";

    /** Rows in a form whose labels of blank nodes are good for one answer only. */
    @Test
    void rowsInAnotherFormThanWasAskedForAreRefused() throws IOException {
        try (AnsweringServer server = new AnsweringServer(200, "application/sparql-results+json; charset=utf-8", NO_ROWS);
                FusekiDataset dataset = new FusekiDataset(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")))) {
            String refused = assertThrows(HttpException.class, dataset::rows).getMessage();
            assertTrue(refused.endsWith("it is in SPARQL-Results-JSON, not in SPARQL-Results-Thrift"), refused);
            assertEquals("{\"vars\":[\"s\"],\"rows\":[]}", dataset.runQuery("SELECT ?s {}").replaceAll("\\s", ""));
        }
    }

    /** Names and values of other charsets would come out as U+FFFD, or as other letters. */
    @ParameterizedTest
    @CsvSource({"'', byte 94 is not UTF-8; have the server answer in UTF-8",
        "; charset=utf-8, byte 94 is not UTF-8; have the server answer in UTF-8",
        "; charset=\"ISO-8859-1\", 'iso-8859-1, and UTF-8 alone is read; have the server answer in UTF-8'"})
    void anAnswerThatIsNotInUtf8IsRefused(String charset, String said) throws IOException {
        byte[] answer = """
                {"head":{"vars":["s","p","o","g","n"]},"results":{"bindings":[{"s":{"type":"literal","value":"\u00F6"}}]}}\
                """.getBytes(ISO_8859_1);
        try (AnsweringServer server = new AnsweringServer(200, "application/sparql-results+json" + charset, answer);
                FusekiDataset fuseki = new FusekiDataset(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")));
                SparqlDataset store = new SparqlDataset(SparqlOptions.of("sparql:" + server.url(),
                        Map.of("attempts", "1", "defaultGraph", "exclusive")), false)) {
            for (Executable call : new Executable[] {() -> fuseki.runQuery("SELECT * {}"), () -> store.runQuery("SELECT * {}"),
                    () -> store.dump(folder.resolve("dump.nq").toString()), store::size, () -> store.rows().hasNext()}) {
                Exception refused = assertThrows(IOException.class, () -> unwrapped(call));
                assertTrue(refused.getMessage().endsWith(said), refused.getMessage());
            }
            assertFalse(Files.exists(folder.resolve("dump.nq")));
        }
    }

    private static void unwrapped(Executable call) throws Throwable {
        try {
            call.execute();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** A part of it is in a file meanwhile, and its size is no matter. */
    @Test
    void anAnswerOfAnySizeIsRead() throws IOException {
        byte[] answer = (" ".repeat(17 << 20) + NO_ROWS).getBytes(UTF_8);
        try (AnsweringServer server = new AnsweringServer(200, "application/sparql-results+json", answer);
                FusekiDataset dataset = new FusekiDataset(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")))) {
            assertEquals("{\"vars\":[\"s\"],\"rows\":[]}", dataset.runQuery("SELECT ?s {}").replaceAll("\\s", ""));
            assertEquals(server.url() + "ds/query: the answer has more than 16 MiB where a few rows are due; is the address "
                    + "right?", assertThrows(HttpException.class, dataset::size).getMessage());
        }
    }

    @Test
    void anAnswerThatDoesNotSayWhatItIsIsTakenForWhatWasAskedFor() throws IOException {
        try (AnsweringServer server = new AnsweringServer(200, "", "{\"head\":{},\"boolean\":true}");
                FusekiDataset dataset = new FusekiDataset(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")))) {
            assertEquals("{\"boolean\":true}", dataset.runQuery("ASK {}").replaceAll("\\s", ""));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 404, 500})
    void anAnswerOfAnotherStatusIsAnError(int status) throws IOException {
        try (AnsweringServer server = new AnsweringServer(status, "text/plain", status == 204 ? "" : "no such thing");
                FusekiDataset dataset = new FusekiDataset(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")))) {
            assertEquals(status, assertThrows(HttpException.class, () -> dataset.runQuery("ASK {}")).status());
            assertEquals(status, assertThrows(HttpException.class, dataset::rows).status());
            if (status != 204) {
                assertEquals(status, assertThrows(HttpException.class, () -> dataset.update("CLEAR ALL")).status());
            }
            assertEquals(status, assertThrows(HttpException.class, dataset::size).status());
            assertEquals(status, assertThrows(HttpException.class,
                    () -> FusekiDataset.open(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")))).status());
        }
    }

    @ParameterizedTest
    @CsvSource({"200, application/sparql-results+json", "200, text/html", "404, text/plain"})
    void ofAnAnswerThatIsRefusedNoFileIsLeft(int status, String type) throws IOException {
        String answer = "{\"head\":{\"vars\":[\"" + UUID.randomUUID() + "\"]},\"results\":{\"bindings\":[]}}";
        try (AnsweringServer server = new AnsweringServer(status, type, answer);
                FusekiDataset dataset = new FusekiDataset(FusekiOptions.of(server.url() + "ds", Map.of("attempts", "1")))) {
            assertThrows(HttpException.class, dataset::rows);
        }
        assertEquals(List.of(), TemporaryFiles.with(answer));
    }

    /** The default graph has no name, and what came goes with the rows. */
    @Test
    void rowsAreReadFromAFileThatGoesWithThem() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock()) {
            FusekiClient client = new FusekiClient(FusekiOptions.of(fuseki.url()));
            client.update("INSERT DATA { <urn:s> <urn:p> 1 . GRAPH <urn:g> { <urn:s> <urn:p> 1 } }", false);
            Path file = folder.resolve("rows.srt");
            client.runQuery("SELECT ?s ?p ?o ?g { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } } ORDER BY ?g",
                    "application/sparql-results+thrift", HttpCalls.writeTo(file));
            try (ResultRows rows = new ResultRows(file,
                    new QueryResponse(ResultSetLang.RS_Thrift, false, fuseki.url()), client, term -> term)) {
                assertNull(rows.next()[3]);
                assertEquals("<urn:g>", new String(rows.next()[3], UTF_8));
                assertFalse(rows.hasNext());
                assertTrue(Files.exists(file));
            }
            assertFalse(Files.exists(file));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFileOfABodyGoesWithIt(boolean jelly) throws IOException {
        Path file;
        try (PatchBody<byte[]> body = new PatchBody<>(jelly, new Utf8Terms())) {
            assertTrue(body.isEmpty());
            body.prefix(Op.PA, "ex".getBytes(UTF_8), "<urn:ex:>".getBytes(UTF_8), null);
            assertFalse(body.isEmpty());
            file = body.finish();
            assertEquals(file, body.finish());
            assertTrue(jelly ? Files.size(file) > 0 : Files.readString(file).startsWith("TX .\nPA "), file.toString());
        }
        assertFalse(Files.exists(file));
    }
}
