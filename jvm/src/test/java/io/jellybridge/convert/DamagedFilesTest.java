package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.Compression;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.ThriftPatchWriter;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of every format, cut and with wrong bytes: each is read, or refused by an error of ours that names the file. */
class DamagedFilesTest {
    private static final int FILES = 10;
    private static final String FORMATS = "jellyp,rdfp,trp,jelly,nq,nt,ttl,trig,rdf,jsonld,n3,rj,trix";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"jellyp", "rdfp", "trp", "jelly", "nq", "ttl", "trig", "rdf", "jsonld", "trix", "nq.gz", "jelly.zst",
        "rdfp.bz2"})
    void aDamagedFileIsReadOrRefusedByItsName(String suffix) throws IOException {
        assertEquals(List.of(), raw(suffix, 1, 41));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jellyp", "rdfp", "trp", "jelly", "nq", "nt", "ttl", "trig", "rdf", "jsonld", "n3", "rj", "trix",
        "nq.gz", "jellyp.gz", "nq.zst", "jelly.zst", "jellyp.zst", "ttl.zst", "nq.bz2", "rdfp.bz2", "jelly.bz2"})
    @Full("cuts ten files of each format at every byte, and flips it")
    void aFileThatIsDamagedAtAnyByteIsReadOrRefusedByItsName(String suffix) throws IOException {
        assertEquals(List.of(), raw(suffix, FILES, 1));
    }

    /** What is thrown of damaged files that is none of our errors, or does not name the file. */
    private List<String> raw(String suffix, int files, int step) throws IOException {
        assertTrue(FORMATS.contains(suffix.split("\\.")[0]));
        List<String> raw = new ArrayList<>();
        for (int seed = 0; seed < files; seed++) {
            byte[] whole = file(suffix, new Random(seed));
            Path path = folder.resolve(seed + "." + suffix);
            Files.write(path, whole);
            assertEquals("read", read(path), "the whole file");
            for (int at = seed % step; at < whole.length && raw.size() < 5; at += step) {
                Files.write(path, Arrays.copyOf(whole, at));
                check(raw, path, "cut at " + at);
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << (at + seed) % 8);
                Files.write(path, flipped);
                check(raw, path, "flipped at " + at);
            }
        }
        return raw;
    }

    private static void check(List<String> raw, Path path, String what) {
        String outcome = read(path);
        if (!outcome.equals("read") && !outcome.equals("refused")) {
            raw.add(path.getFileName() + ", " + what + ": " + outcome);
        }
    }

    private static String read(Path path) {
        FileLocation place = new FileLocation(path.toString());
        try (Input input = new Input(place, null, ConvertOptions.strict(false), new ProgressMeter())) {
            if (input.format().holdsPatches()) {
                try (PatchSource<byte[]> source = input.openPatches()) {
                    source.readAll(new PatchAdapter<>());
                }
            } else {
                RdfHandler<byte[]> nothing = (subject, predicate, object, graph) -> { };
                try (StatementSource<byte[]> source = input.statements()) {
                    while (source.next(nothing)) {
                        // the handler does nothing
                    }
                }
            }
            return "read";
        } catch (FormatException e) {
            return e.getMessage().contains(path.toString()) && !e.advice().isEmpty() ? "refused" : e.toString();
        } catch (IOException e) {
            boolean isOurs = e.getMessage() != null && e.getMessage().contains(path.toString());
            return isOurs ? "refused" : e.toString();
        } catch (RuntimeException | Error e) {
            return e.toString();
        }
    }

    // --- files

    private static byte[] file(String suffix, Random random) throws IOException {
        String[] parts = suffix.split("\\.");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = parts.length == 1 ? bytes : parts[1].equals("bz2") ? new BZip2CompressorOutputStream(bytes)
                : CompressedStreams.compress(parts[1].equals("gz") ? Compression.GZIP : Compression.ZSTD, bytes)) {
            write(parts[0], random, out);
        }
        return bytes.toByteArray();
    }

    private static void write(String format, Random random, OutputStream out) throws IOException {
        switch (format) {
            case "jellyp" -> {
                try (PatchWriter<byte[]> writer = new PatchWriter<>(out, null, new Utf8Terms(),
                        PatchOptions.DEFAULT.withRdfStar(true), new WriteOptions(7, true, 1 << 20, 200))) {
                    patch(writer, random);
                }
            }
            case "rdfp" -> {
                try (RdfPatchWriter<byte[]> writer =
                        new RdfPatchWriter<>(out, null, new Utf8Terms(), RdfPatchWriteOptions.DEFAULT)) {
                    patch(writer, random);
                }
            }
            case "trp" -> {
                ThriftPatchWriter writer = new ThriftPatchWriter(out, "x", TermRules.RDF, false);
                patch(new PatchTranslator<>(new TermBuilder<>(new Utf8Terms(), new NodeTerms()), writer), random);
                writer.close();
            }
            case "jelly" -> {
                try (RdfWriter<byte[]> writer = new RdfWriter<>(out, null, new Utf8Terms(), RdfOptions.DEFAULT.withRdfStar(true),
                        new WriteOptions(7, true, 1 << 20, 200))) {
                    for (int i = 0; i < 8; i++) {
                        writer.statement(term(random, false), term(random, false), term(random, true), term(random, false));
                    }
                }
            }
            default -> {
                Lang lang = RDFLanguages.fileExtToLang(format.equals("n3") ? "ttl" : format);
                if (RDFLanguages.isQuads(lang)) {
                    RDFDataMgr.write(out, dataset(random, true), lang);
                } else {
                    RDFDataMgr.write(out, dataset(random, false).getDefaultGraph(), lang);
                }
            }
        }
    }

    private static void patch(PatchHandler<byte[]> to, Random random) {
        to.header("id".getBytes(UTF_8), "<urn:id>".getBytes(UTF_8));
        to.transaction(Op.TX);
        to.prefix(Op.PA, "ex".getBytes(UTF_8), "<http://example.org/>".getBytes(UTF_8), null);
        for (int i = 0; i < 8; i++) {
            to.statement(random.nextBoolean() ? Op.A : Op.D, term(random, false), term(random, false), term(random, true),
                    random.nextBoolean() ? null : term(random, false));
        }
        to.transaction(Op.TC);
        to.endPatch();
    }

    private static byte[] term(Random random, boolean isObject) {
        int n = random.nextInt(9);
        String iri = "<http://example.org/" + (n % 2 == 0 ? "a#n" : "b/n") + n + ">";
        String[] objects = {iri, "_:b" + n, "\"é\\n" + n + "\"@en-gb", "\"" + n + "\"^^<http://www.w3.org/2001/XMLSchema#integer>",
            "\"text " + n + "\"", "<<( <urn:s> <urn:p> \"" + n + "\" )>>"};
        return (isObject ? objects[random.nextInt(objects.length)] : iri).getBytes(UTF_8);
    }

    private static DatasetGraph dataset(Random random, boolean named) {
        DatasetGraph dataset = DatasetGraphFactory.create();
        TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
        for (int i = 0; i < 6; i++) {
            byte[] object = term(random, true);
            while (object[1] == '<') {
                object = term(random, true); // not all of RIOT's syntaxes have triple terms
            }
            dataset.add(named && i > 2 ? nodes.translate(term(random, false)) : Quad.defaultGraphIRI,
                    nodes.translate(term(random, false)), nodes.translate(term(random, false)), nodes.translate(object));
        }
        return dataset;
    }
}
