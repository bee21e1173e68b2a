package io.jellybridge.sync;

import io.jellybridge.fuseki.LogServer;
import java.util.Map;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.fuseki.main.sys.FusekiModules;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;

/** A Fuseki server in this JVM, with a dataset in memory. */
public final class TestFuseki implements AutoCloseable {
    private final DatasetGraph dataset;
    private final FusekiServer server;

    private TestFuseki(DatasetGraph dataset, FusekiServer server) {
        this.dataset = dataset;
        this.server = server;
    }

    private TestFuseki(boolean module, DatasetGraph dataset) {
        this.dataset = dataset;
        FusekiServer.Builder builder = FusekiServer.create().port(0).loopback(true).add("/ds", dataset);
        if (!module) {
            builder.fusekiModules(FusekiModules.empty());
        }
        server = LogServer.start(builder);
    }

    /** As Fuseki's web page makes a dataset: with the given operations, under their usual names. */
    public static TestFuseki with(Map<String, Operation> services) {
        DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
        DataService.Builder service = DataService.newBuilder(dataset);
        services.forEach((name, operation) -> service.addEndpoint(operation, name));
        FusekiServer.Builder builder = FusekiServer.create().port(0).loopback(true).fusekiModules(FusekiModules.empty());
        return new TestFuseki(dataset, LogServer.start(builder.add("/ds", service.build())));
    }

    /** As it comes, without any module. */
    public static TestFuseki stock() {
        return new TestFuseki(false, DatasetGraphFactory.createTxnMem());
    }

    /** As it comes, with a dataset of the caller's. */
    public static TestFuseki stock(DatasetGraph dataset) {
        return new TestFuseki(false, dataset);
    }

    /** With our module, which it finds as a service. */
    public static TestFuseki withModule() {
        return new TestFuseki(true, DatasetGraphFactory.createTxnMem());
    }

    /** With our module, and a dataset of the caller's. */
    public static TestFuseki withModule(DatasetGraph dataset) {
        return new TestFuseki(true, dataset);
    }

    public DatasetGraph dataset() {
        return dataset;
    }

    public int port() {
        return server.getPort();
    }

    public String url() {
        return "http://localhost:" + port() + "/ds";
    }

    /** The dataset as that of any store that speaks SPARQL. */
    public String sparql() {
        return "sparql:" + url() + "/update?query=" + url() + "/query";
    }

    @Override
    public void close() {
        server.stop();
    }
}
