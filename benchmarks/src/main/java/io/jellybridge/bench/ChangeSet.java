package io.jellybridge.bench;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.patch.JellyPatchReader;
import io.jellybridge.jena.patch.JellyPatchWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.jena.graph.Node;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.rdfpatch.binary.RDFChangesWriterBinary;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.riot.thrift.TRDF;

/**
 * A set of changes as a benchmark names it: {@code N} is the file of {@link BenchmarkFiles}, one stream; {@code N/10} are
 * its statements in patches of ten, each of one transaction and a stream of its own, as the files of a log or the messages
 * of a topic are.
 */
record ChangeSet(Path folder, String name, int statementsOfPatch) {

    static ChangeSet of(String folder, String changes) {
        String[] parts = changes.split("/", 2);
        return new ChangeSet(Path.of(folder), parts[0], parts.length < 2 ? 0 : Integer.parseInt(parts[1]));
    }

    boolean isCut() {
        return statementsOfPatch > 0;
    }

    Path file(String suffix) {
        return folder.resolve(name + suffix);
    }

    /**
     * The streams in a format.
     *
     * @param suffix of the format's file
     * @param writer makes a writer of the format
     */
    List<byte[]> streams(String suffix, Function<OutputStream, RDFChanges> writer) throws IOException {
        if (!isCut()) {
            return List.of(Files.readAllBytes(file(suffix)));
        }
        List<byte[]> streams = new ArrayList<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        play(() -> {
            out.reset();
            return writer.apply(out);
        }, () -> streams.add(out.toByteArray()));
        return streams;
    }

    /** The streams of Jelly-Patch. */
    List<byte[]> jellyPatch() throws IOException {
        return streams(".jellyp", out -> new JellyPatchWriter(out, null, PatchOptions.DEFAULT, WriteOptions.DEFAULT));
    }

    /** The statements as Jelly-RDF, which jelly-jena writes. */
    List<byte[]> jellyRdf() throws IOException {
        return streams(".jelly", out -> new Statements(JellyJena.writer(out)));
    }

    /** Jena's writer of RDF Thrift. */
    static RDFChanges thrift(OutputStream out) {
        return new RDFChangesWriterBinary(TRDF.protocol(out));
    }

    private interface Start {
        RDFChanges writer();
    }

    /** Cuts the statements into patches, each of which goes to a writer of its own. */
    private void play(Start start, Runnable end) throws IOException {
        JellyPatchReader.open(file(".jellyp"), ReadOptions.DEFAULT).apply(new RDFChangesBase() {
            private RDFChanges patch;
            private int statements;

            private RDFChanges next() {
                if (patch == null) {
                    patch = start.writer();
                    patch.start();
                    patch.txnBegin();
                }
                statements++;
                return patch;
            }

            private void endPatch() {
                patch.txnCommit();
                patch.segment();
                patch.finish();
                patch = null;
                statements = 0;
                end.run();
            }

            @Override
            public void add(Node graph, Node subject, Node predicate, Node object) {
                next().add(graph, subject, predicate, object);
                endIfFull();
            }

            @Override
            public void delete(Node graph, Node subject, Node predicate, Node object) {
                next().delete(graph, subject, predicate, object);
                endIfFull();
            }

            private void endIfFull() {
                if (statements == statementsOfPatch) {
                    endPatch();
                }
            }

            @Override
            public void finish() {
                if (patch != null) {
                    endPatch();
                }
            }
        });
    }
}
