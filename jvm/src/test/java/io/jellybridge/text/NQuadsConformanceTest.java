package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.SharedFiles;
import io.jellybridge.codec.TermSyntaxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The W3C's tests of N-Triples: what must be read, what must be refused, and what is canonical, byte for byte. */
class NQuadsConformanceTest {

    private static List<Path> files(String folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(SharedFiles.folder(folder))) {
            List<Path> found = files.filter(file -> file.toString().endsWith(suffix)).sorted()
                    .collect(Collectors.toList());
            assertFalse(found.isEmpty(), folder);
            return found;
        }
    }

    /** The file, each statement canonical; lines are cut at CR and LF only, as the grammar has it. */
    private static String canonical(Path file) {
        NQuadsParser parser = new NQuadsParser(false);
        ByteArrayOutputStream canonical = new ByteArrayOutputStream();
        try {
            byte[] bytes = Files.readAllBytes(file);
            int start = 0;
            for (int i = 0; i <= bytes.length; i++) {
                if (i == bytes.length || bytes[i] == '\n' || bytes[i] == '\r') {
                    if (parser.parse(bytes, start, i - start)) {
                        write(parser, canonical);
                    }
                    start = i + 1;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return canonical.toString(UTF_8);
    }

    private static void write(NQuadsParser parser, ByteArrayOutputStream out) {
        for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
            if (parser.isPresent(position)) {
                out.write(parser.array(position), parser.offset(position), parser.length(position));
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
