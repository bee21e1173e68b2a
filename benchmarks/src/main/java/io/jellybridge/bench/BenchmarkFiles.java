package io.jellybridge.bench;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.patch.JellyPatchReader;
import io.jellybridge.jena.patch.JellyPatchWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.jena.graph.Triple;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.rdfpatch.binary.RDFChangesWriterBinary;
import org.apache.jena.rdfpatch.text.RDFChangesWriterText;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.sys.JenaSystem;

/**
 * Makes the files that the benchmarks read; what is there already stays. A set of changes named {@code N} has {@code
 * N.jellyp} and {@code N.rows}, which says in decimal how many change rows it has; for the peers also {@code N.rdfp}
 * (Jena's RDF Patch text), {@code N.trp} (Jena's RDF Thrift) and {@code N.jelly} (its statements, as Jelly-RDF by
 * {@code jelly-jena}).
 */
public final class BenchmarkFiles {
    private static final long SEED = 20_260_501;
    private static final long GIGABYTE = 1L << 30;

    private final Path folder;

    private BenchmarkFiles(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes sets of changes.
     *
     * @param arguments the folder; then the sets: {@code changes-1m} and {@code changes-10m} are so many generated rows,
     *                  {@code changes-1g} is one gigabyte of them, {@code texts} are 100,000 with longer literals,
     *                  {@code releases=FOLDER} the changes from release to release of the N-Triples files in there, in the
     *                  order of the version numbers that are their names
     */
    public static void main(String[] arguments) throws IOException {
        JenaSystem.init();
        BenchmarkFiles files = new BenchmarkFiles(Files.createDirectories(Path.of(arguments[0])));
        for (String set : Arrays.asList(arguments).subList(1, arguments.length)) {
            switch (set) {
                case "changes-1m" -> files.withPeers(set, out -> generate(out, false, 1_000_000, Long.MAX_VALUE));
                case "changes-10m" -> files.rows(set, out -> generate(out, false, 10_000_000, Long.MAX_VALUE));
                case "changes-1g" -> files.rows(set, out -> generate(out, false, Long.MAX_VALUE, GIGABYTE));
                case "texts" -> files.withPeers(set, out -> generate(out, true, 100_000, Long.MAX_VALUE));
                default -> {
                    String[] releases = set.split("=", 2);
                    if (!releases[0].equals("releases") || releases.length < 2) {
                        throw new IllegalArgumentException("no set of changes is called " + set);
                    }
                    files.withPeers(releases[0], out -> releases(out, Path.of(releases[1])));
                }
            }
        }
    }

    /** Writes one set of changes; returns how many rows it has. */
    private interface Changes {
        long write(CountingOutputStream out) throws IOException;
    }

    private interface Translation {
        void write(OutputStream out) throws IOException;
    }

    private void withPeers(String name, Changes changes) throws IOException {
        rows(name, changes);
        make(name + ".rdfp", out -> play(name, RDFChangesWriterText.create(out)));
        make(name + ".trp", out -> RDFChangesWriterBinary.writeBinary(out, writer -> play(name, writer)));
        make(name + ".jelly", out -> play(name, new Statements(JellyJena.writer(out))));
    }

    private void rows(String name, Changes changes) throws IOException {
        make(name + ".jellyp", out -> {
            long rows = changes.write(new CountingOutputStream(out));
            Files.writeString(folder.resolve(name + ".rows"), Long.toString(rows));
        });
    }

    private void make(String name, Translation translation) throws IOException {
        Path file = folder.resolve(name);
        if (Files.exists(file)) {
            return;
        }
        System.out.println("Making " + name + " ...");
        Path unfinished = folder.resolve(name + ".unfinished");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished), 1 << 16)) {
            translation.write(out);
        }
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private void play(String name, RDFChanges sink) {
        try {
            JellyPatchReader.open(folder.resolve(name + ".jellyp"), ReadOptions.DEFAULT).apply(sink);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long generate(CountingOutputStream out, boolean texts, long rows, long bytes) throws IOException {
        ChangeGenerator generator = new ChangeGenerator(SEED, texts);
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, null, new Utf8Terms(), PatchOptions.DEFAULT,
                WriteOptions.DEFAULT)) {
            while (writer.rows() < rows && out.bytes() < bytes) {
                generator.patch(writer);
            }
            return writer.rows();
        }
    }

    private static long releases(OutputStream out, Path releases) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(releases)) {
            files = found.filter(file -> file.getFileName().toString().matches("[0-9.]+\\.nt(\\.gz)?"))
                    .sorted(Comparator.comparingDouble(BenchmarkFiles::version)).toList();
        }
        Set<Triple> before = Set.of();
        try (JellyPatchWriter writer = new JellyPatchWriter(out, null, PatchOptions.DEFAULT, WriteOptions.DEFAULT)) {
            for (Path file : files) {
                Set<Triple> now = triples(file);
                writer.txnBegin();
                for (Triple triple : before) {
                    if (!now.contains(triple)) {
                        writer.delete(null, triple.getSubject(), triple.getPredicate(), triple.getObject());
                    }
                }
                for (Triple triple : now) {
                    if (!before.contains(triple)) {
                        writer.add(null, triple.getSubject(), triple.getPredicate(), triple.getObject());
                    }
                }
                writer.txnCommit();
                writer.segment();
                before = now;
            }
            return writer.rows();
        }
    }

    private static double version(Path file) {
        return Double.parseDouble(file.getFileName().toString().replaceFirst("\\.nt(\\.gz)?$", ""));
    }

    private static Set<Triple> triples(Path file) {
        Set<Triple> triples = new LinkedHashSet<>();
        RDFParser.source(file.toString()).parse(new StreamRDFBase() {
            @Override
            public void triple(Triple triple) {
                triples.add(triple);
            }
        });
        return triples;
    }
}
