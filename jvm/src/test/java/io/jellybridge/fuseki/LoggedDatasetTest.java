package io.jellybridge.fuseki;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.fuseki.LoggedDatasets.LoggedOptions;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.LogBusyException;
import io.jellybridge.log.LogCompaction;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.options.OptionDocuments;
import io.jellybridge.options.OptionTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.jena.fuseki.access.DataAccessCtl;
import org.apache.jena.fuseki.access.SecurityRegistry;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.DatasetFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.sse.SSE;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Fuseki that records: each way to change a dataset, how a server starts and ends, and what it refuses. */
class LoggedDatasetTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String UPDATE = "application/sparql-update";
    private static final String TURTLE = "text/turtle";
    private static final String TRIG = "application/trig";

    @TempDir
    Path folder;

    private FusekiServer server;
    private DatasetGraph dataset;

    enum Store {
        MEMORY, TDB2;

        DatasetGraph open(Path folder) {
            return this == TDB2 ? DatabaseMgr.connectDatasetGraph(folder.toString()) : DatasetGraphFactory.createTxnMem();
        }
    }

    /** One request that changes a dataset; the path is behind its name. */
    record Write(String method, String path, String type, String body) {
    }

    private static final String MULTIPART = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.trig\"\r\n"
            + "Content-Type: application/trig\r\n\r\nPREFIX up: <urn:up:> <urn:up:g> { <urn:up:1> up:p \"up\"@en--ltr , 7 }\r\n"
            + "--x--\r\n";

    /** Each way that the documentation of Fuseki names, in an order in which each finds something to change. */
    static final List<Write> WRITES = List.of(
            new Write("POST", "/update", UPDATE, "INSERT DATA { <urn:s> <urn:p> 1 , \"042\"^^<http://www.w3.org/2001/XMLSchema#integer> . "
                    + "GRAPH <urn:g> { _:b <urn:p> <<( <urn:s> <urn:p> 'x'@en )>> } }"),
            new Write("POST", "", UPDATE, "DELETE { ?s ?p 1 } INSERT { ?s ?p 2 . GRAPH <urn:h> { ?s ?p [] } } WHERE { ?s ?p 1 }"),
            new Write("POST", "/update", "application/x-www-form-urlencoded", "update=INSERT+DATA+%7B+%3Curn:f%3E+%3Curn:p%3E+3+%7D"),
            new Write("POST", "/update", UPDATE, "PREFIX p: <urn:pre:> COPY GRAPH <urn:g> TO GRAPH <urn:copy> ; "
                    + "MOVE GRAPH <urn:h> TO GRAPH <urn:moved> ; ADD GRAPH <urn:copy> TO DEFAULT"),
            new Write("PUT", "/data?graph=urn:put", TURTLE, "PREFIX a: <urn:a:> a:1 a:p a:2 , _:x ."),
            new Write("PUT", "/data?graph=urn:put", TURTLE, "PREFIX a: <urn:other:> a:3 a:p a:4 ."),
            new Write("POST", "/data?graph=urn:put", TURTLE, "PREFIX b: <urn:b:> b:1 b:p b:2 ."),
            new Write("POST", "/data?default", TURTLE, "<urn:d> <urn:p> 'default' ."),
            new Write("PUT", "?default", TURTLE, "<urn:d> <urn:p> 'put' , 5 ."),
            new Write("DELETE", "/data?graph=urn:put", null, ""),
            new Write("POST", "", TRIG, "PREFIX q: <urn:q:> q:g { q:1 q:p q:2 } q:1 q:p 4 ."),
            new Write("POST", "/data", "application/n-quads", "<urn:n> <urn:p> _:n <urn:nq> .\n"),
            new Write("POST", "/upload", "multipart/form-data; boundary=x", MULTIPART),
            new Write("POST", "/data", "multipart/form-data; boundary=x", MULTIPART.replace("urn:up:1", "urn:up:2")),
            new Write("POST", "/patch", "application/rdf-patch", "TX .\nPA \"pp\" \"urn:pp:\" .\nA <urn:pa> <urn:p> \"1\" <urn:g> .\nTC ."),
            new Write("PATCH", "/patch", "application/rdf-patch", "TX .\nPD \"pp\" .\nD <urn:pa> <urn:p> \"1\" <urn:g> .\nTC ."),
            new Write("POST", "/prefixes?prefix=viaService&uri=urn:service:", null, ""),
            new Write("DELETE", "/prefixes?prefix=viaService", null, ""),
            new Write("POST", "/update", UPDATE, "CREATE SILENT GRAPH <urn:empty> ; CLEAR GRAPH <urn:g> ; DROP GRAPH <urn:copy> ; "
                    + "DELETE WHERE { GRAPH <urn:moved> { ?s ?p ?o } }"),
            new Write("PUT", "", TRIG, "PREFIX z: <urn:z:> z:g { z:1 z:p z:2 , [] } z:1 z:p 'put', 1.50 ."),
            new Write("POST", "/update", UPDATE, "CLEAR NAMED ; CLEAR DEFAULT ; INSERT DATA { <urn:s> <urn:p> 9 }"),
            new Write("POST", "/update", UPDATE, "DROP ALL"));

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop();
        }
        if (dataset != null) {
            dataset.close();
        }
    }

    private FusekiServer start(Map<String, String> properties, UnaryOperator<FusekiServer.Builder> more) {
        Map<String, String> all = new HashMap<>(Map.of(LogServlets.READERS, "_", LogServlets.WRITERS, "_"));
        all.putAll(properties);
        server = LogServer.start(all, more);
        return server;
    }

    private void record(Path log, Map<String, String> options) {
        Map<String, String> properties = new HashMap<>(Map.of(LoggedDatasets.PROPERTY, "/ds=" + log,
                LoggedOptions.PREFIX + "fsync", "false"));
        options.forEach((name, value) -> properties.put(LoggedOptions.PREFIX + name, value));
        start(properties, builder -> builder.add("/ds", DataService.newBuilder(dataset).withStdServices(true)
                .addEndpoint(Operation.PREFIXES_RW, "prefixes").addEndpoint(Operation.Upload, "upload").build()));
    }

    private String url() {
        return "http://localhost:" + server.getPort();
    }

    private HttpResponse<String> send(String method, String path, String type, String body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path)).method(method, BodyPublishers.ofString(body));
        if (type != null) {
            request.header("Content-Type", type);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void update(String sparql) throws IOException {
        HttpResponse<String> answer = send("POST", "/ds/update", UPDATE, sparql);
        assertTrue(answer.statusCode() < 300, answer.statusCode() + " " + answer.body());
    }

    /** All quads and prefixes; numbers of a set that blank nodes would make differ are theirs too. */
    static Set<Object> data(DatasetGraph of) {
        DatasetGraph data = UserDataView.of(of);
        return Txn.calculateRead(data, () -> {
            Set<Object> found = new HashSet<>();
            data.find().forEachRemaining(quad -> found.add(Quad.create(quad.isDefaultGraph() ? Quad.defaultGraphIRI
                    : quad.getGraph(), quad.asTriple())));
            data.prefixes().forEach((prefix, namespace) -> found.add(prefix + ":" + namespace));
            return found;
        });
    }

    /** The data that the patches of a log make of an empty dataset. */
    private static Set<Object> replayed(Path log) throws IOException {
        DatasetGraph replica = DatasetGraphFactory.createTxnMem();
        apply(log, 1, replica);
        return data(replica);
    }

    private static void apply(Path log, long from, DatasetGraph replica) throws IOException {
        try (StoreLog patches = StoreLog.open(log); LogEntries entries = patches.fetch(from, Long.MAX_VALUE)) {
            PatchApplier applier = new PatchApplier(replica, ProgressListener.NONE);
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                LogEntry patch = entry;
                applier.apply("log", () -> patch.open(new NodeTerms()));
            }
        }
    }

    private long version(String log) throws IOException {
        try (PatchLog served = PatchLogs.open(url() + "/$/patch-logs/" + log)) {
            return served.headVersion();
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void everyWayToChangeADatasetIsRecordedAndReplayedAndEqual(Store store) throws IOException {
        Path log = folder.resolve("log");
        dataset = store.open(folder.resolve("database"));
        record(log, Map.of());
        Set<Object> before = data(dataset);
        int number = 0;
        DatasetGraph replica = store.open(folder.resolve("replica"));
        for (Write write : WRITES) {
            HttpResponse<String> answer = send(write.method(), "/ds" + write.path(), write.type(), write.body());
            assertTrue(answer.statusCode() < 300, write + ": " + answer.statusCode() + " " + answer.body());
            Set<Object> now = data(dataset);
            assertFalse(now.equals(before), () -> "changed nothing: " + write);
            assertEquals(++number, version("ds"), () -> "not one patch: " + write);
            apply(log, number, replica);
            assertEquals(now, data(replica), write::toString);
            before = now;
        }
        assertEquals(400, send("POST", "/ds/update", UPDATE, "INSERT DATA { <urn:s> <urn:p> 1 } ; no update").statusCode());
        assertEquals(number, version("ds"), "a refused update is in the log");
        replica.close();
    }

    @Test
    void theDocumentHasTheOptions() throws IOException {
        OptionDocuments.assertHas("docs/fuseki-capture.md", OptionTable.names(HttpOptions.OPTIONS), LoggedOptions.TABLE);
    }

    @Test
    void aNewLogBeginsWithWhatTheDatasetHolds() throws IOException {
        dataset = Store.TDB2.open(folder.resolve("database"));
        Txn.executeWrite(dataset, () -> {
            dataset.prefixes().add("p", "urn:p:");
            dataset.add(quad("urn:g", 1));
            dataset.add(quad(null, 2));
        });
        record(folder.resolve("log"), Map.of());
        assertEquals(1, version("ds"));
        assertEquals(data(dataset), replayed(folder.resolve("log")));
        update("INSERT DATA { <urn:s> <urn:p> 3 }");
        server.stop();
        record(folder.resolve("log"), Map.of());
        assertEquals(2, version("ds"));
        assertEquals(data(dataset), replayed(folder.resolve("log")));
    }

    private static Quad quad(String graph, int number) {
        return Quad.create(graph == null ? Quad.defaultGraphIRI : TestPatches.iri(graph),
                TestPatches.iri("urn:s"), TestPatches.iri("urn:p"),
                TestPatches.iri("urn:o:" + number));
    }

    @Test
    void aDatasetInMemoryRefusesAnOldLogUnlessItIsToldToReset() throws IOException {
        Path log = folder.resolve("log");
        dataset = Store.MEMORY.open(null);
        record(log, Map.of());
        update("PREFIX a: <urn:a:> INSERT DATA { a:1 a:p a:2 . GRAPH a:g { a:1 a:p [] } }");
        server.stop();
        dataset = Store.MEMORY.open(null);
        Exception refused = assertThrows(RuntimeException.class, () -> record(log, Map.of()));
        assertTrue(refused.getMessage().contains("/ds"), refused.getMessage());
        assertTrue(refused.getMessage().contains("never captured into it"), refused.getMessage());
        Txn.executeWrite(dataset, () -> dataset.add(quad(null, 1)));
        for (int start = 2; start < 5; start += 2) {
            record(log, Map.of("start", "reset"));
            assertEquals(start, version("ds"));
            assertEquals(data(dataset), replayed(log));
            update("INSERT DATA { GRAPH <urn:later> { <urn:s> <urn:p> %d } }".formatted(start));
            assertEquals(start + 1, version("ds"));
            assertEquals(data(dataset), replayed(log));
            server.stop();
            dataset = Store.MEMORY.open(null);
        }
        record(log, Map.of("start", "reset"));
        assertEquals(6, version("ds"));
        assertEquals(Set.of(), replayed(log));
    }

    @Test
    void aResetRecordsWhatWasChangedWithoutTheLog() throws IOException {
        Path log = folder.resolve("log");
        dataset = Store.TDB2.open(folder.resolve("database"));
        record(log, Map.of());
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        server.stop();
        assertTrue(FollowedPosition.hasRecorded(dataset), "no server could warn that it does not record");
        Txn.executeWrite(dataset, () -> dataset.add(quad(null, 2)));
        for (int again = 0; again < 2; again++) {
            record(log, Map.of("start", "reset"));
            assertEquals(2, version("ds"));
            assertEquals(data(dataset), replayed(log));
            server.stop();
        }
    }

    @Test
    void aResetRecordsTheFormInWhichTdb2HasALiteral() throws IOException {
        Path log = folder.resolve("log");
        dataset = Store.MEMORY.open(null);
        record(log, Map.of());
        update("INSERT DATA { <urn:s> <urn:p> 042 }");
        server.stop();
        dataset = Store.TDB2.open(folder.resolve("database"));
        Txn.executeWrite(dataset, () -> dataset.add(SSE.parseQuad("(_ <urn:s> <urn:p> 42)")));
        record(log, Map.of("start", "reset"));
        assertEquals(2, version("ds"));
        assertEquals(data(dataset), replayed(log));
    }

    @Test
    void noChangeIsAcknowledgedAfterTheLogWasDeletedAndTheServerShowsIt() throws IOException {
        Path log = folder.resolve("log");
        dataset = Store.MEMORY.open(null);
        record(log, Map.of());
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        assertTrue(send("GET", "/$/patch-logs", null, "").body().contains("\"healthy\":true"));
        Path away = Files.move(log, folder.resolve("away"));
        Set<Object> before = data(dataset);
        HttpResponse<String> refused = send("POST", "/ds/update", UPDATE, "INSERT DATA { <urn:s> <urn:p> 2 }");
        assertEquals("500 true", refused.statusCode() + " " + refused.body().contains("someone deleted or moved the file"), refused.body());
        assertEquals(before, data(dataset));
        String shown = send("GET", "/$/patch-logs", null, "").body();
        assertTrue(shown.contains("\"healthy\":false") && shown.contains("can't be written: the log: someone deleted"), shown);
        assertEquals(200, send("GET", "/$/patch-logs/health", null, "").statusCode(), "the server answers queries");
        Files.move(away, log);
        update("INSERT DATA { <urn:s> <urn:p> 3 }");
        assertTrue(send("GET", "/$/patch-logs", null, "").body().contains("\"healthy\":true"));
        version("ds");
        assertEquals(data(dataset), replayed(log));
        Files.move(log, away); // between two files of the log
        assertTrue(send("POST", "/ds/update", UPDATE, "INSERT DATA { <urn:s> <urn:p> 4 }").body().contains("deleted or moved the log"));
        Files.move(away, log);
        update("INSERT DATA { <urn:s> <urn:p> 5 }");
    }

    @Test
    void aDatabaseGoesOnWithItsLogAfterARestartAndACompaction() throws Exception {
        Path log = folder.resolve("log");
        dataset = Store.TDB2.open(folder.resolve("database"));
        start(Map.of(LoggedDatasets.PROPERTY, "/ds=" + log), builder -> builder.add("/ds", dataset).enableCompact(true)
                .enableTasks(true));
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        assertEquals(200, send("POST", "/$/compact/ds?deleteOld=true", null, "").statusCode());
        for (int i = 0; i < 100 && !send("GET", "/$/tasks", null, "").body().contains("finished"); i++) {
            Thread.sleep(50);
        }
        assertTrue(Files.exists(folder.resolve("database/Data-0002")), "not compacted");
        update("INSERT DATA { <urn:s> <urn:p> 2 }");
        assertEquals(data(dataset), replayed(published(log)));
        server.stop();
        record(log, Map.of());
        update("DELETE DATA { <urn:s> <urn:p> 1 }");
        assertEquals(3, version("ds"));
        assertEquals(data(dataset), replayed(log));
    }

    /** The log, after a reader has made the server show all of it. */
    private Path published(Path log) throws IOException {
        version("ds");
        return log;
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void positionsAreShownAndKeptAndNotRecorded(Store store) throws IOException {
        Path log = folder.resolve("log");
        dataset = store.open(folder.resolve("database"));
        record(log, Map.of());
        update("INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:k> <urn:jellybridge:position> <urn:1> } }");
        String ask = "/ds/query?query=ASK%7BGRAPH%3Curn:jellybridge:sync%3E%7B%3Curn:k%3E%20?p%20?o%7D%7D";
        assertTrue(send("GET", ask, null, "").body().contains("true"));
        assertEquals(0, version("ds"));
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        update("CLEAR ALL");
        update("DELETE WHERE { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:capture> ?p ?o } }");
        update("INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:capture> <urn:jellybridge:position> <urn:older> } }");
        assertTrue(send("GET", ask, null, "").body().contains("true"));
        update("DELETE WHERE { GRAPH ?g { ?s ?p ?o } }");
        assertTrue(send("GET", ask, null, "").body().contains("false"));
        assertEquals(2, version("ds"));
        String own = Txn.calculateRead(dataset, () -> new StoredPosition("urn:jellybridge:capture").get(dataset));
        try (StoreLog patches = StoreLog.open(log)) {
            assertEquals("<urn:uuid:" + patches.head().id() + ">", own);
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aRecordedDatasetFollowsAnotherLog(Store store) throws IOException {
        dataset = store.open(folder.resolve("database"));
        record(folder.resolve("log"), Map.of());
        StoredPosition followed = new StoredPosition("urn:jellybridge:log");
        for (int number = 1; number < 4; number++) {
            String prev = number == 1 ? "" : "H prev <urn:uuid:%d> .\n".formatted(number - 1);
            String patch = "H id <urn:uuid:%d> .\n%sTX .\nA <urn:s> <urn:p> \"%d\" .\nTC .".formatted(number, prev, number);
            for (boolean applied : new boolean[] {true, false}) {
                HttpResponse<String> answer = send("POST", "/ds/patch", "application/rdf-patch", patch);
                assertTrue(answer.body().contains("\"applied\":" + applied), answer.body());
            }
            assertEquals("<urn:uuid:" + number + ">", Txn.calculateRead(dataset, () -> followed.get(dataset)));
            assertEquals(number, version("ds"));
        }
        assertEquals(data(dataset), replayed(folder.resolve("log")));
    }

    @Test
    void twoServicesOfOneDatasetShareItsLog() throws IOException {
        dataset = Store.MEMORY.open(null);
        start(Map.of(LoggedDatasets.PROPERTY, "ds=" + folder.resolve("log")),
                builder -> builder.add("/ds", dataset).add("/other", dataset).add("/read", dataset, false));
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        assertEquals(204, send("POST", "/other/update", UPDATE, "INSERT DATA { <urn:s> <urn:p> 2 }").statusCode());
        assertEquals(List.of(2L, 2L, 2L), List.of(version("ds"), version("other"), version("read")));
    }

    @Test
    void aDescriptionRecordsADatasetBeneathOthers() throws IOException {
        Path config = folder.resolve("config.ttl");
        Files.writeString(config, """
                PREFIX : <#> PREFIX fuseki: <http://jena.apache.org/fuseki#> PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
                PREFIX tdb2: <http://jena.apache.org/2016/tdb#> PREFIX jb: <urn:jellybridge:>
                PREFIX access: <http://jena.apache.org/access#>
                [] fuseki:services ( :one :two ) .
                :one fuseki:name "one" ; fuseki:dataset :logged ; fuseki:endpoint [ fuseki:operation fuseki:update ] .
                :two fuseki:name "two" ; fuseki:dataset :rights ; fuseki:endpoint [ fuseki:operation fuseki:query ] .
                :rights a access:AccessControlledDataset ; access:registry :users ; access:dataset :logged .
                :users a access:SecurityRegistry ; access:entry ( "ada" <urn:g> ) .
                :logged a jb:LoggedDataset ; ja:dataset :database ; jb:log "%s" ; jb:maxPatches 1 ; jb:fsync false .
                :database a tdb2:DatasetTDB2 ; tdb2:location "%s" .
                """.formatted(folder.resolve("log"), folder.resolve("database")));
        start(Map.of(), builder -> builder.parseConfigFile(config.toString()));
        assertEquals(204, send("POST", "/one", UPDATE, "INSERT DATA { <urn:s> <urn:p> 1 }").statusCode());
        try (StoreLog log = StoreLog.open(folder.resolve("log"))) {
            assertEquals(1, log.head().version(), "maxPatches has no effect");
        }
        assertEquals(List.of(1L, 1L), List.of(version("one"), version("two")));
        server.stop();
        Files.writeString(config, Files.readString(config).replace("jb:maxPatches", "jb:maxPatch"));
        Exception unknown = assertThrows(RuntimeException.class,
                () -> start(Map.of(), builder -> builder.parseConfigFile(config.toString())));
        assertTrue(messages(unknown).contains("did you mean 'maxPatches'"), messages(unknown));
    }

    static String messages(Throwable thrown) {
        return thrown == null ? "" : thrown.getMessage() + " / " + messages(thrown.getCause());
    }

    @Test
    void aServerThatCannotRecordDoesNotStart() throws IOException {
        dataset = Store.MEMORY.open(null);
        DatasetGraph noAbort = DatasetFactory.wrap(ModelFactory.createRDFSModel(ModelFactory.createDefaultModel()))
                .asDatasetGraph();
        DatasetGraph rights = DataAccessCtl.controlledDataset(dataset, new SecurityRegistry());
        Path log = folder.resolve("log");
        refused("/ds=" + log, builder -> builder.add("/ds", noAbort), "/ds", "can't abort");
        refused("/none=" + log, builder -> builder.add("/ds", dataset), "/none", "no such dataset");
        refused("/ds=" + log, builder -> builder.add("/ds", rights), "/ds", "access rights");
        refused("/ds=" + log, builder -> builder.add("/ds", dataset).add("/rights", rights), "/ds", "/rights");
        DatasetGraph collection = DatasetGraphFactory.createGeneral();
        collection.addGraph(NodeFactory.createURI("urn:view"), dataset.getGraph(NodeFactory.createURI("urn:g")));
        for (DatasetGraph view : List.of(collection, DatasetGraphFactory.wrap(dataset.getDefaultGraph()),
                DatasetFactory.wrap(ModelFactory.createRDFSModel(ModelFactory.createModelForGraph(dataset.getDefaultGraph())))
                        .asDatasetGraph())) {
            refused("/ds=" + log, builder -> builder.add("/ds", dataset).add("/view", view), "/ds", "/view changes the same data");
        }
        refused("/ds", builder -> builder.add("/ds", dataset), "'/ds'", "/DATASET=LOG");
        refused("/ds=" + log + ",ds=" + log, builder -> builder.add("/ds", dataset), "twice");
        refused("/ds=" + log + ",/two=" + log, builder -> builder.add("/ds", dataset).add("/two", Store.MEMORY.open(null)),
                "/two", "another capture writes");
        Files.createDirectories(folder.resolve("full/ds"));
        Files.writeString(folder.resolve("full/ds/other.txt"), "");
        refused("/ds=" + folder.resolve("full/ds"), builder -> builder.add("/ds", dataset), "other.txt");
        Exception option = assertThrows(RuntimeException.class, () -> start(Map.of(LoggedDatasets.PROPERTY, "/ds=" + log,
                LoggedOptions.PREFIX + "fsynk", "true"), builder -> builder.add("/ds", dataset)));
        assertTrue(option.getMessage().contains("did you mean 'fsync'"), option.getMessage());
        record(log, Map.of());
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        assertEquals(1, version("ds"), "a refused start left something behind");
    }

    private void refused(String property, UnaryOperator<FusekiServer.Builder> more, String... said) {
        Exception refused = assertThrows(RuntimeException.class, () -> start(Map.of(LoggedDatasets.PROPERTY, property), more));
        for (String word : said) {
            assertTrue(refused.getMessage().contains(word), refused.getMessage());
        }
    }

    @Test
    void aLogIsCompactedWhileItsServerRuns() throws IOException {
        Path log = folder.resolve("log");
        dataset = Store.MEMORY.open(null);
        record(log, Map.of());
        for (int version = 1; version <= 6; version++) {
            update("INSERT DATA { <urn:s> <urn:p> %d }".formatted(version));
            assertEquals(version, version("ds"));
            if (version == 4) {
                try (StoreLog open = StoreLog.open(log)) {
                    assertEquals(1, LogCompaction.run(open, 1 << 20).after());
                }
            }
        }
        assertEquals(data(dataset), replayed(log));
    }

    @Test
    void aReaderWaitsForTheNextVersion() throws Exception {
        dataset = Store.MEMORY.open(null);
        StoreLog.create(folder.resolve("logs/other")).close();
        start(Map.of(LogServlets.FOLDER, folder.resolve("logs").toString(), LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("log")),
                builder -> builder.add("/ds", dataset));
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        try (PatchLog served = PatchLogs.open(url() + "/$/patch-logs/ds"); PatchLog other = PatchLogs.open(url() + "/$/patch-logs/other");
                StoreLog local = StoreLog.open(folder.resolve("logs/other"))) {
            Duration longest = Duration.ofSeconds(25);
            assertTrue(served.awaitNewer(0, longest), "there is a newer one already");
            CompletableFuture<Boolean> one = waitFor(served, 1);
            CompletableFuture<Boolean> two = waitFor(other, 0);
            Thread.sleep(300);
            assertFalse(one.isDone() || two.isDone(), "it did not wait");
            update("INSERT DATA { <urn:s> <urn:p> 2 }");
            LogPatches.append(local, LogPatches.patch(null, null, LogPatches.add(2)));
            assertTrue(one.get(15, TimeUnit.SECONDS) && two.get(15, TimeUnit.SECONDS), "the server does not wait");
            assertEquals(2, served.headVersion());
            long begun = System.nanoTime();
            assertTrue(served.awaitNewer(2, Duration.ofMillis(300)));
            assertTrue(System.nanoTime() - begun > 250_000_000, "it did not wait to the end");
            assertFalse(local.awaitNewer(1, longest), "a folder does not wait");
        }
        assertEquals(400, send("GET", "/$/patch-logs/ds/objects.json?after=x&wait=1", null, "").statusCode());
    }

    private static CompletableFuture<Boolean> waitFor(PatchLog log, long after) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return log.awaitNewer(after, Duration.ofSeconds(25));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void anotherLogOfTheServerIsNotHidden() throws IOException {
        dataset = Store.MEMORY.open(null);
        StoreLog.create(folder.resolve("logs/ds")).close();
        Exception refused = assertThrows(RuntimeException.class, () -> start(Map.of(LogServlets.FOLDER, folder.resolve("logs").toString(),
                LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("log")), builder -> builder.add("/ds", dataset)));
        assertTrue(refused.getMessage().contains("another log of that name"), refused.getMessage());
        start(Map.of(LogServlets.FOLDER, folder.resolve("logs").toString(),
                LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("logs/ds")), builder -> builder.add("/ds", dataset));
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        assertEquals(1, version("ds"));
    }

    @Test
    void nobodyElseAppendsToTheLogOfADataset() throws IOException {
        dataset = Store.MEMORY.open(null);
        record(folder.resolve("log"), Map.of());
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        assertEquals(1, version("ds"));
        assertThrows(FileAlreadyExistsException.class, () -> PatchLogs.create(url() + "/$/patch-logs/ds"));
        assertTrue(assertThrows(IOException.class, () -> PatchLogs.create(url() + "/$/patch-logs/new")).getMessage().contains("404"));
        try (PatchLog served = PatchLogs.open(url() + "/$/patch-logs/ds")) {
            String busy = assertThrows(LogBusyException.class,
                    () -> LogPatches.append(served, LogPatches.patch(null, null, LogPatches.add(2)))).getMessage();
            assertFalse(busy.contains(folder.toString()), busy);
        }
        assertEquals(1, version("ds"));
    }

    @Test
    void whatAFailedLogRefusesIsNotInTheDataset() throws IOException {
        Path log = folder.resolve("log");
        dataset = Store.MEMORY.open(null);
        record(log, Map.of("max-patches", "1"));
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        Set<Object> before = data(dataset);
        HttpResponse<String> relative = send("POST", "/ds", TRIG, "<urn:s> <urn:p> <urn:with%20no space> .");
        assertTrue(relative.statusCode() >= 400, relative.body());
        Path away = folder.resolve("away");
        Files.move(log, away);
        Files.writeString(log, "a file in the place of the log");
        HttpResponse<String> answer = send("POST", "/ds/update", UPDATE, "PREFIX x: <urn:x:> INSERT DATA { x:s x:p 2 }");
        assertEquals(500, answer.statusCode(), answer.body());
        assertEquals(before, data(dataset));
        Files.delete(log);
        Files.move(away, log);
        update("INSERT DATA { <urn:s> <urn:p> 3 }");
        assertEquals(2, version("ds"));
        assertEquals(data(dataset), replayed(log));
    }

    @Test
    void aRecordedDatasetIsReadAsOneStream() throws IOException, InterruptedException {
        dataset = Store.TDB2.open(folder.resolve("database"));
        record(folder.resolve("log"), Map.of());
        HttpRequest head = HttpRequest.newBuilder(URI.create(url() + "/ds")).header("Accept", "application/x-jelly-rdf")
                .method("HEAD", BodyPublishers.noBody()).build();
        assertEquals("1", CLIENT.send(head, BodyHandlers.discarding()).headers().firstValue("jellybridge-quads").orElse("none"));
    }

    @Test
    void aDatasetOfAStoppedServerRefusesChangesAndHasACompleteLog() throws IOException {
        dataset = Store.MEMORY.open(null);
        record(folder.resolve("log"), Map.of());
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        DatasetGraph served = server.getDataAccessPointRegistry().get("/ds").getDataService().getDataset();
        server.stop();
        try (StoreLog log = StoreLog.open(folder.resolve("log"))) {
            assertEquals(1, log.head().version());
        }
        served.begin(TxnType.WRITE);
        Exception ended = assertThrows(IllegalStateException.class, () -> served.add(quad(null, 2)));
        assertTrue(ended.getMessage().contains("capture has ended"), ended.getMessage());
        served.abort();
        served.end();
        assertEquals(1, data(dataset).size());
    }
}
