package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.ProjectFiles;
import io.jellybridge.SharedFiles;
import io.jellybridge.codec.TermSyntaxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What must be read, what must be refused, and what is canonical, byte for byte: the W3C's tests of N-Triples, and our own
 * cases of the grammar of N-Quads 1.1 and 1.2, in {@code tests/nquads.tsv}, over which the tests of Spark and of the command
 * line go too.
 */
class NQuadsConformanceTest {
    private static final String TABLE = "tests/nquads.tsv";
    private static final int COLUMNS = 4;

    /** A document, and whether it is N-Quads: {@code valid}, {@code invalid}, or {@code rdfStar}, by that option alone. */
    private record Case(String version, String verdict, String about, String text) {

        byte[] bytes() {
            return text.replace('⏎', '\n').replace('␍', '\r').replace('⇥', '\t').getBytes(UTF_8);
        }
    }

    private static List<Case> cases() throws IOException {
        return Files.readAllLines(ProjectFiles.folder(TABLE)).stream().filter(line -> !line.startsWith("#")).skip(1)
                .map(line -> {
                    String[] columns = line.split("\t", -1);
                    assertEquals(COLUMNS, columns.length, line);
                    return new Case(columns[0], columns[1], columns[2], columns[3]);
                }).toList();
    }

    private static void checkCase(Case document, boolean rdfStar) {
        boolean valid = document.verdict.equals("valid") || rdfStar && document.verdict.equals("rdfStar");
        if (valid) {
            String canonical = canonical(document.bytes(), rdfStar);
            assertEquals(canonical, canonical(canonical.getBytes(UTF_8), rdfStar));
        } else {
            assertThrows(TermSyntaxException.class, () -> canonical(document.bytes(), rdfStar));
        }
    }

    @TestFactory
    Stream<DynamicTest> documentsOfTheGrammarAreReadOrRefusedAsTheTableSays() throws IOException {
        return cases().stream().flatMap(document -> Stream.of(false, true).map(rdfStar -> DynamicTest.dynamicTest(
                document.version + ", " + document.about + (rdfStar ? ", with rdfStar" : ""),
                () -> checkCase(document, rdfStar))));
    }

    @Test
    void theTableHasPositiveAndNegativeCasesOfBothVersions() throws IOException {
        Map<String, Long> counts = cases().stream().collect(
                Collectors.groupingBy(document -> document.version + " " + document.verdict, Collectors.counting()));
        assertTrue(counts.get("1.1 valid") > 40 && counts.get("1.1 invalid") > 60, counts.toString());
        assertTrue(counts.get("1.2 valid") > 10 && counts.get("1.2 invalid") > 25, counts.toString());
        assertEquals(cases().size(), cases().stream().map(Case::about).distinct().count(), "each has a name of its own");
    }

    private static List<Path> files(String folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(SharedFiles.folder(folder))) {
            List<Path> found = files.filter(file -> file.toString().endsWith(suffix)).sorted()
                    .collect(Collectors.toList());
            assertFalse(found.isEmpty(), folder);
            return found;
        }
    }

    /** The document, each statement canonical; lines are cut at CR and LF only, as the grammar has it. */
    private static String canonical(byte[] bytes, boolean rdfStar) {
        NQuadsParser parser = new NQuadsParser(rdfStar);
        ByteArrayOutputStream canonical = new ByteArrayOutputStream();
        int start = 0;
        for (int i = 0; i <= bytes.length; i++) {
            if (i == bytes.length || bytes[i] == '\n' || bytes[i] == '\r') {
                if (parser.parse(bytes, start, i - start)) {
                    write(parser, canonical);
                }
                start = i + 1;
            }
        }
        return canonical.toString(UTF_8);
    }

    private static String canonical(Path file) throws IOException {
        return canonical(Files.readAllBytes(file), false);
    }

    private static void write(NQuadsParser parser, ByteArrayOutputStream out) {
        for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
            if (parser.isPresent(position)) {
                out.write(parser.arrayOf(position), parser.offsetOf(position), parser.lengthOf(position));
                out.write(' ');
            }
        }
        out.writeBytes(".\n".getBytes(UTF_8));
    }

    @TestFactory
    Stream<DynamicTest> badFilesAreRefusedAndTheRestAreRead() throws IOException {
        return files("conformance/w3c/ntriples-syntax", ".nt").stream().map(file ->
                DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    if (file.getFileName().toString().contains("bad")) {
                        assertThrows(TermSyntaxException.class, () -> canonical(file));
                    } else {
                        canonical(file);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> canonicalFormIsThatOfTheStandardByteForByte() throws IOException {
        return files("conformance/w3c/ntriples-c14n", "-c14n.nt").stream().map(expected -> {
            String name = expected.getFileName().toString().replace("-c14n.nt", ".nt");
            return DynamicTest.dynamicTest(name, () ->
                    assertEquals(Files.readString(expected), canonical(expected.resolveSibling(name))));
        });
    }

    @TestFactory
    Stream<DynamicTest> canonicalDatasetsReadAsTheyAre() throws IOException {
        return files("conformance/w3c/rdfc10", "-rdfc10.nq").stream().map(file ->
                DynamicTest.dynamicTest(file.getFileName().toString(), () ->
                        assertEquals(Files.readString(file), canonical(file))));
    }
}
