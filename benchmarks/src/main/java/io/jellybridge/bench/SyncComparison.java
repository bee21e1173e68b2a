package io.jellybridge.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.sync.Follower;
import io.jellybridge.sync.SyncOptions;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.rdfpatch.RDFPatchOps;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sys.JenaSystem;
import org.apache.jena.tdb2.DatabaseMgr;

/**
 * A log into TDB2: {@code Synchronizer} against {@code RDFPatchOps.applyChange}, patch by patch. The log has so many patches
 * of 1,000 statements in one transaction each. Half of the statements are about 100,000 quads that other patches touch too,
 * two thirds of them added and the rest deleted; the others are added once. Each side gets it in the form that it reads:
 * ours {@code .jellyp}, Jena RDF Patch text, a file a patch. Prints both times, and fails when the datasets differ.
 */
public final class SyncComparison {
    private static final int STATEMENTS = 1_000;
    private static final int SHARED = 100_000;

    private SyncComparison() {
    }

    /** @param arguments an empty folder, how many patches */
    public static void main(String[] arguments) throws IOException {
        JenaSystem.init();
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        int patches = Integer.parseInt(arguments[1]);
        Path jelly = Files.createDirectories(folder.resolve("jellyp"));
        Path text = Files.createDirectories(folder.resolve("rdfp"));
        write(jelly, text, patches);

        long start = System.nanoTime();
        Set<String> expected;
        DatasetGraph peer = DatabaseMgr.connectDatasetGraph(Files.createDirectories(folder.resolve("peer")).toString());
        for (Path file : files(text)) {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
                RDFPatchOps.applyChange(peer, in);
            }
        }
        double peerSeconds = (System.nanoTime() - start) / 1e9;
        expected = quads(peer);

        start = System.nanoTime();
        double oursSeconds;
        try (DatasetStore ours = DatasetStore.open("tdb2:" + folder.resolve("ours"))) {
            SyncOptions options = new SyncOptions(SyncOptions.LOG, false, 100_000, 64 << 20, 10, false);
            new Follower(ours, options).followFiles(jelly, false, ProgressListener.NONE);
            oursSeconds = (System.nanoTime() - start) / 1e9;
            if (!quads(ours.dataset()).equals(expected)) {
                throw new IllegalStateException("the two datasets differ");
            }
        }
        System.out.printf("{\"sync jellybridge\": %.3f, \"sync jena\": %.3f}%n", oursSeconds, peerSeconds);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static void write(Path jelly, Path text, int patches) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        for (int patch = 0; patch < patches; patch++) {
            Path file = jelly.resolve(String.format("%06d.jellyp", patch));
            try (PatchWriter<byte[]> writer = new PatchWriter<>(new BufferedOutputStream(Files.newOutputStream(file)), null,
                    new Utf8Terms(), PatchOptions.DEFAULT, WriteOptions.DEFAULT)) {
                writer.header(utf8("id"), utf8("<urn:patch:" + patch + ">"));
                if (patch > 0) {
                    writer.header(utf8("prev"), utf8("<urn:patch:" + (patch - 1) + ">"));
                }
                writer.transaction(Op.TX);
                for (int i = 0; i < STATEMENTS; i++) {
                    boolean shared = random.nextBoolean();
                    int entity = shared ? random.nextInt(SHARED) : SHARED + patch * STATEMENTS + i;
                    Op op = shared && random.nextInt(3) == 0 ? Op.D : Op.A;
                    writer.statement(op, utf8("<http://example.org/entity/" + entity / 5 + ">"),
                            utf8("<http://example.org/terms#p" + entity % 5 + ">"), utf8("\"value " + entity + "\""),
                            entity % 3 == 0 ? null : utf8("<http://example.org/graph/" + entity % 7 + ">"));
                }
                writer.transaction(Op.TC);
            }
            try (OutputStream out = new BufferedOutputStream(
                    Files.newOutputStream(text.resolve(String.format("%06d.rdfp", patch))));
                    var source = PatchFiles.read(new FileLocation(file.toString()), null, new Utf8Terms(), false);
                    RdfPatchWriter<byte[]> writer = new RdfPatchWriter<>(out, null, new Utf8Terms(),
                            RdfPatchWriteOptions.DEFAULT.withMarks(false))) {
                source.readAll(writer);
            }
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static Set<String> quads(DatasetGraph dataset) {
        Set<String> quads = new HashSet<>();
        dataset.begin(ReadWrite.READ);
        try {
            dataset.find().forEachRemaining((Quad quad) -> {
                if (!quad.getGraph().toString().equals(StoredPosition.GRAPH)) {
                    quads.add(quad.toString());
                }
            });
        } finally {
            dataset.end();
        }
        return quads;
    }
}
