package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.TemporaryFiles;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.sync.FusekiDataset;
import io.jellybridge.sync.FusekiOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.mem.DatasetGraphInMemory;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.junit.jupiter.api.Test;

class QuadsSnapshotsTest {
    private final QuadsSnapshots snapshots = new QuadsSnapshots();

    private static void add(DatasetGraph dataset, int from, int to) {
        Txn.executeWrite(dataset, () -> IntStream.range(from, to).forEach(i -> dataset.add(Quad.defaultGraphIRI,
                NodeFactory.createURI("urn:s"), NodeFactory.createURI("urn:p"), NodeFactory.createLiteralString("text " + i))));
    }

    private static QuadsSnapshots.Content got(Future<QuadsSnapshots.Content> content) throws Exception {
        return content.get(60, TimeUnit.SECONDS);
    }

    private static long quads(QuadsSnapshots.Content content) throws IOException {
        AtomicLong quads = new AtomicLong();
        try (RdfReader<byte[]> reader = new RdfReader<>(content, "test", new Utf8Terms(), ReadOptions.DEFAULT)) {
            reader.readAll((subject, predicate, object, graph) -> quads.incrementAndGet());
        }
        return quads.get();
    }

    /** A dataset whose transactions begin when the test lets them. */
    private static final class SlowDataset extends DatasetGraphInMemory {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final AtomicInteger reads = new AtomicInteger();

        @Override
        public void begin(TxnType type) {
            if (type == TxnType.READ) {
                reads.incrementAndGet();
                begun.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            super.begin(type);
        }
    }

    @Test
    void allWhoAskedBeforeASnapshotIsBegunShareIt() throws Exception {
        SlowDataset dataset = new SlowDataset();
        add(dataset, 0, 3);
        List<CompletableFuture<QuadsSnapshots.Content>> asked = new ArrayList<>(List.of(snapshots.of(dataset)));
        assertTrue(dataset.begun.await(60, TimeUnit.SECONDS));
        IntStream.range(0, 50).forEach(i -> asked.add(snapshots.of(dataset)));
        dataset.goOn.countDown();
        for (CompletableFuture<QuadsSnapshots.Content> content : asked) {
            assertEquals(3, quads(got(content)));
        }
        assertEquals(2, dataset.reads.get());
    }

    @Test
    void whoComesWhileOneIsReadSharesItUnlessTheDataHasChanged() throws Exception {
        DatasetGraph dataset = DatabaseMgr.createDatasetGraph();
        add(dataset, 0, 3);
        QuadsSnapshots.Content first = got(snapshots.of(dataset));
        QuadsSnapshots.Content second = got(snapshots.of(dataset));
        assertSame(first.snapshot, second.snapshot);
        assertEquals(3, quads(first));
        add(dataset, 3, 4);
        try (QuadsSnapshots.Content third = got(snapshots.of(dataset))) {
            assertNotSame(second.snapshot, third.snapshot);
            assertEquals(4, quads(third));
        }
        assertEquals(3, quads(second));
        assertEquals(4, quads(got(snapshots.of(dataset))), "all others have gone");
    }

    @Test
    void nothingIsLeftOfOne() throws Exception {
        DatasetGraph dataset = DatabaseMgr.createDatasetGraph();
        String marker = UUID.randomUUID().toString();
        Txn.executeWrite(dataset, () -> dataset.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:s"), NodeFactory.createURI("urn:p"),
                NodeFactory.createLiteralString(marker)));
        try (QuadsSnapshots.Content content = got(snapshots.of(dataset))) {
            assertEquals(List.of(), TemporaryFiles.with(marker), "not even while it is read");
            assertTrue(content.size() > 0);
        }
    }

    @Test
    void oneThatFailsIsAnErrorForWhoAskedAndNotForTheNext() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        DatasetGraph dataset = new DatasetGraphInMemory() {
            @Override
            public void begin(TxnType type) {
                if (type == TxnType.READ && calls.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("of the test");
                }
                super.begin(type);
            }
        };
        assertThrows(ExecutionException.class, () -> got(snapshots.of(dataset)));
        assertEquals(0, quads(got(snapshots.of(dataset))));
    }

    /** More of them than a server has threads. */
    @Test
    void whoReadsSlowlyHoldsNoThread() throws Exception {
        DatasetGraph dataset = DatabaseMgr.createDatasetGraph();
        Txn.executeWrite(dataset, () -> dataset.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:s"),
                NodeFactory.createURI("urn:p"), NodeFactory.createLiteralString("x".repeat(8 << 20))));
        List<Socket> slow = new ArrayList<>();
        FusekiServer fuseki = LogServer.start(
                FusekiServer.create().port(0).loopback(true).numServerThreads(1, 10).add("/ds", dataset));
        try {
            for (int i = 0; i < 16; i++) {
                Socket socket = new Socket();
                slow.add(socket);
                socket.setReceiveBufferSize(4096);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), fuseki.getPort()));
                socket.getOutputStream().write(("GET /ds HTTP/1.1\r\nHost: localhost\r\nAccept: " + QuadsProtocol.JELLY
                        + "\r\n\r\n").getBytes(US_ASCII));
            }
            assertTimeoutPreemptively(Duration.ofSeconds(25), () -> {
                for (Socket socket : slow) {
                    assertEquals("HTTP/1.1 200", new String(socket.getInputStream().readNBytes(12), US_ASCII));
                }
                try (FusekiDataset asked = FusekiDataset.open(FusekiOptions.of("http://localhost:" + fuseki.getPort() + "/ds"))) {
                    assertEquals(1, asked.size());
                }
            });
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
            fuseki.stop();
        }
    }
}
