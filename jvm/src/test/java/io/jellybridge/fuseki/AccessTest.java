package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.jena.atlas.web.AuthScheme;
import org.apache.jena.fuseki.access.DataAccessCtl;
import org.apache.jena.fuseki.access.SecurityContextView;
import org.apache.jena.fuseki.access.SecurityRegistry;
import org.apache.jena.fuseki.auth.Auth;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.fuseki.main.auth.AuthBearerFilter;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what on a Fuseki with users: with its patch logs, and with the patch endpoints of its datasets. */
@ResourceLock(LoggedLines.LOCK)
class AccessTest {
    private static final String LIST = LogServlets.PATH + "changes/objects.json";
    private static final String NEXT = LogServlets.PATH + "changes" + LogPatches.object(2);

    @TempDir
    Path folder;

    private final DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
    private FusekiServer server;
    private byte[] patch;

    @BeforeEach
    void makeLog() throws IOException {
        try (StoreLog log = StoreLog.create(Files.createDirectory(folder.resolve("logs")).resolve("changes"))) {
            LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(1)));
        }
        patch = LogPatches.jelly(LogPatches.patch(null, null, LogPatches.add(2)));
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    /** Users ada, bob and eve, whose passwords are their names. */
    private FusekiServer.Builder users(FusekiServer.Builder builder) {
        try {
            Path passwords = folder.resolve("passwords");
            Files.writeString(passwords, "ada: ada\nbob: bob\neve: eve\n");
            return builder.passwordFile(passwords.toString()).auth(AuthScheme.BASIC);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A dataset that ada and bob may read, and ada alone may change. */
    private FusekiServer.Builder dataset(FusekiServer.Builder builder) {
        return builder.add("/ds", DataService.newBuilder(dataset)
                .setAuthPolicy(Auth.policyAllowSpecific("ada", "bob"))
                .addEndpoint(Operation.Query, "query")
                .addEndpoint(Operation.Patch, "patch", Auth.policyAllowSpecific("ada")));
    }

    /** The same, as a configuration file says it. */
    private FusekiServer.Builder configured(FusekiServer.Builder builder) {
        try {
            users(builder);
            Path file = folder.resolve("config.ttl");
            Files.writeString(file, """
                    PREFIX : <#>
                    PREFIX fuseki: <http://jena.apache.org/fuseki#>
                    PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
                    [] a fuseki:Server ; fuseki:passwd "%s" ; fuseki:auth "basic" .
                    :service a fuseki:Service ; fuseki:name "ds" ; fuseki:allowedUsers "ada", "bob" ;
                        fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "query" ] ;
                        fuseki:endpoint [ fuseki:operation fuseki:patch ; fuseki:name "patch" ; fuseki:allowedUsers "ada" ] ;
                        fuseki:dataset [ a ja:MemoryDataset ] .
                    """.formatted(folder.resolve("passwords")));
            return builder.parseConfigFile(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void start(String readers, String writers, UnaryOperator<FusekiServer.Builder> more) {
        Map<String, String> properties = new HashMap<>(Map.of(LogServlets.FOLDER, folder.resolve("logs").toString()));
        if (readers != null) {
            properties.put(LogServlets.READERS, readers);
        }
        if (writers != null) {
            properties.put(LogServlets.WRITERS, writers);
        }
        server = LogServer.start(properties, more);
    }

    private RawRequest.Answer send(String method, String path, String user, String password, byte[] body) {
        return send(method, path, body, user == null ? null
                : "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8)));
    }

    private RawRequest.Answer send(String method, String path, byte[] body, String authorization) {
        List<String> headers = new ArrayList<>();
        if (body.length > 0) {
            headers.add("Content-Type: " + PatchProtocol.JELLY);
            headers.add("If-None-Match: *");
        }
        if (authorization != null) {
            headers.add("Authorization: " + authorization);
        }
        try {
            return RawRequest.send(server.getPort(), method + " " + path, body, headers.toArray(new String[0]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int status(String method, String path, String user) {
        return send(method, path, user, user, method.equals("POST") ? patch : method.equals("PUT") ? next() : new byte[0]).status();
    }

    /** The next patch of the log. */
    private byte[] next() {
        try (StoreLog log = StoreLog.open(folder.resolve("logs").resolve("changes"))) {
            return LogPatches.next(log, LogPatches.add(2));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int append(String user) throws IOException {
        return log("PUT", LogPatches.object(head() + 1), user);
    }

    private int log(String method, String path, String user) {
        return status(method, LogServlets.PATH + "changes" + path, user);
    }

    private void assertReads(int status, String user) {
        assertEquals(status, log("GET", "/objects.json", user));
        assertEquals(status, log("HEAD", "/patch-log.properties", user));
        assertEquals(status, log("GET", "/ids/" + UUID.randomUUID(), user));
        assertEquals(status, log("GET", LogPatches.object(1), user));
        assertEquals(status == 200 ? 404 : status, log("GET", "x/objects.json", user));
    }

    /** The statuses of a log that is made and of a patch that is appended. */
    private void assertWrites(int made, int appended, String user) throws IOException {
        long before = head();
        assertEquals(made, send("PUT", LogServlets.PATH + "made-by-" + user + "/patch-log.properties", user, user,
                ("format=2\nid=" + UUID.randomUUID() + "\n").getBytes(UTF_8)).status());
        assertEquals(appended, append(user));
        assertEquals(appended == 201 ? before + 1 : before, head());
        assertEquals(made == 201, Files.exists(folder.resolve("logs").resolve("made-by-" + user)));
    }

    private long head() throws IOException {
        try (StoreLog log = StoreLog.open(folder.resolve("logs").resolve("changes"))) {
            return log.head().version();
        }
    }

    @Test
    void readersListAndFetchAndWritersAppendTooAndOthersDoNothing() throws IOException {
        start("bob", "ada", builder -> dataset(users(builder)));
        assertReads(401, null);
        assertWrites(401, 401, null);
        assertEquals(401, send("GET", LIST, "ada", "eve", new byte[0]).status());
        assertEquals(401, send("PUT", NEXT, "ada", "eve", next()).status());
        assertReads(403, "eve");
        assertWrites(403, 403, "eve");
        assertReads(200, "bob");
        assertWrites(403, 403, "bob");
        assertReads(200, "ada");
        assertWrites(201, 201, "ada");
        RawRequest.Answer refused = send("PUT", NEXT, "bob", "bob", next());
        assertTrue(refused.body().contains("bob") && refused.body().contains(LogServlets.WRITERS), refused.body());
        assertTrue(send("GET", LIST, null, null, new byte[0]).head()
                .contains("\r\nWWW-Authenticate: Basic "));
    }

    @Test
    void whereNobodyIsNamedWhoeverIsLoggedInMayDoBoth() throws IOException {
        start(null, null, builder -> dataset(users(builder)));
        assertReads(401, null);
        assertWrites(401, 401, null);
        assertReads(200, "eve");
        assertWrites(201, 201, "eve");
    }

    @Test
    void whereReadersAloneAreNamedNobodyWrites() throws IOException {
        start("*", null, this::users);
        assertReads(200, "eve");
        assertWrites(403, 403, "eve");
    }

    @Test
    void everybodyMayReadAndOneUserWrites() throws IOException {
        start("_", "ada", builder -> dataset(users(builder)));
        assertReads(200, null);
        assertWrites(401, 401, null);
        assertWrites(403, 403, "bob");
        assertWrites(201, 201, "ada");
    }

    @Test
    void aServerThatAsksNobodyToLogInKeepsLogsClosedUntilASwitchOpensThem() throws IOException {
        try (LoggedLines log = new LoggedLines()) {
            start(null, null, builder -> builder.add("/ds", dataset));
            assertEquals(1, log.with(LogServlets.WRITERS).size());
        }
        assertReads(403, null);
        assertReads(403, "ada");
        assertWrites(403, 403, null);
        String refused = send("GET", LIST, null, null, new byte[0]).body();
        assertTrue(refused.contains(LogServlets.WRITERS + "=_"), refused);
        server.stop();
        start(null, "_", builder -> builder.add("/ds", dataset));
        assertReads(200, null);
        assertWrites(201, 201, null);
        server.stop();
        start("_", null, builder -> builder.add("/ds", dataset));
        assertReads(200, null);
        assertEquals(403, append(null));
    }

    /** What such a server is told of its users comes by a filter, not by a password file. */
    @Test
    void usersMayBeKnownByATokenToo() {
        AuthBearerFilter tokens = new AuthBearerFilter(token -> token.equals("t") ? "bob" : null);
        start("bob", "ada", builder -> builder.addFilter("/*", tokens));
        assertEquals(401, send("GET", LIST, new byte[0], null).status());
        assertEquals(403, send("GET", LIST, new byte[0], "Bearer x").status());
        assertEquals(200, send("GET", LIST, new byte[0], "Bearer t").status());
        assertEquals(403, send("PUT", NEXT, next(), "Bearer t").status());
    }

    /** A browser asks in its user's name, and the filter of Fuseki's command lets every site in. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "                                                               | true",
        "Origin: http://localhost                                       | true",
        "Origin: http://LOCALHOST:80                                    | true",
        "Sec-Fetch-Site: same-origin                                    | true",
        "Sec-Fetch-Site: none                                           | true",
        "Origin: https://behind.a.proxy, Sec-Fetch-Site: same-origin    | true",
        "Origin: https://editor.example.org                             | true",
        "Origin: https://Editor.example.org, Sec-Fetch-Site: cross-site | true",
        "Origin: http://editor.example.org                              | false",
        "Origin: https://editor.example.org.evil.com                    | false",
        "Origin: http://localhost:8080                                  | false",
        "Origin: https://localhost                                      | true",
        "Origin: null                                                   | false",
        "Origin: file://                                                | false",
        "Origin: x y                                                    | false",
        "Sec-Fetch-Site: cross-site                                     | false",
        "Sec-Fetch-Site: same-site                                      | false",
        "Origin: http://localhost, Sec-Fetch-Site: cross-site           | false",
    })
    void pagesOfOtherSitesDoNothingWithLogsUnlessTheirSiteIsNamed(String said, boolean may) throws IOException {
        server = LogServer.start(Map.of(LogServlets.FOLDER, folder.resolve("logs").toString(), LogServlets.WRITERS, "_",
                LogServlets.ORIGINS, "https://editor.example.org, https://other.example.org"), builder -> builder.enableCors(true));
        String[] headers = ((said == null ? "" : said + ", ") + "If-None-Match: *").split(", ");
        for (String path : new String[] {LIST, StatusServlet.PATH, LogServlets.PATH}) {
            assertEquals(may ? 200 : 403, RawRequest.send(server.getPort(), "GET " + path, new byte[0], headers).status());
        }
        assertEquals(200, RawRequest.send(server.getPort(), "GET " + StatusServlet.HEALTH, new byte[0], headers).status());
        String[] ofPage = (String.join(", ", headers) + ", Accept: text/html").split(", ");
        assertEquals(200, RawRequest.send(server.getPort(), "GET " + StatusServlet.PATH, new byte[0], ofPage).status());
        RawRequest.Answer appended = RawRequest.send(server.getPort(), "PUT " + NEXT, next(), headers);
        assertEquals(may ? 201 : 403, appended.status());
        assertEquals(may ? 2 : 1, head());
        if (!may) {
            assertTrue(appended.json().get("message").getAsString().value().contains(LogServlets.ORIGINS), appended.text());
        }
    }

    @Test
    void noOtherSiteIsNamedByDefaultAndAStarNamesAll() throws IOException {
        for (String origins : new String[] {null, "*"}) {
            Map<String, String> properties = new HashMap<>(
                    Map.of(LogServlets.FOLDER, folder.resolve("logs").toString(), LogServlets.WRITERS, "_"));
            if (origins != null) {
                properties.put(LogServlets.ORIGINS, origins);
                server.stop();
            }
            server = LogServer.start(properties, builder -> builder.enableCors(true));
            assertEquals(origins == null ? 403 : 200, RawRequest.send(server.getPort(), "GET " + LIST,
                    new byte[0], "Origin: https://editor.example.org").status());
        }
    }

    private RawRequest.Answer quads(String user) throws IOException {
        String login = Base64.getEncoder().encodeToString((user + ":" + user).getBytes(UTF_8));
        return RawRequest.send(server.getPort(), "GET /ds", new byte[0], "Accept: " + QuadsProtocol.JELLY,
                "Authorization: Basic " + login);
    }

    private void addQuads() {
        Txn.executeWrite(dataset, () -> Stream.of("urn:open", "urn:secret").map(NodeFactory::createURI)
                .forEach(graph -> dataset.add(graph, graph, graph, graph)));
    }

    @Test
    void whoMayNotReadADatasetGetsNoQuadsOfItEither() throws IOException {
        addQuads();
        start("bob", "ada", builder -> users(builder).add("/ds", DataService.newBuilder(dataset)
                .setAuthPolicy(Auth.policyAllowSpecific("ada", "bob"))
                .addEndpoint(Operation.GSP_R, Auth.policyAllowSpecific("ada"))
                .addEndpoint(Operation.Patch, "patch")));
        assertEquals(200, quads("ada").status());
        assertTrue(quads("ada").head().contains("\r\n" + QuadsProtocol.QUADS + ": "), quads("ada").head());
        assertEquals(List.of(403, 403), List.of(quads("bob").status(), quads("eve").status()));
    }

    /** Fuseki has operations of its own for those. */
    @Test
    void whoMayReadSomeGraphsGetsThose() throws IOException {
        addQuads();
        SecurityRegistry rights = new SecurityRegistry();
        rights.put("bob", new SecurityContextView("urn:open"));
        DatasetGraph controlled = DataAccessCtl.controlledDataset(dataset, rights);
        start("bob", "ada", builder -> users(builder).add("/ds", DataService.newBuilder(controlled)
                .setAuthPolicy(Auth.policyAllowSpecific("bob", "eve"))
                .addEndpoint(Operation.GSP_R)
                .addEndpoint(Operation.Query, "query")));
        RawRequest.Answer some = quads("bob");
        assertEquals(200, some.status());
        assertTrue(some.body().contains("urn:open") && !some.body().contains("secret"), some.body());
        assertFalse(quads("eve").body().contains("urn:"));
    }

    @ParameterizedTest
    @CsvSource({"//$/patch-logs/changes", "/%24/patch-logs/changes", "/$/patch-logs;x=y/changes", "/$/patch-logs/changes/",
        "/$/./patch-logs/changes", "/$/x/../patch-logs/changes", "/$/patch-logs/x/../changes", "/$/patch-logs/changes;x=y",
        "/$/patch-logs/changes/objects.json", "/$/patch-logs/changes/00000000000000000001.jellyp",
        "/$/patch-logs/changes/x/../objects.json", "/$/patch-logs/changes/%6Fbjects.json"})
    void noSpellingOfThePathGoesAroundTheRights(String path) throws IOException {
        start("bob", "ada", this::users);
        for (String method : new String[] {"GET", "POST", "PUT", "HEAD", "DELETE", "PATCH", "OPTIONS", "get", "X"}) {
            int unknown = status(method, path, null);
            assertTrue(unknown >= 400, method + " " + path + " " + unknown);
            int eve = status(method, path, "eve");
            assertTrue(eve >= 400, method + " " + path + " " + eve);
        }
        assertEquals(1, head());
    }

    @Test
    void aServerOfAConfigurationFileKeepsTheSameRights() throws IOException {
        start("bob", "ada", this::configured);
        assertReads(401, null);
        assertWrites(401, 401, null);
        assertReads(403, "eve");
        assertReads(200, "bob");
        assertWrites(403, 403, "bob");
        assertWrites(201, 201, "ada");
        assertEquals(401, status("POST", "/ds/patch", null));
        assertEquals(403, status("POST", "/ds/patch", "eve"));
        assertEquals(403, status("POST", "/ds/patch", "bob"));
        assertEquals(200, status("POST", "/ds/patch", "ada"));
        assertEquals(200, status("GET", "/ds/query?query=ASK%7B%7D", "bob"));
    }

    @Test
    void theLogOfADatasetIsForItsUsersWhereNobodyIsNamedForLogs() {
        for (String readers : new String[] {null, "*"}) {
            Map<String, String> properties = new HashMap<>(Map.of(LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("log-" + readers)));
            if (readers != null) {
                properties.put(LogServlets.READERS, readers);
                server.stop();
            }
            server = LogServer.start(properties, this::configured);
            assertEquals(403, status("GET", "/ds/query?query=ASK%7B%7D", "eve"));
            for (String path : new String[] {"ds/objects.json", "ds/patch-log.properties"}) {
                assertEquals(401, status("GET", LogServlets.PATH + path, null));
                assertEquals(readers == null ? 403 : 200, status("GET", LogServlets.PATH + path, "eve"));
                assertEquals(200, status("GET", LogServlets.PATH + path, "bob"));
            }
            assertEquals(readers != null, send("GET", StatusServlet.PATH, "eve", "eve", new byte[0]).body().contains("/ds"));
            assertTrue(send("GET", StatusServlet.PATH, "bob", "bob", new byte[0]).body().contains("/ds"));
        }
    }

    @Test
    void theLogOfADatasetHasNoOtherName() throws IOException {
        Path log = folder.resolve("logs/other");
        server = LogServer.start(Map.of(LoggedDatasets.PROPERTY, "/ds=" + log, LogServlets.FOLDER, folder.resolve("logs").toString()),
                this::configured);
        Files.createSymbolicLink(folder.resolve("logs/link"), log);
        for (String path : new String[] {"other/objects.json", "other/patch-log.properties", "other/objects.json?after=0&wait=1",
            "link/patch-log.properties"}) {
            assertEquals(404, status("GET", LogServlets.PATH + path, "eve"), path);
        }
        assertEquals(200, status("GET", LogServlets.PATH + "ds/objects.json", "bob"));
        assertEquals(200, status("GET", LIST, "eve"));
    }

    @Test
    void thePatchEndpointTakesThosePatchesAloneWhoseUserMayChangeTheDataset() {
        start(null, null, builder -> dataset(users(builder)));
        for (String path : new String[] {"/ds/patch", "/ds/patch/", "/ds//patch"}) {
            assertTrue(status("POST", path, null) >= 400);
            assertTrue(status("PATCH", path, "bob") >= 400);
        }
        assertEquals(401, status("POST", "/ds/patch", null));
        assertEquals(401, send("POST", "/ds/patch", "ada", "eve", patch).status());
        assertEquals(403, status("POST", "/ds/patch", "eve"));
        assertEquals(403, status("POST", "/ds/patch", "bob"));
        assertEquals(200, status("GET", "/ds/query?query=ASK%7B%7D", "bob"));
        assertFalse(dataset.calculateRead(() -> dataset.find().hasNext()));
        assertEquals(200, status("POST", "/ds/patch", "ada"));
        assertTrue(dataset.calculateRead(() -> dataset.find().hasNext()));
    }
}
