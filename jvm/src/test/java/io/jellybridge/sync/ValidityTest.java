package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.ProjectFiles;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.Conversion;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.convert.Validator;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.sync.Publication.Check;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** There is one definition of valid: what {@code validate} accepts, every other command takes. */
class ValidityTest {
    /** How many mutants of each document are tried. */
    private static final int MUTANTS = Integer.getInteger("jellybridge.mutants", 40);
    private static final long SEED = Long.getLong("jellybridge.seed", 1);
    private static final WriteOptions ANY = WriteOptions.DEFAULT.withTerms(TermRules.ANY);
    private static final ConvertOptions OPTIONS = ConvertOptions.of(Map.of("base", "http://base/x"));

    private static final Map<String, String> DOCUMENTS = new TreeMap<>(Map.of(
            "nt", """
                VERSION "1.2"
                <urn:s> <urn:p> "a\\u00e9\\tb"@en-GB . # comment
                _:b.c <http://e/\\u00e9> "1"^^<http://www.w3.org/2001/XMLSchema#int> .
                <urn:s> <urn:p> <<( <urn:s> <urn:p> "x"@ar--rtl )>> .
                """,
            "nq", """
                <urn:s> <urn:p> "a.b"@en-GB <urn:g> .
                _:b.c <urn:p> <urn:o> _:g.h .
                <a:\\u0041> <urn:p> "\\u0000\\uFFFF" .
                """,
            "ttl", """
                @prefix ex: <http://e/> . @prefix a.b: <urn:x:> .
                ex:s a ex:T ; ex:p "é\\n", 'b'@en-GB, 5, 1.5, true ; ex:q [ ex:r _:x ], ( 1 <rel> ) .
                <<ex:s ex:p ex:o>> ex:q 1e5 . ex:s ex:p <<( ex:s ex:p "x"@ar--rtl )>> . a.b:c ex:p <http://e/\\u00e9> {| ex:r 1 |} .
                """,
            "trig", """
                PREFIX ex: <http://e/>
                ex:g { ex:s ex:p "é\\n", "b"@en-GB, 5 ; ex:q [ ex:r _:x ] . } GRAPH _:g { _:x ex:r <rel> . } { ex:s ex:p 1 }
                """,
            "rdf", """
                <?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e "http://e/">]>
                <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="&e;"><rdf:Description rdf:about="&e;s">
                <ex:p>é&#10;</ex:p><ex:p xml:lang="en-GB">b</ex:p><ex:p rdf:datatype="http://www.w3.org/2001/XMLSchema#int">5</ex:p>
                <ex:q rdf:parseType="Resource"><ex:r rdf:nodeID="x"/></ex:q><ex:l rdf:parseType="Literal"><b>x</b></ex:l>
                <ex:q rdf:ID="st" rdf:resource="rel"/></rdf:Description></rdf:RDF>
                """,
            "jsonld", """
                {"@context": {"ex": "http://e/", "r": {"@id": "ex:r", "@type": "@id"}}, "@id": "ex:g", "@graph": [
                {"@id": "ex:s", "ex:p": ["é\\n", {"@value": "b", "@language": "en-GB"}, 5], "ex:q": {"r": "_:x"}},
                {"@id": "_:x", "r": "rel", "ex:t": {"@value": "1", "@type": "ex:t"}}]}
                """,
            "rj", """
                {"http://e/s": {"http://e/p": [{"type": "literal", "value": "é\\n"},
                {"type": "literal", "value": "b", "lang": "en-GB"}, {"type": "literal", "value": "5", "datatype": "urn:int"}],
                "http://e/q": [{"type": "bnode", "value": "_:y"}, {"type": "uri", "value": "urn:o"}]}}
                """,
            "trix", """
                <TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><uri>http://e/g</uri>
                <triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral xml:lang="en-GB">b</plainLiteral></triple>
                <triple><id>y</id><uri>http://e/p</uri><typedLiteral datatype="urn:int">5</typedLiteral></triple></graph></TriX>
                """));
    private static final Map<String, String> PATCHES = Map.of("rdfp", """
            H id <urn:uuid:1> .
            H prev _:b .
            TX .
            PA "ex" <http://e/> .
            A <urn:s> <urn:p> "a\\u00e9"@en-GB <urn:g> .
            D <_:b> <urn:p> <<( <urn:s> <urn:p> "x"@ar--rtl )>> .
            PD "ex" .
            TC .
            Z .
            A _:c <a:\\u0041> "1"^^<urn:int> .
            """);
    private static final String[] TOKENS = {"\\u0020", "\\u003e", "\\U0000007C", "\\uD800", "\\", "<", ">", "<<(", ")>>", "<<", "_:",
        "@en_US", "@en--ltr", "@en--", "@abcdefghi", "^^<rel>", "^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>", "<rel>",
        "<_:b>", "<a:b c>", "<a:\\u0020>", "<a:%zz>", "<:>", "\"", "'", ".", " . ", ";", ",", "{", "}", "[", "]", "(", ")", "#", "é",
        "\uFFFE", "\uD83D\uDE00", "\u0000", "\n", "\r", "\t", " ", "a:", ":", "rdf:langString", "true", "1.", "@prefix : <x> .",
        "&#x0;", "&e;", "&x;", "<!--", "xml:base=\"rel\"", "xml:lang=\"a_b\"", "rdf:ID=\"a b\"", "rdf:about=\"a b\"", "null",
        "{\"@id\": \"_:\"}", "\"@type\": \"@json\"", "\"@language\": \"a_b\"", "urn:x-arq:DefaultGraphNode", "PA \"a:b\" <urn:a> .\n",
        "PA \"a.\" <rel> .\n", "TX .\n", "TC .\n", "TA .\n", "H a <b c> .\n", "A \"l\" <urn:p> <urn:o> .\n", "A _:b _:b _:b _:b .\n",
        "<uri>a b</uri>", "<id>a b</id>", "<urn:\uFFFF>"};

    @TempDir
    Path folder;

    private static byte[] mutant(byte[] original, Random random) {
        String text = new String(original, ISO_8859_1);
        int changes = random.nextBoolean() ? 1 : 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(text.length() + 1);
            int to = Math.min(text.length(), at + random.nextInt(8));
            String token = new String(TOKENS[random.nextInt(TOKENS.length)].getBytes(UTF_8), ISO_8859_1);
            text = switch (random.nextInt(5)) {
                case 0 -> text.substring(0, at) + token + text.substring(at);
                case 1 -> text.substring(0, at) + token + text.substring(to);
                case 2 -> text.substring(0, at) + text.substring(to);
                case 3 -> text.substring(0, at) + (char) random.nextInt(256) + text.substring(Math.min(text.length(), at + 1));
                default -> text.substring(0, to) + text.substring(at);
            };
        }
        return text.getBytes(ISO_8859_1);
    }

    private static boolean isValid(Path file) throws IOException {
        String found = new Validator(new FileLocation(file.toString()), null, OPTIONS, false, 1, new ProgressMeter()).run();
        return found.contains("\"valid\":true");
    }

    private interface Command {
        void run() throws IOException;
    }

    private static void run(String name, Path file, List<String> refusals, Command command) {
        try {
            command.run();
        } catch (IOException | RuntimeException e) {
            refusals.add(name + " of " + file + ": " + e);
        }
    }

    private void convert(Path file, String suffix) throws IOException {
        Path to = folder.resolve("converted" + suffix);
        new Conversion(List.of(new FileLocation(file.toString())), null, new FileLocation(to.toString()), null, OPTIONS, new ProgressMeter(), null)
                .run();
    }

    private void publish(Path file) throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            PublishedFile snapshot = new PublishedFile(
                    new SnapshotFile(new FileLocation(file.toString()), null, OPTIONS, new ProgressMeter()), null);
            new Publication(store, List.of(snapshot), BlankNodes.STRUCTURE, DeletionLimit.of("0"), Check.CONTENT,
                    ProgressListener.NONE).publish(new FileLocation(folder.resolve("difference.jellyp").toString()));
        }
    }

    /** What other commands refuse of a file; null where {@code validate} refuses it. */
    private List<String> refusals(Path file, boolean ofPatches) throws IOException {
        if (!isValid(file)) {
            return null;
        }
        List<String> refusals = new ArrayList<>();
        if (ofPatches) {
            run("convert", file, refusals, () -> convert(file, ".jellyp"));
            run("convert to text", file, refusals, () -> convert(file, ".rdfp"));
            run("apply", file, refusals, () -> {
                try (DatasetStore store = DatasetStore.open("mem:")) {
                    store.apply("a", PatchFiles.openPatches(file.toString()), ProgressListener.NONE);
                }
            });
        } else {
            if (!file.toString().endsWith(".jelly")) { // which has labels and subjects that N-Quads has not
                run("convert", file, refusals, () -> convert(file, ".nq"));
            }
            run("convert to Jelly", file, refusals, () -> convert(file, ".jelly"));
            run("load", file, refusals, () -> {
                try (DatasetStore store = DatasetStore.open("mem:")) {
                    store.load(file.toString());
                }
            });
            run("publish", file, refusals, () -> publish(file));
        }
        return refusals;
    }

    private void tryMutants(Map<String, String> documents, boolean ofPatches, long seed) throws IOException {
        List<String> refusals = new ArrayList<>();
        StringBuilder counts = new StringBuilder();
        for (Map.Entry<String, String> document : documents.entrySet()) {
            Random random = new Random(seed);
            byte[] original = document.getValue().getBytes(UTF_8);
            int valid = 0;
            for (int i = 0; i < MUTANTS; i++) {
                Path file = folder.resolve("a." + document.getKey());
                Files.write(file, i == 0 ? original : mutant(original, random));
                List<String> found = refusals(file, ofPatches);
                assertTrue(i > 0 || found != null, document.getKey() + " is valid");
                valid += found == null ? 0 : 1;
                if (found != null && !found.isEmpty()) {
                    refusals.add(Files.readString(file, ISO_8859_1) + "\n" + found);
                }
            }
            counts.append(document.getKey()).append(' ').append(valid).append(" of ").append(MUTANTS).append(" valid; ");
        }
        assertTrue(refusals.isEmpty(), () -> counts + " " + refusals.size() + " were valid and then refused:\n"
                + String.join("\n----\n", refusals.subList(0, Math.min(refusals.size(), 40))));
        System.out.println(counts);
    }

    private static final String[] TERMS = {"<urn:s>", "<rel>", "<>", "<_:b>", "<a:b c>", "<a:\\u0020>", "<a:>>", "_:b", "_:", "_:a b",
        "_:b.", "\"x\"", "\"x\"@en", "\"x\"@en_US", "\"x\"@abcdefghi", "\"x\"@en--ltr", "\"x\"@en--up", "\"x\"@a", "\"1\"^^<urn:int>",
        "\"1\"^^<rel>", "\"1\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>", "<<( <urn:s> <urn:p> \"x\" )>>",
        "<<( \"s\" <urn:p> <urn:o> )>>", "<<( _:b <rel> <urn:o> )>>", "\"\\u0000\"", "<urn:x-arq:UnionGraph>"};
    private static final String[] NAMES = {"", "ex", "a:b", "a.", "-a", "é", "a b", "1"};

    private static byte[] term(Random random, String usual) {
        return (random.nextInt(12) > 0 ? usual : TERMS[random.nextInt(TERMS.length)]).getBytes(UTF_8);
    }

    private static byte[] name(Random random) {
        return NAMES[random.nextInt(8) > 0 ? 1 : random.nextInt(NAMES.length)].getBytes(UTF_8);
    }

    /** Statements of which some have terms or names that RDF 1.2 has not, in a stream that announces all. */
    private static byte[] statements(Random random) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RdfOptions options = RdfOptions.DEFAULT.withRdfStar(true).withNamespaceDeclarations(true)
                .withGeneralizedStatements(random.nextBoolean());
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, null, new Utf8Terms(), options, ANY)) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                tryTo(() -> writer.namespace(name(random), term(random, "<http://e/>")));
                tryTo(() -> writer.statement(term(random, "_:s"), term(random, "<urn:p>"), term(random, "\"o\"@en"),
                        term(random, "<urn:g>")));
            }
        }
        return out.toByteArray();
    }

    private static byte[] patches(Random random) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PatchOptions options = PatchOptions.DEFAULT.withRdfStar(true).withGeneralizedStatements(random.nextBoolean());
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, null, new Utf8Terms(), options, ANY.ofPiece())) {
            for (int i = random.nextInt(8); i >= 0; i--) {
                switch (random.nextInt(9)) {
                    case 0 -> tryTo(() -> writer.header(name(random), term(random, "<urn:h>")));
                    case 1 -> tryTo(() -> writer.prefix(Op.PA, name(random), term(random, "<http://e/>"), null));
                    case 2 -> tryTo(() -> writer.prefix(Op.PD, name(random), null, null));
                    case 3 -> tryTo(() -> writer.transaction(Op.values()[1 + random.nextInt(3)]));
                    case 4 -> tryTo(writer::endPatch);
                    default -> tryTo(() -> writer.statement(random.nextBoolean() ? Op.A : Op.D, term(random, "_:s"),
                            term(random, "<urn:p>"), term(random, "\"o\"@en"), term(random, "<urn:g>")));
                }
            }
        }
        return out.toByteArray();
    }

    /** What the stream can't hold at all is left out. */
    private static void tryTo(Runnable write) {
        try {
            write.run();
        } catch (FormatException | IllegalArgumentException e) {
            // another row then
        }
    }

    private void tryStreams(boolean ofPatches) throws IOException {
        Random random = new Random(SEED);
        List<String> refusals = new ArrayList<>();
        int valid = 0;
        for (int i = 0; i < 4 * MUTANTS; i++) {
            Path file = folder.resolve("a" + (ofPatches ? ".jellyp" : ".jelly"));
            Files.write(file, ofPatches ? patches(random) : statements(random));
            List<String> found = refusals(file, ofPatches);
            valid += found == null ? 0 : 1;
            refusals.addAll(found == null ? List.of() : found);
        }
        assertEquals(List.of(), refusals);
        assertTrue(valid > MUTANTS, valid + " valid");
    }

    @Test
    void joinedFilesWithOptionsOfTheirOwnAreTakenByEveryCommand() throws IOException {
        ByteArrayOutputStream patches = new ByteArrayOutputStream();
        ByteArrayOutputStream statements = new ByteArrayOutputStream();
        for (boolean isFirst : new boolean[] {true, false}) {
            byte[] object = (isFirst ? "<urn:o>" : "<<( <urn:s> <urn:p> <urn:o> )>>").getBytes(UTF_8);
            byte[] iri = "<urn:s>".getBytes(UTF_8);
            byte[] graph = isFirst ? null : iri;
            PatchOptions ofPatches = PatchOptions.DEFAULT.withStreamType(StreamType.FLAT).withRdfStar(!isFirst)
                    .withStatementType(isFirst ? StatementType.TRIPLES : StatementType.QUADS);
            try (PatchWriter<byte[]> writer = new PatchWriter<>(patches, null, new Utf8Terms(), ofPatches, WriteOptions.DEFAULT)) {
                writer.statement(Op.A, iri, iri, object, graph);
            }
            RdfOptions ofStatements = RdfOptions.DEFAULT.withRdfStar(!isFirst)
                    .withTypes(isFirst ? PhysicalType.TRIPLES : PhysicalType.QUADS, isFirst ? 1 : 2);
            try (RdfWriter<byte[]> writer = new RdfWriter<>(statements, null, new Utf8Terms(), ofStatements, WriteOptions.DEFAULT)) {
                writer.statement(iri, iri, object, graph);
            }
        }
        assertEquals(List.of(), refusals(Files.write(folder.resolve("joined.jellyp"), patches.toByteArray()), true));
        assertEquals(List.of(), refusals(Files.write(folder.resolve("joined.jelly"), statements.toByteArray()), false));
    }

    @Test
    void aStreamOfStatementsThatIsValidIsTakenByEveryCommand() throws IOException {
        tryStreams(false);
    }

    @Test
    void aStreamOfPatchesThatIsValidIsTakenByEveryCommand() throws IOException {
        tryStreams(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"patch", "rdf"})
    void aFileOfTheConformanceSuiteThatIsValidIsTakenByEveryCommand(String kind) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(ProjectFiles.folder("tests/conformance/" + kind), "*.jelly*")) {
            List<String> refusals = new ArrayList<>();
            for (Path file : files) {
                List<String> found = refusals(file, kind.equals("patch"));
                refusals.addAll(found == null ? List.of() : found);
            }
            assertEquals(List.of(), refusals);
        }
    }

    @Test
    void aDocumentThatIsValidIsTakenByEveryCommand() throws IOException {
        tryMutants(DOCUMENTS, false, SEED);
    }

    @Test
    void patchesThatAreValidAreTakenByEveryCommand() throws IOException {
        tryMutants(PATCHES, true, SEED);
    }
}
