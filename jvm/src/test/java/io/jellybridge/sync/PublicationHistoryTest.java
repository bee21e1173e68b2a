package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Folders;
import io.jellybridge.Full;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.Publication.Check;
import io.jellybridge.sync.Publication.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.util.IsoMatcher;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.tdb2.sys.TDBInternal;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories of one TDB2 database: publications, and between or during them changes by others, compactions, restarts, and
 * backups that are restored. After each publication the database has what the snapshot has.
 */
class PublicationHistoryTest {
    private static final String NUMBER = "\"%d\"^^<http://www.w3.org/2001/XMLSchema#integer>";

    @TempDir
    Path folder;
    private Random random;
    private int restored;

    /** The way to the database. */
    enum Way { IN_THIS_PROCESS, FUSEKI_WITH_MODULE, STOCK_FUSEKI }

    /** The database, open. */
    private final class Database implements AutoCloseable {
        private final DatasetStore store;
        private final TestFuseki server;
        private final OpenDataset dataset;
        private final DatasetGraph data;

        Database(Way way) throws IOException {
            String path = folder.resolve("database").toString();
            store = way == Way.IN_THIS_PROCESS ? DatasetStore.open("tdb2:" + path) : null;
            data = store != null ? store.dataset() : DatabaseMgr.connectDatasetGraph(path);
            server = store != null ? null : way == Way.STOCK_FUSEKI ? TestFuseki.stock(data) : TestFuseki.withModule(data);
            dataset = store != null ? store : FusekiDataset.open(FusekiOptions.of(server.url()));
        }

        @Override
        public void close() throws IOException {
            dataset.close();
            if (server != null) {
                server.close();
                TDBInternal.expel(data);
            }
        }
    }

    private String quad() {
        String subject = random.nextInt(3) == 0 ? "_:b" + random.nextInt(4) : "<urn:s" + random.nextInt(4) + ">";
        String object = switch (random.nextInt(6)) {
            case 0, 1 -> "_:b" + random.nextInt(4);
            case 2 -> NUMBER.formatted(random.nextInt(3));
            case 3 -> "\"text\"@en";
            case 4 -> "<<( <urn:s> <urn:p> _:b" + random.nextInt(4) + " )>>";
            default -> "<urn:o" + random.nextInt(3) + ">";
        };
        String graph = random.nextInt(3) == 0 ? " <urn:g" + random.nextInt(2) + ">" : "";
        return subject + " <urn:p" + random.nextInt(2) + "> " + object + graph + " .";
    }

    /** Writes a snapshot that has much of the last one, in another order and with other labels. */
    private Path snapshot(List<String> quads) throws IOException {
        quads.removeIf(quad -> random.nextInt(4) == 0);
        Stream.generate(this::quad).limit(random.nextInt(1, 12)).forEach(quads::add);
        Collections.shuffle(quads, random);
        String label = "_:" + (char) random.nextInt('c', 'z') + random.nextInt(100) + "x";
        return Files.write(folder.resolve("snapshot.nq"), quads.stream().map(quad -> quad.replace("_:b", label)).toList());
    }

    private Report publish(OpenDataset dataset, Path file) throws IOException {
        PublishedFile published = new PublishedFile(new SnapshotFile(new FileLocation(file.toString()), null,
                ConvertOptions.strict(false), new ProgressMeter()), null);
        return new Publication(dataset, List.of(published), BlankNodes.STRUCTURE, DeletionLimit.of(null), Check.CONTENT,
                ProgressListener.NONE).publish(new FileLocation(folder.resolve("difference.jellyp").toString()));
    }

    private void changeByOthers(OpenDataset dataset) throws IOException {
        dataset.update(random.nextBoolean() ? "DELETE WHERE { <urn:s0> ?p ?o }; INSERT DATA { <urn:s1> <urn:p0> <urn:o0> }"
                : "INSERT DATA { GRAPH <urn:g0> { <urn:s2> <urn:p1> [ <urn:p0> 1 ] } }");
    }

    private void restore() throws IOException {
        Path database = folder.resolve("database");
        Path backup = folder.resolve("backup");
        if (Files.exists(backup) && random.nextBoolean()) {
            AtomicFolder.delete(database);
            Folders.copy(backup, database);
            restored++;
        } else {
            AtomicFolder.delete(backup);
            Folders.copy(database, backup);
        }
    }

    private void runHistory(Way way, int publications) throws IOException {
        random = new Random(publications);
        List<String> quads = new ArrayList<>();
        int done = 0;
        while (done < publications) {
            try (Database database = new Database(way)) {
                for (int i = random.nextInt(1, 8); i > 0; i--) {
                    Path file = snapshot(quads);
                    boolean overtakes = way == Way.FUSEKI_WITH_MODULE && random.nextInt(4) == 0;
                    publish(overtakes ? TestDataset.overtaken(database.dataset, () -> changeByOthers(database.dataset))
                            : database.dataset, file);
                    done++;
                    String message = "publication " + done;
                    DatasetGraph expected = DatasetGraphFactory.create();
                    RDFDataMgr.read(expected, file.toString());
                    DatasetGraph found = DatasetGraphFactory.create();
                    Txn.executeRead(database.data, () -> database.data.find().forEachRemaining(quad -> {
                        if (!quad.getGraph().equals(StoredPosition.GRAPH_NODE)) {
                            found.add(quad);
                        }
                    }));
                    assertTrue(IsoMatcher.isomorphic(expected, found), message);
                    assertFalse(publish(database.dataset, file).changed(), message);
                    switch (random.nextInt(4)) {
                        case 0 -> changeByOthers(database.dataset);
                        case 1 -> DatabaseMgr.compact(database.data, true);
                        default -> { }
                    }
                }
            }
            restore();
        }
        assertTrue(publications < 100 || restored > publications / 100, restored + " backups were restored");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aFewPublications(Way way) throws IOException {
        runHistory(way, 12);
    }

    @Full("publishes 2,000 times, into servers 500 times")
    @ParameterizedTest
    @EnumSource(Way.class)
    void manyPublications(Way way) throws IOException {
        runHistory(way, way == Way.IN_THIS_PROCESS ? 2_000 : 500);
    }
}
