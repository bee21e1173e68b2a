package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jellybridge.SharedFiles;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.util.IsoMatcher;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * The cases of the conformance data that are about whole Jelly-RDF streams: files of statements to and from streams, frame
 * by frame. Those that say which events a stream holds are for {@link VectorsTest}.
 */
class RdfConformanceTest {
    /** No frame ends by its size: the cases say where frames end. */
    private static final WriteOptions WHOLE_FRAMES =
            new WriteOptions(Integer.MAX_VALUE, true, 16 << 20).withTerms(TermRules.ANY);
    /** What a writer refuses here: a typed literal without a lookup of datatypes, too small a lookup of names. */
    private static final Set<String> REFUSALS = Set.of("R-25", "R-27");

    /** A kind of term, both ways. */
    private record Terms<T>(String name, TermFactory<T> factory, TermSource<T> source, Function<T, EventTerm> toEventTerm) {

        static Terms<byte[]> texts() {
            Utf8Terms terms = new Utf8Terms();
            return new Terms<>("UTF-8 terms", terms, terms, EventTerms::ofText);
        }

        static Terms<Node> nodes() {
            NodeTerms terms = new NodeTerms();
            return new Terms<>("Jena nodes", terms, terms, EventTerms::ofNode);
        }

        RdfEventRecorder<T> read(InputStream in, ReadOptions options) throws IOException {
            return RdfEventRecorder.read(in, factory, options, toEventTerm);
        }

        RdfEventRecorder<T> read(Path file, ReadOptions options) throws IOException {
            return read(Files.newInputStream(file), options);
        }
    }

    @FunctionalInterface
    private interface Check {
        void run(ConformanceCase tested, Terms<?> terms) throws IOException;
    }

    private static Stream<DynamicNode> tests(String kind, Check check) throws IOException {
        List<ConformanceCase> cases = ConformanceCase.of(SharedFiles.folder("conformance")).stream()
                .filter(found -> found.kind().equals(kind)).toList();
        assertTrue(!cases.isEmpty(), "no case of kind " + kind);
        return Stream.<Terms<?>>of(Terms.texts(), Terms.nodes()).map(terms -> dynamicContainer(terms.name(),
                cases.stream().map(tested -> test(tested, () -> check.run(tested, terms)))));
    }

    private static DynamicTest test(ConformanceCase tested, Executable run) {
        return dynamicTest(tested.id(), run);
    }

    // --- reading

    @TestFactory
    Stream<DynamicNode> everyFrameOfAGoodStreamIsTheStatementsOfItsFile() throws IOException {
        return tests("rdf-from-jelly-pos", (tested, terms) -> {
            for (ReadOptions options : List.of(ReadOptions.DEFAULT, ReadOptions.STRICT)) {
                RdfEventRecorder<?> read = terms.read(tested.inputs().get(0), options);
                checkFrames(frames(tested.expectedFiles(), read.options.physicalType()), read.frames);
            }
        });
    }

    @TestFactory
    Stream<DynamicNode> aBadStreamIsRefusedByARule() throws IOException {
        return tests("rdf-from-jelly-neg", (tested, terms) -> {
            for (ReadOptions options : List.of(ReadOptions.DEFAULT, ReadOptions.STRICT)) {
                FormatException error = assertThrows(FormatException.class,
                        () -> terms.read(tested.inputs().get(0), options));
                assertTrue(error.rule().startsWith("R-"), error.getMessage());
            }
        });
    }

    // --- writing

    @TestFactory
    Stream<DynamicNode> whatIsWrittenHasTheOptionsAndTheStatementsFrameByFrame() throws IOException {
        return tests("rdf-to-jelly-pos", RdfConformanceTest::checkWritten);
    }

    private static <T> void checkWritten(ConformanceCase tested, Terms<T> terms) throws IOException {
        RdfOptions options = terms.read(tested.inputs().get(0), ReadOptions.DEFAULT).options;
        List<List<Event>> expected = frames(statementFiles(tested), options.physicalType());
        byte[] written = write(terms, options, expected);

        RdfEventRecorder<?> read = terms.read(new ByteArrayInputStream(written), ReadOptions.STRICT);
        assertEquals(options, read.options);
        checkFrames(expected, read.frames);

        IndependentRdfReader independent = IndependentRdfReader.read(written, true);
        assertEquals(options, independent.options());
        checkFrames(expected, independent.frames());
    }

    @TestFactory
    Stream<DynamicNode> whatTheOptionsRuleOutIsNotWritten() throws IOException {
        return tests("rdf-to-jelly-neg", (tested, terms) -> {
            RdfOptions options = terms.read(tested.inputs().get(0), ReadOptions.DEFAULT).options;
            FormatException error = assertThrows(FormatException.class,
                    () -> write(terms, options, frames(statementFiles(tested), options.physicalType())));
            assertTrue(REFUSALS.contains(error.rule()), error.getMessage());
        });
    }

    /** The first file of an input for writing holds the options. */
    private static List<Path> statementFiles(ConformanceCase tested) {
        return tested.inputs().subList(1, tested.inputs().size());
    }

    private static <T> byte[] write(Terms<T> terms, RdfOptions options, List<List<Event>> frames) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfWriter<T> writer = new RdfWriter<>(out, "test", terms.source(), options, WHOLE_FRAMES)) {
            for (List<Event> frame : frames) {
                StatementEvents.write(frame, writer, terms.factory(), options.physicalType());
                writer.endFrame(Map.of());
            }
        }
        return out.toByteArray();
    }

    // --- files beside the suite

    @TestFactory
    Stream<DynamicTest> filesOfEveryReleaseAreTheDatasetThatTheySay() throws IOException {
        return ConformanceCase.of(SharedFiles.folder("conformance")).stream()
                .filter(tested -> Set.of("rdf-backcompat-pos", "rdf-sample-pos").contains(tested.kind()))
                .map(tested -> test(tested, () -> checkDataset(tested)));
    }

    private static void checkDataset(ConformanceCase tested) throws IOException {
        DatasetGraph actual = DatasetGraphFactory.create();
        try (RdfReader<Node> reader = new RdfReader<>(
                Files.newInputStream(tested.inputs().get(0)), null, new NodeTerms(), ReadOptions.STRICT)) {
            reader.readAll(new DatasetFiller(actual));
        }
        DatasetGraph expected = DatasetGraphFactory.create();
        RDFDataMgr.read(expected, tested.folder().resolve(tested.expected().split(" ")[0]).toUri().toString());
        assertTrue(IsoMatcher.isomorphic(expected, actual), () -> "expected " + expected + " but found " + actual);

        long namespaces = Terms.texts().read(tested.inputs().get(0), ReadOptions.STRICT).events().stream()
                .filter(event -> event.op().equals("NS")).count();
        String declared = tested.expected().replaceAll("(?s).*; (\\d+) namespace declarations.*|.*", "$1");
        assertEquals(declared.isEmpty() ? 0 : Long.parseLong(declared), namespaces, "namespace declarations");
    }

    private record DatasetFiller(DatasetGraph into) implements RdfHandler<Node> {

        @Override
        public void statement(Node subject, Node predicate, Node object, Node graph) {
            into.add(graph == null ? Quad.defaultGraphIRI : graph, subject, predicate, object);
        }
    }

    @TestFactory
    Stream<DynamicNode> metadataIsThatOfItsFrameAndChangesNoStatement() throws IOException {
        return tests("rdf-metadata-pos", (tested, terms) -> {
            RdfEventRecorder<?> read = terms.read(tested.inputs().get(0), ReadOptions.STRICT);
            assertEquals(List.of(245, 55), read.frames.stream().map(List::size).toList());
            assertEquals(Set.of("c"), read.metadata.get(0).keySet());
            assertArrayEquals(new byte[] {0}, read.metadata.get(0).get("c"));
            assertTrue(read.metadata.get(1).isEmpty());
        });
    }

    // --- files of statements

    private static List<List<Event>> frames(List<Path> files, PhysicalType type) {
        return files.stream().map(file -> {
            try {
                return StatementEvents.parse(Files.readString(file), type != PhysicalType.TRIPLES);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }).toList();
    }

    /** Compares frame by frame, with one bijection of blank nodes over the whole stream. */
    private static void checkFrames(List<List<Event>> expected, List<List<Event>> actual) {
        List<Event> wanted = withFrameEnds(expected);
        List<Event> found = withFrameEnds(actual);
        for (int i = 0; i < Math.min(wanted.size(), found.size()); i++) {
            assertEquals(wanted.get(i), found.get(i), "event " + i);
        }
        assertEquals(wanted.size(), found.size(), "number of statements and frames");
    }

    private static List<Event> withFrameEnds(List<List<Event>> frames) {
        List<Event> all = new ArrayList<>();
        for (List<Event> frame : frames) {
            all.addAll(frame);
            all.add(new Event("end of frame", null, List.of()));
        }
        return Event.withNumberedBlankNodes(all);
    }
}
