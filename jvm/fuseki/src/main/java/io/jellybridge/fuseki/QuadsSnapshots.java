package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Threads;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.CloseShieldOutputStream;
import io.jellybridge.files.SharedFile;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.jena.data.QuadRows;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * The snapshots of datasets as Jelly-RDF, each in a temporary file that its last reader deletes. A separate thread makes the
 * snapshots, one at a time for each dataset. All requests that arrive before a snapshot starts share it. Requests that arrive
 * while it is read share it too, if the dataset can tell that nothing has changed, as TDB2 can.
 */
final class QuadsSnapshots {
    private static final RdfOptions STREAM = RdfOptions.DEFAULT.withTypes(PhysicalType.QUADS, 2)
            .withGeneralizedStatements(true).withRdfStar(true);
    private static final WriteOptions CUT = new WriteOptions(1024, true, QuadsProtocol.MAX_FRAME_BYTES, 0, TermRules.ANY);

    private final ExecutorService threads = Executors.newCachedThreadPool(
            work -> Threads.newDaemon(work, "jellybridge snapshots"));
    private final Map<DatasetGraph, Source> sources = new WeakHashMap<>();

    /**
     * Returns a snapshot of all quads, including everything that was committed before this call. The caller closes the stream.
     *
     * @param data TDB2, or a transactional in-memory dataset
     */
    CompletableFuture<Content> of(DatasetGraph data) {
        CompletableFuture<Content> reader = new CompletableFuture<>();
        synchronized (sources) {
            sources.computeIfAbsent(data, dataset -> new Source()).add(reader, data);
        }
        return reader;
    }

    /** A stream that reads a snapshot from its start. */
    static final class Content extends SharedFile.Content {
        final Snapshot snapshot;

        private Content(Snapshot snapshot) {
            super(snapshot, 0);
            this.snapshot = snapshot;
        }

        /** Returns the {@link DatasetVersion}; null if the dataset has none. */
        String version() {
            return snapshot.version;
        }

        long size() throws IOException {
            return snapshot.channel().size();
        }
    }

    /** A file without a name, if the system supports that. Then nothing of it remains, however the process ends. */
    static final class Snapshot extends SharedFile {
        private String version;

        Snapshot() throws IOException {
            super(FileChannel.open(Path.of(System.getProperty("java.io.tmpdir"), "jellybridge-" + UUID.randomUUID() + ".jelly"),
                    StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE));
        }
    }

    /** A dataset with the requests that wait for its next snapshot. */
    private final class Source {
        private List<CompletableFuture<Content>> waiting = new ArrayList<>();
        private boolean isMaking;
        private Snapshot last;

        synchronized void add(CompletableFuture<Content> reader, DatasetGraph data) {
            waiting.add(reader);
            if (!isMaking) {
                isMaking = true;
                threads.execute(() -> makeAll(data));
            }
        }

        private synchronized List<CompletableFuture<Content>> next() {
            List<CompletableFuture<Content>> readers = waiting;
            waiting = new ArrayList<>();
            isMaking = !readers.isEmpty();
            return readers;
        }

        private void makeAll(DatasetGraph data) {
            for (var readers = next(); !readers.isEmpty(); readers = next()) {
                try {
                    last = openSnapshot(data, readers.size());
                    readers.forEach(reader -> reader.complete(new Content(last)));
                } catch (IOException | RuntimeException | Error e) {
                    readers.forEach(reader -> reader.completeExceptionally(e));
                }
            }
        }

        private Snapshot openSnapshot(DatasetGraph data, int readers) throws IOException {
            data.begin(TxnType.READ);
            try {
                String version = DatasetVersion.of(data);
                if (version != null && last != null && version.equals(last.version) && last.retain(readers)) {
                    return last;
                }
                Snapshot made = new Snapshot();
                return Io.closeOnFailure(made.channel(), file -> {
                    writeQuads(data, file);
                    made.version = version;
                    made.retain(readers);
                    return made;
                });
            } finally {
                data.end();
            }
        }
    }

    private static void writeQuads(DatasetGraph data, FileChannel file) throws IOException {
        try (RdfWriter<byte[]> writer = new RdfWriter<>(
                new BufferedOutputStream(new CloseShieldOutputStream(Channels.newOutputStream(file)), 1 << 16), null,
                new Utf8Terms(), STREAM, CUT)) {
            QuadRows.within(data).forEachRemaining(quad -> writer.statement(quad[0], quad[1], quad[2], quad[3]));
            writer.endFrame(Map.of(QuadsProtocol.QUADS, Long.toString(writer.statements()).getBytes(US_ASCII)));
        }
    }
}
