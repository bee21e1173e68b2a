package io.jellybridge.sync;

import io.jellybridge.codec.Io;
import io.jellybridge.http.TestTicker;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.system.Txn;

/** The targets that every test of the contract runs on. */
enum TestDataset {
    MEMORY,
    TDB2,
    FUSEKI,
    FUSEKI_WITH_MODULE,
    SPARQL,
    SPARQL_A_ROW_A_REQUEST;

    /** A dataset, and the ways to it. */
    static final class Opened implements AutoCloseable {
        private final TestFuseki server;
        private final DatasetStore store;
        private final ServerLocation location;
        private final OpenDataset dataset;

        private Opened(TestFuseki server, ServerLocation location, DatasetStore store) throws IOException {
            this.server = server;
            this.location = location;
            this.store = store;
            this.dataset = server == null ? store : location.open(false);
        }

        private static Opened of(DatasetStore store) throws IOException {
            return new Opened(null, null, store);
        }

        private static Opened fuseki(TestFuseki server) throws IOException {
            TestTicker ticker = TestTicker.jumpingUpTo(Duration.ofSeconds(1));
            return new Opened(server, FusekiOptions.of(server.url()).withHttp(http -> http.withTicker(ticker)), null);
        }

        private static Opened sparql(TestFuseki server, int requestRows) throws IOException {
            TestTicker ticker = TestTicker.jumpingUpTo(Duration.ofSeconds(1));
            return new Opened(server, SparqlOptions.of(server.sparql(), Map.of("requestRows", "" + requestRows))
                    .withHttp(http -> http.withTicker(ticker)), null);
        }

        /** Another way to the dataset, with connections of its own where there are any; open as long as this is. */
        OpenDataset target() {
            return server == null ? store : location.dataset();
        }

        OpenDataset dataset() {
            return dataset;
        }

        /** Writes past those who keep the positions. */
        void updatePositions(String update) throws IOException {
            if (server == null) {
                Txn.executeWrite(store.dataset(), () -> UpdateExec.dataset(store.dataset()).update(update).execute());
            } else {
                dataset.update(update);
            }
        }

        /** All there is, seen past those who keep the positions. */
        private DatasetGraph graphs() {
            return server == null ? store.dataset() : server.dataset();
        }

        Map<String, String> prefixes() {
            return Txn.calculateRead(graphs(), () -> Map.copyOf(graphs().prefixes().getMappingCopy()));
        }

        /** The quads in the graph of positions. */
        List<Quad> positions() {
            return Txn.calculateRead(graphs(),
                    () -> Iter.toList(graphs().find(StoredPosition.GRAPH_NODE, Node.ANY, Node.ANY, Node.ANY)));
        }

        @Override
        public void close() throws IOException {
            dataset.close();
            if (server != null) {
                server.close();
            }
        }
    }

    /** What somebody else does. */
    @FunctionalInterface
    interface Overtaking {
        void run() throws IOException;
    }

    /** A dataset that somebody else changes when the first batch is about to be applied. */
    static OpenDataset overtaken(OpenDataset dataset, Overtaking other) {
        boolean[] done = {false};
        return watched(dataset, method -> {
            if (method.equals("apply") && !done[0]) {
                done[0] = true;
                other.run();
            }
        });
    }

    /** A dataset that tells a listener the name of each method before it is called. */
    static OpenDataset watched(OpenDataset dataset, Io.Consumer<String> listener) {
        return (OpenDataset) Proxy.newProxyInstance(OpenDataset.class.getClassLoader(), new Class<?>[] {OpenDataset.class},
                (proxy, method, arguments) -> {
                    listener.accept(method.getName());
                    try {
                        return method.invoke(dataset, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The prefixes that the dataset has when it was given one. */
    Map<String, String> prefixes(String name, String namespace) {
        return this == SPARQL || this == SPARQL_A_ROW_A_REQUEST ? Map.of() : Map.of(name, namespace);
    }

    /** How many rows a report says that they changed something. */
    Long changed(long rows) {
        return this == MEMORY || this == TDB2 ? rows : null;
    }

    Opened open(Path folder) throws IOException {
        return switch (this) {
            case MEMORY -> Opened.of(DatasetStore.open("mem:"));
            case TDB2 -> Opened.of(DatasetStore.open("tdb2:" + folder.resolve("database")));
            case FUSEKI -> Opened.fuseki(TestFuseki.stock());
            case FUSEKI_WITH_MODULE -> Opened.fuseki(TestFuseki.withModule());
            case SPARQL -> Opened.sparql(TestFuseki.stock(), 5000);
            case SPARQL_A_ROW_A_REQUEST -> Opened.sparql(TestFuseki.stock(), 1);
        };
    }
}
