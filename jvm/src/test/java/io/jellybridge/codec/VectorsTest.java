package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jellybridge.SharedFiles;
import io.jellybridge.jena.NodeTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.vocabulary.XSD;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Reads every vector of Jelly-Patch, the project's own and those of the conformance data, as UTF-8 terms and as Jena
 * nodes, tolerantly and strictly.
 */
class VectorsTest {
    private static final String PROJECT_ROOT = "jellybridge.root";

    @FunctionalInterface
    private interface Reading {
        /** The events of a file. */
        List<Event> read(Path file, ReadOptions options) throws IOException;
    }

    @TestFactory
    Stream<DynamicNode> ourOwnVectorsAreReadAsTheySay() throws IOException {
        return readings(Vector.of(projectRoot().resolve("tests/vectors")), true);
    }

    @TestFactory
    Stream<DynamicNode> theConformanceVectorsAreReadAsTheySay() throws IOException {
        return readings(Vector.of(SharedFiles.folder("conformance")), false);
    }

    private static Stream<DynamicNode> readings(List<Vector> vectors, boolean own) {
        return Stream.of(
                dynamicContainer("as UTF-8 terms", tests(vectors, own, VectorsTest::readTexts)),
                dynamicContainer("as Jena nodes", tests(vectors, own, VectorsTest::readNodes)));
    }

    private static Stream<DynamicNode> tests(List<Vector> vectors, boolean own, Reading reading) {
        return vectors.stream().flatMap(vector -> Stream.of(
                dynamicTest(vector.id() + ", tolerantly", () -> checkTolerant(vector, own, reading)),
                dynamicTest(vector.id() + ", strictly", () -> checkStrict(vector, reading))));
    }

    private static void checkTolerant(Vector vector, boolean own, Reading reading) throws IOException {
        switch (vector.kind()) {
            case ACCEPT -> checkEvents(vector, reading, ReadOptions.DEFAULT);
            case REJECT -> checkRefused(vector, reading, ReadOptions.DEFAULT, true);
            case EITHER -> {
                // Ours are what we chose to read; elsewhere the choice is free, but not to read something else.
                if (own || isRead(vector, reading)) {
                    checkEvents(vector, reading, ReadOptions.DEFAULT);
                }
            }
        }
    }

    private static void checkStrict(Vector vector, Reading reading) throws IOException {
        if (vector.kind() == Vector.Kind.REJECT || vector.breaksAMust()) {
            // A strict reader may find an earlier fault, so only a case of its own names the rule.
            checkRefused(vector, reading, ReadOptions.STRICT, vector.breaksAMust());
        } else if (vector.kind() == Vector.Kind.ACCEPT) {
            checkEvents(vector, reading, ReadOptions.STRICT);
        }
    }

    private static void checkEvents(Vector vector, Reading reading, ReadOptions options) throws IOException {
        List<Event> expected = Event.withNumberedBlankNodes(vector.events());
        List<Event> actual = Event.withNumberedBlankNodes(reading.read(vector.input(), options));
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            assertEquals(expected.get(i), actual.get(i), "event " + i);
        }
        assertEquals(expected.size(), actual.size(), () -> "the number of events of " + actual);
    }

    private static void checkRefused(Vector vector, Reading reading, ReadOptions options, boolean byRule) {
        PatchFormatException error =
                assertThrows(PatchFormatException.class, () -> reading.read(vector.input(), options));
        assertNotNull(error.rule());
        if (byRule && vector.rule() != null) {
            assertEquals(vector.rule(), error.rule(), error::getMessage);
        }
    }

    private static boolean isRead(Vector vector, Reading reading) throws IOException {
        try {
            reading.read(vector.input(), ReadOptions.DEFAULT);
            return true;
        } catch (PatchFormatException e) {
            return false;
        }
    }

    private static List<Event> readTexts(Path file, ReadOptions options) throws IOException {
        return EventRecorder.read(Files.newInputStream(file), new Utf8Terms(), options,
                term -> EventTermParser.parse(new String(term, UTF_8)));
    }

    private static List<Event> readNodes(Path file, ReadOptions options) throws IOException {
        return EventRecorder.read(Files.newInputStream(file), new NodeTerms(), options, VectorsTest::eventTerm);
    }

    private static EventTerm eventTerm(Node node) {
        if (node.equals(Quad.defaultGraphIRI)) {
            return EventTerm.DEFAULT_GRAPH;
        }
        if (node.isURI()) {
            return new EventTerm.Iri(node.getURI());
        }
        if (node.isBlank()) {
            return new EventTerm.BlankNode(node.getBlankNodeLabel());
        }
        if (node.isTripleTerm()) {
            Triple triple = node.getTriple();
            return new EventTerm.Triple(
                    eventTerm(triple.getSubject()), eventTerm(triple.getPredicate()), eventTerm(triple.getObject()));
        }
        return literal(node);
    }

    private static EventTerm literal(Node node) {
        String language = node.getLiteralLanguage();
        if (!language.isEmpty()) {
            String direction = node.getLiteralBaseDirection() == null ? "" : "--" + node.getLiteralBaseDirection();
            String tag = (language + direction).toLowerCase(Locale.ROOT);
            return new EventTerm.Literal(node.getLiteralLexicalForm(), tag, null);
        }
        String datatype = node.getLiteralDatatypeURI();
        return new EventTerm.Literal(
                node.getLiteralLexicalForm(), null, datatype.equals(XSD.xstring.getURI()) ? null : datatype);
    }

    /** The folder that {@value #PROJECT_ROOT} names, else the one above us that holds the build. */
    private static Path projectRoot() {
        String named = System.getProperty(PROJECT_ROOT);
        Path folder = Path.of(named != null ? named : "").toAbsolutePath();
        while (named == null && !Files.exists(folder.resolve("settings.gradle"))) {
            folder = folder.getParent();
            assertNotNull(folder, "no settings.gradle above the working directory; set " + PROJECT_ROOT);
        }
        return folder;
    }
}
