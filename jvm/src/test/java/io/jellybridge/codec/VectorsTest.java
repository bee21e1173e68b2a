package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jellybridge.ProjectFiles;
import io.jellybridge.SharedFiles;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Reads every vector of both formats, the project's own and those of the conformance data, as UTF-8 terms and as Jena
 * nodes, tolerantly and strictly.
 */
class VectorsTest {
    @FunctionalInterface
    private interface Reading {
        /** The events of a file. */
        List<Event> read(Path file, ReadOptions options) throws IOException;
    }

    /** Where tests are run one by one for each change of the code, thousands would take minutes for each. */
    private static final String IN_ONE = "jellybridge.vectorsInOne";

    @Test
    @EnabledIfSystemProperty(named = IN_ONE, matches = "true")
    void allVectorsAreReadAsTheySay() throws Throwable {
        runAll(ourOwnVectorsAreReadAsTheySay());
        runAll(theConformanceVectorsAreReadAsTheySay());
    }

    private static void runAll(Stream<DynamicNode> readings) throws Throwable {
        for (DynamicNode reading : readings.toList()) {
            for (DynamicNode test : ((DynamicContainer) reading).getChildren().toList()) {
                ((DynamicTest) test).getExecutable().execute();
            }
        }
    }

    @TestFactory
    @DisabledIfSystemProperty(named = IN_ONE, matches = "true")
    Stream<DynamicNode> ourOwnVectorsAreReadAsTheySay() throws IOException {
        return readings(ProjectFiles.folder("tests/conformance"), true);
    }

    @TestFactory
    @DisabledIfSystemProperty(named = IN_ONE, matches = "true")
    Stream<DynamicNode> theConformanceVectorsAreReadAsTheySay() throws IOException {
        return readings(SharedFiles.folder("conformance"), false);
    }

    private static Stream<DynamicNode> readings(Path folder, boolean own) throws IOException {
        List<Vector> patches = Vector.ofPatches(folder);
        List<Vector> rdf = Vector.ofRdf(folder);
        return Stream.of(
                dynamicContainer("Jelly-Patch as UTF-8 terms", tests(patches, own, VectorsTest::readTexts)),
                dynamicContainer("Jelly-Patch as Jena nodes", tests(patches, own, VectorsTest::readNodes)),
                dynamicContainer("Jelly-RDF as UTF-8 terms", tests(rdf, own, VectorsTest::readRdfTexts)),
                dynamicContainer("Jelly-RDF as Jena nodes", tests(rdf, own, VectorsTest::readRdfNodes)));
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
        FormatException error =
                assertThrows(FormatException.class, () -> reading.read(vector.input(), options));
        assertNotNull(error.rule());
        if (byRule && vector.rule() != null) {
            assertEquals(vector.rule(), error.rule(), error::getMessage);
        }
    }

    private static boolean isRead(Vector vector, Reading reading) throws IOException {
        try {
            reading.read(vector.input(), ReadOptions.DEFAULT);
            return true;
        } catch (FormatException e) {
            return false;
        }
    }

    private static List<Event> readTexts(Path file, ReadOptions options) throws IOException {
        return EventRecorder.read(Files.newInputStream(file), new Utf8Terms(), options, EventTerms::ofText);
    }

    private static List<Event> readNodes(Path file, ReadOptions options) throws IOException {
        return EventRecorder.read(Files.newInputStream(file), new NodeTerms(), options, EventTerms::ofNode);
    }

    private static List<Event> readRdfTexts(Path file, ReadOptions options) throws IOException {
        return RdfEventRecorder.read(Files.newInputStream(file), new Utf8Terms(), options, EventTerms::ofText).events();
    }

    private static List<Event> readRdfNodes(Path file, ReadOptions options) throws IOException {
        return RdfEventRecorder.read(Files.newInputStream(file), new NodeTerms(), options, EventTerms::ofNode).events();
    }
}
