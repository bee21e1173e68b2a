package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.files.BadStatements;
import io.jellybridge.http.TestTicker;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.options.ShareLimit;
import io.jellybridge.sync.Publication.Check;
import io.jellybridge.sync.Publication.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jena.tdb2.DatabaseMgr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A dataset becomes equal to a snapshot, on every target. */
class PublicationTest {
    @TempDir
    Path folder;
    private int files;

    private Snapshot file(String... lines) throws IOException {
        Path file = folder.resolve(files++ + ".nq");
        Files.write(file, Arrays.stream(lines).map(line -> line + " .").toList());
        return snapshot(file);
    }

    private static Snapshot snapshot(Path file) {
        return new SnapshotFile(new FileLocation(file.toString()), null, ConvertOptions.strict(false), new ProgressMeter());
    }

    private FileLocation patch() {
        return new FileLocation(folder.resolve("difference.rdfp").toString());
    }

    private List<String> patchLines() throws IOException {
        return Files.readAllLines(Path.of(patch().path()));
    }

    private static Publication of(OpenDataset dataset, String maxDelete, PublishedFile... files) {
        return new Publication(dataset, List.of(files), BlankNodes.LABEL, DeletionLimit.of(maxDelete), Check.CONTENT,
                ProgressListener.NONE);
    }

    private Report publish(OpenDataset dataset, Snapshot snapshot) throws IOException {
        return of(dataset, null, new PublishedFile(snapshot, null)).publish(patch());
    }

    private static SortedSet<String> set(String... rows) {
        return new TreeSet<>(List.of(rows));
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void theDatasetIsEqualToEachSnapshotByTheRowsThatDiffer(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            assertEquals(new Report(0, 0, 3, 0, 0),
                    publish(dataset, file("<urn:a> <urn:p> \"1\"", "<urn:a> <urn:p> \"x\"@en <urn:g>", "_:b <urn:p> <urn:o>")));
            assertEquals(new Report(3, 1, 1, 0, 0),
                    publish(dataset, file("<urn:a> <urn:p> \"2\"", "<urn:a> <urn:p> \"x\"@en <urn:g>", "_:b <urn:p> <urn:o>")));
            assertEquals(List.of("TX .", "D <urn:a> <urn:p> \"1\" .", "A <urn:a> <urn:p> \"2\" .", "TC ."), patchLines());
            assertEquals(set("<urn:a> <urn:p> \"2\"", "<urn:a> <urn:p> \"x\"@en <urn:g>", "_:b <urn:p> <urn:o>"),
                    OpenDatasetTest.content(dataset));
        }
    }

    private PublishedFile turtle(String graph, String... lines) throws IOException {
        Snapshot snapshot = snapshot(Files.write(folder.resolve(files++ + ".ttl"), List.of(lines)));
        return graph == null ? new PublishedFile(snapshot, null) : PublishedFile.ofGraph(snapshot, graph);
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void thePrefixesOfAFileComeAlong(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            boolean keepsThem = !kind.name().startsWith("SPARQL");
            boolean tellsThem = kind == TestDataset.MEMORY || kind == TestDataset.TDB2;
            assertTrue(of(opened.dataset(), null, turtle(null, "@prefix x: <urn:x#> .", "x:a x:p 1 .")).publish(patch()).changed());
            assertEquals(List.of("TX .", "PA \"x\" <urn:x#> .", "A <urn:x#a> <urn:x#p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .",
                    "TC ."), patchLines());
            assertEquals(keepsThem ? Map.of("x", "urn:x#") : Map.of(), opened.prefixes());
            // one that has another name for the same namespace, and none: nothing is deleted
            Report other = of(opened.dataset(), null, turtle(null, "@prefix y: <urn:x#> .", "y:a y:p 1 .")).publish(patch());
            assertEquals(new Report(1, 0, 0, 0, tellsThem ? 1 : 0), other);
            assertFalse(publish(opened.dataset(), file("<urn:x#a> <urn:x#p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer>")).changed());
            assertEquals(tellsThem ? Map.of("x", "urn:x#", "y", "urn:x#") : keepsThem ? Map.of("x", "urn:x#") : Map.of(), opened.prefixes());
        }
    }

    /** So that a difference of two versions of the file applies to the store of the first one. */
    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void theBlankNodesOfAFileKeepTheirLabelsWhereThereIsNoOtherGraph(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            for (String[] lines : new String[][] {{"_:b <urn:p> 1 ."}, {"_:b <urn:p> 1 .", "_:c <urn:q> 2 ."}}) {
                PublishedFile next = turtle(null, lines);
                new Publication(opened.dataset(), List.of(next), BlankNodes.STRUCTURE, DeletionLimit.of(null), Check.CONTENT,
                        ProgressListener.NONE).publish(patch());
                String label = patchLines().get(1).split(" ")[1];
                assertTrue(label.matches("<_:[0-9a-f]{32}>"), label);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = TestDataset.class, names = {"MEMORY", "TDB2"})
    void aPrefixThatGetsAnotherNamespaceIsAChangeAndAGraphTakesNoNameFromAnother(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            of(dataset, null, turtle(null, "@prefix : <urn:x#> .", "<urn:x#a> <urn:p> :o .")).publish(patch());
            PublishedFile[] both = {turtle(null, "@prefix : <urn:z#> .", "<urn:x#a> <urn:p> <urn:x#o> ."),
                turtle(null, "@prefix : <urn:last#> . @prefix q: <urn:q#> .")};
            assertEquals(new Report(1, 0, 0, 0, 2), of(dataset, null, both).computeDifference(null, false));
            assertEquals(Map.of("", "urn:x#"), opened.prefixes());
            assertEquals(new Report(1, 0, 0, 0, 2), of(dataset, null, both).publish(patch()));
            assertEquals(List.of("TX .", "PD \"\" .", "PA \"\" <urn:z#> .", "PA \"q\" <urn:q#> .", "TC ."), patchLines());
            assertEquals(Map.of("", "urn:z#", "q", "urn:q#"), opened.prefixes());
            of(dataset, null, turtle("urn:g", "@prefix : <urn:g#> . @prefix g: <urn:g#> .", ":s :p :o .")).publish(patch());
            assertEquals(Map.of("", "urn:z#", "q", "urn:q#", "g", "urn:g#"), opened.prefixes());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void publishingASnapshotAgainChangesNothingNotEvenThePosition(TestDataset kind) throws IOException {
        String[] lines = {"<urn:a> <urn:p> \"042\"^^<http://www.w3.org/2001/XMLSchema#integer>",
            "<urn:a> <urn:p> \"1.50\"^^<http://www.w3.org/2001/XMLSchema#decimal>", "<urn:a> <urn:p> \"x\"@en-GB",
            "<urn:a> <urn:p> <<( <urn:a> <urn:p> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer> )>>"};
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            assertEquals(4, publish(dataset, file(lines)).added());
            String position = dataset.readPosition(Publication.KEY);
            assertFalse(publish(dataset, file(lines)).changed());
            assertEquals(position, dataset.readPosition(Publication.KEY));
            assertTrue(publish(dataset, file(lines[0])).changed());
            assertNotEquals(position, dataset.readPosition(Publication.KEY));
        }
    }

    @Test
    void aDatasetInMemoryKeepsNumbersAsTheSnapshotHasThem() throws IOException {
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder)) {
            String number = "<urn:a> <urn:p> \"%s\"^^<http://www.w3.org/2001/XMLSchema#integer>";
            publish(opened.dataset(), file(number.formatted("1")));
            assertEquals(new Report(1, 1, 1, 0, 0), publish(opened.dataset(), file(number.formatted("01"))));
            assertEquals(set(number.formatted("01")), OpenDatasetTest.content(opened.dataset()));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void someGraphsArePublishedAndTheOthersStay(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            publish(dataset, file("<urn:a> <urn:p> \"d\"", "<urn:a> <urn:p> \"g\" <urn:g>",
                    "<urn:a> <urn:p> \"h\" <urn:h>", "<urn:a> <urn:p> \"i\" <urn:i>"));
            Report report = of(dataset, null, PublishedFile.ofGraph(file("<urn:a> <urn:p> \"new\""), "urn:g"),
                    PublishedFile.ofGraph(file("<urn:a> <urn:p> \"h\" <urn:h>", "<urn:b> <urn:p> \"h\""), "urn:h"))
                    .publish(patch());
            assertEquals(new Report(2, 1, 2, 0, 0), report);
            assertEquals(set("<urn:a> <urn:p> \"d\"", "<urn:a> <urn:p> \"new\" <urn:g>", "<urn:a> <urn:p> \"h\" <urn:h>",
                    "<urn:b> <urn:p> \"h\" <urn:h>", "<urn:a> <urn:p> \"i\" <urn:i>"), OpenDatasetTest.content(dataset));
        }
    }

    private Snapshot triples(String suffix, String... lines) throws IOException {
        Path file = folder.resolve(files++ + suffix);
        Files.write(file, Arrays.stream(lines).map(line -> line + " .").toList());
        return snapshot(file);
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void filesOfTriplesAreTheDefaultGraphAndTheNamedGraphsStay(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            publish(dataset, file("<urn:a> <urn:p> \"old\"", "<urn:a> <urn:p> \"g\" <urn:g>", "<urn:a> <urn:p> \"h\" _:h"));
            for (String suffix : new String[] {".ttl", ".nt"}) {
                assertEquals(new Report(1, 1, 2, 0, 0), publish(dataset, triples(suffix, "<urn:a> <urn:p> \"new\"", "<urn:b> <urn:p> <urn:b>")));
                assertEquals(4, dataset.size());
                assertFalse(publish(dataset, triples(suffix, "<urn:a> <urn:p> \"new\"", "<urn:b> <urn:p> <urn:b>")).changed());
                Report back = of(dataset, null, PublishedFile.ofGraph(file("<urn:a> <urn:p> \"old\""), "default")).publish(patch());
                assertEquals(new Report(2, 2, 1, 0, 0), back);
            }
            String refused = assertThrows(IllegalStateException.class, () -> publish(dataset, triples(".ttl"))).getMessage();
            assertTrue(refused.contains(".ttl has no statement, and 1 quads of the default graph would be deleted"), refused);
            assertEquals(3, dataset.size());
            assertEquals(new Report(3, 2, 0, 0, 0), publish(dataset, file("<urn:a> <urn:p> \"old\"")), "a file of quads is everything");
        }
    }

    @Test
    void aStatementOfANamedGraphIsRefusedForTheDefaultGraph() throws IOException {
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder)) {
            Publication publication =
                    of(opened.dataset(), null, PublishedFile.ofGraph(file("<urn:a> <urn:p> \"h\" <urn:h>"), "default"));
            String message = assertThrows(IllegalStateException.class, () -> publication.publish(patch())).getMessage();
            assertTrue(message.contains("has a statement in the graph <urn:h>, and is to be published as the default graph"), message);
        }
    }

    @Test
    void filesOfTriplesBesideOneOfQuadsAreTheWholeDataset() throws IOException {
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder)) {
            OpenDataset dataset = opened.dataset();
            publish(dataset, file("<urn:a> <urn:p> \"g\" <urn:g>"));
            assertEquals(new Report(1, 1, 2, 0, 0), of(dataset, null, new PublishedFile(triples(".ttl", "<urn:a> <urn:p> \"1\""), null),
                    new PublishedFile(file("<urn:a> <urn:p> \"2\""), null)).publish(patch()));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void eachEmptyFileIsRefusedByNameWhereItsGraphWouldLoseQuads(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            publish(dataset, file("<urn:a> <urn:p> \"d\"", "<urn:a> <urn:p> \"g\" <urn:g>", "<urn:a> <urn:p> \"h\" <urn:h>"));
            PublishedFile g = PublishedFile.ofGraph(file("<urn:a> <urn:p> \"new\""), "urn:g");
            PublishedFile h = PublishedFile.ofGraph(file(), "urn:h");
            for (String limit : new String[] {null, "100%"}) {
                String refused = assertThrows(IllegalStateException.class, () -> of(dataset, limit, g, h).publish(patch()))
                        .getMessage();
                assertTrue(refused.contains("2.nq has no statement, and 1 quads of the graph <urn:h> would be deleted"), refused);
                assertFalse(refused.contains("max_delete"), refused);
                assertEquals(3, dataset.size());
            }
            assertEquals(new Report(2, 2, 1, 0, 0), of(dataset, null, g, h.mayBeEmpty(true)).publish(patch()));
            assertFalse(of(dataset, null, g, h).publish(patch()).changed());
        }
    }

    @Test
    void anEmptyFileOfSeveralIsRefusedWhereAnythingWouldBeDeleted() throws IOException {
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder)) {
            OpenDataset dataset = opened.dataset();
            PublishedFile one = new PublishedFile(file("<urn:a> <urn:p> \"1\""), null);
            PublishedFile empty = new PublishedFile(file(), null);
            of(dataset, null, one, empty).publish(patch());
            assertFalse(of(dataset, null, one, empty).publish(patch()).changed());
            of(dataset, null, one, new PublishedFile(file("<urn:b> <urn:p> \"2\""), null)).publish(patch());
            String refused = assertThrows(IllegalStateException.class, () -> of(dataset, "100%", one, empty).publish(patch()))
                    .getMessage();
            assertTrue(refused.contains("1.nq has no statement, and 1 quads would be deleted"), refused);
            assertEquals(1, of(dataset, null, one, empty.mayBeEmpty(true)).publish(patch()).deleted());
        }
    }

    @Test
    void aStatementOfAnotherGraphThanTheFileIsOfIsRefused() throws IOException {
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder)) {
            Publication publication =
                    of(opened.dataset(), null, PublishedFile.ofGraph(file("<urn:a> <urn:p> \"h\" <urn:h>"), "urn:g"));
            String message = assertThrows(IllegalStateException.class, () -> publication.publish(patch())).getMessage();
            assertTrue(message.contains("0.nq has a statement in the graph <urn:h>"), message);
            assertEquals(0, opened.dataset().size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"relative", "_:b", "urn:a b", "urn:jellybridge:sync"})
    void aGraphThatIsNoneOfDataIsRefused(String iri) {
        String refused = assertThrows(IllegalArgumentException.class, () -> PublishedFile.ofGraph(file(), iri)).getMessage();
        assertTrue(refused.matches("the graph (has as its name the IRI )?<.*> *(without|with|is|, which) ?.*"), refused);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
        // limit, quads of the snapshot, whether it goes in, where there are 10
        "-,1,true", "-,0,false", "20%,8,true", "20%,7,false", "25.5%,8,true", "25.5%,7,false", "100%,0,true", "0%,10,true",
        "0%,9,false", "3,7,true", "3,6,false", "0,10,true", "0,9,false",
    })
    void aSnapshotThatWouldDeleteMoreThanIsAllowedIsRefused(String limit, int quads, boolean goesIn) throws IOException {
        String[] ten = new String[10];
        Arrays.setAll(ten, i -> "<urn:a> <urn:p> \"" + i + "\"");
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder)) {
            publish(opened.dataset(), file(ten));
            Publication publication =
                    of(opened.dataset(), limit, new PublishedFile(file(Arrays.copyOf(ten, quads)), null));
            if (goesIn) {
                assertEquals(quads, publication.publish(patch()).after());
            } else {
                assertThrows(IllegalStateException.class, () -> publication.publish(patch()));
            }
            assertEquals(goesIn ? quads : 10, opened.dataset().size());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aDifferenceAloneChangesNothing(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            Publication publication =
                    of(opened.dataset(), null, new PublishedFile(file("<urn:a> <urn:p> \"1\""), null));
            assertEquals(new Report(0, 0, 1, 0, 0), publication.computeDifference(patch(), false));
            assertTrue(patchLines().contains("A <urn:a> <urn:p> \"1\" ."));
            assertEquals(0, opened.dataset().size());
            assertTrue(opened.positions().isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void ofTwoPublicationsThatReadTheSameStateTheSecondIsRefused(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset late = TestDataset.overtaken(opened.dataset(),
                    () -> publish(opened.target(), file("<urn:a> <urn:p> \"first\"")));
            String refused = assertThrows(IllegalStateException.class,
                    () -> publish(late, file("<urn:a> <urn:p> \"second\""))).getMessage();
            assertTrue(refused.startsWith("another publication came first"), refused);
            assertTrue(refused.endsWith("publish again"), refused);
            assertEquals(set("<urn:a> <urn:p> \"first\""), OpenDatasetTest.content(opened.dataset()));
        }
    }

    @ParameterizedTest
    @EnumSource(value = TestDataset.class, names = {"FUSEKI", "FUSEKI_WITH_MODULE", "SPARQL"})
    void twoPublicationsOfDifferentGraphsDoNotRefuseEachOther(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            PublishedFile first = PublishedFile.ofGraph(file("<urn:a> <urn:p> \"first\""), "urn:g");
            OpenDataset late = TestDataset.overtaken(opened.dataset(), () -> of(opened.target(), null, first).publish(patch()));
            PublishedFile second = PublishedFile.ofGraph(file("<urn:a> <urn:p> \"second\""), "urn:h");
            FileLocation difference = new FileLocation(folder.resolve("second.rdfp").toString());
            assertEquals(new Report(0, 0, 1, 0, 0), of(late, null, second).publish(difference));
            assertEquals(set("<urn:a> <urn:p> \"first\" <urn:g>", "<urn:a> <urn:p> \"second\" <urn:h>"),
                    OpenDatasetTest.content(opened.dataset()));
            OpenDataset later = TestDataset.overtaken(opened.dataset(), () -> of(opened.target(), null,
                    PublishedFile.ofGraph(file("<urn:a> <urn:p> \"third\""), "urn:h")).publish(patch()));
            String refused = assertThrows(IllegalStateException.class, () -> of(later, null,
                    PublishedFile.ofGraph(file("<urn:a> <urn:p> \"fourth\""), "urn:h")).publish(difference)).getMessage();
            assertTrue(refused.startsWith("another publication came first"), refused);
        }
    }

    @ParameterizedTest
    @EnumSource(value = TestDataset.class, names = {"FUSEKI", "FUSEKI_WITH_MODULE"})
    void whereOthersChangedAServerMeanwhileItIsSaid(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset late = TestDataset.overtaken(opened.dataset(),
                    () -> opened.target().update("INSERT DATA { <urn:other> <urn:p> 1 }"));
            String message = assertThrows(IllegalStateException.class, () -> publish(late, file("<urn:a> <urn:p> \"1\"")))
                    .getMessage();
            assertTrue(message.contains("lacks 0 quads of the snapshot and has 1 others (it has <urn:other> <urn:p> "), message);
            publish(opened.dataset(), file("<urn:a> <urn:p> \"1\""));
            assertEquals(set("<urn:a> <urn:p> \"1\""), OpenDatasetTest.content(opened.dataset()));
        }
    }

    /** What a number of quads does not show. */
    @ParameterizedTest
    @EnumSource(value = TestDataset.class, names = {"FUSEKI", "FUSEKI_WITH_MODULE"})
    void whereOthersPutAQuadInThePlaceOfAnotherMeanwhileItIsSaid(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            publish(opened.dataset(), file("<urn:a> <urn:p> \"1\"", "<urn:b> <urn:p> \"1\""));
            OpenDataset late = TestDataset.overtaken(opened.dataset(), () -> opened.target().update(
                    "DELETE DATA { <urn:b> <urn:p> '1' }; INSERT DATA { <urn:b> <urn:p> '2' }"));
            String message = assertThrows(IllegalStateException.class, () -> publish(late,
                    file("<urn:a> <urn:p> \"3\"", "<urn:b> <urn:p> \"1\""))).getMessage();
            assertTrue(message.contains("lacks 1 quads of the snapshot and has 1 others (it lacks <urn:b> <urn:p> \"1\" . "
                    + "and it has <urn:b> <urn:p> \"2\" .); others changed it meanwhile"), message);
        }
    }

    @ParameterizedTest
    @EnumSource(value = TestDataset.class, names = {"FUSEKI", "FUSEKI_WITH_MODULE"})
    void whoWantsNoMoreHasTheNumberOfQuadsComparedAlone(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset late = TestDataset.overtaken(opened.dataset(),
                    () -> opened.target().update("INSERT DATA { <urn:other> <urn:p> 1 }"));
            Publication publication = new Publication(late, List.of(new PublishedFile(file("<urn:a> <urn:p> \"1\""), null)),
                    BlankNodes.LABEL, DeletionLimit.of(null), Check.COUNT, ProgressListener.NONE);
            String message = assertThrows(IllegalStateException.class, () -> publication.publish(patch())).getMessage();
            assertTrue(message.contains("has 2 quads then, and the snapshot 1"), message);
        }
    }

    private static TestFuseki fusekiOnTdb2() {
        return TestFuseki.withModule(DatabaseMgr.createDatasetGraph());
    }

    /** A server that tells its version is compared anew, and must not be with what the other publication made. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "urn:g"})
    void theSecondIsRefusedByAServerThatTellsItsVersionToo(String graph) throws IOException {
        try (TestFuseki fuseki = fusekiOnTdb2(); OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            OpenDataset late = TestDataset.overtaken(dataset,
                    () -> of(dataset, null, PublishedFile.ofGraph(file("<urn:a> <urn:p> \"first\""), graph)).publish(patch()));
            Publication second = of(late, null, PublishedFile.ofGraph(file("<urn:a> <urn:p> \"second\""), graph));
            String refused = assertThrows(IllegalStateException.class, () -> second.publish(patch())).getMessage();
            assertTrue(refused.startsWith("another publication came first"), refused);
            assertTrue(OpenDatasetTest.content(dataset).toString().contains("\"first\""), OpenDatasetTest.content(dataset)::toString);
        }
    }

    /** Other programs store prefixes that no patch can delete by their namespace. */
    @Test
    void aPrefixWithoutALegalNamespaceIsReplaced() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.dataset().executeWrite(() -> store.dataset().prefixes().add("a", "rel#"));
            store.dump(folder.resolve("d.jelly").toString());
            of(store, null, turtle(null, "PREFIX a: <http://e/> a:s a:p 1 .")).publish(patch());
            assertEquals(Map.of("a", "http://e/"), store.prefixes().orElseThrow());
        }
    }

    /** Returns a dataset of a server that counts how often its quads are read. */
    private static OpenDataset counting(OpenDataset dataset, AtomicInteger reads) {
        return TestDataset.watched(dataset, method -> {
            if (method.equals("readRows")) {
                reads.incrementAndGet();
            }
        });
    }

    /** What is applied to the version that was compared needs no look afterwards. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatTellsItsVersionIsReadOnce(boolean graph) throws IOException {
        try (TestFuseki fuseki = fusekiOnTdb2(); OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            AtomicInteger reads = new AtomicInteger();
            for (String value : List.of("1", "2", "2")) {
                Snapshot snapshot = file("<urn:a> <urn:p> \"" + value + "\"");
                of(counting(dataset, reads), null, graph ? PublishedFile.ofGraph(snapshot, "default")
                        : new PublishedFile(snapshot, null)).publish(patch());
            }
            assertEquals(3, reads.get());
            assertEquals(set("<urn:a> <urn:p> \"2\""), OpenDatasetTest.content(dataset));
        }
    }

    @Test
    void whatOthersChangedMeanwhileIsComparedWhereAServerTellsItsVersion() throws IOException {
        try (TestFuseki fuseki = fusekiOnTdb2(); OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            publish(dataset, file("<urn:a> <urn:p> \"1\"", "<urn:b> <urn:p> \"1\""));
            AtomicInteger reads = new AtomicInteger();
            OpenDataset late = TestDataset.overtaken(counting(dataset, reads), () -> dataset.update(
                    "DELETE DATA { <urn:b> <urn:p> '1' }; INSERT DATA { <urn:b> <urn:p> '2' }"));
            assertEquals(new Report(2, 2, 2, 0, 0), publish(late, file("<urn:a> <urn:p> \"3\"", "<urn:b> <urn:p> \"1\"")));
            assertEquals(set("<urn:a> <urn:p> \"3\"", "<urn:b> <urn:p> \"1\""), OpenDatasetTest.content(dataset));
            assertEquals(2, reads.get(), "compared, and compared again");
            OpenDataset same = TestDataset.overtaken(dataset, () -> dataset.update("DELETE DATA { <urn:a> <urn:p> '3' }"));
            assertEquals(new Report(1, 0, 0, 0, 0), publish(same, file("<urn:b> <urn:p> \"1\"")), "somebody else made it equal");
            OpenDataset later = TestDataset.overtaken(dataset, () -> publish(dataset, file("<urn:a> <urn:p> \"first\"")));
            String refused = assertThrows(IllegalStateException.class, () -> publish(later, file("<urn:a> <urn:p> \"second\"")))
                    .getMessage();
            assertTrue(refused.startsWith("another publication came first"), refused);
            assertEquals(set("<urn:a> <urn:p> \"first\""), OpenDatasetTest.content(dataset));
        }
    }

    /** The number of quads is the same, so that only another comparison finds it. */
    @ParameterizedTest
    @EnumSource(Check.class)
    void whatOthersChangedInAGraphMeanwhileIsComparedToo(Check check) throws IOException {
        try (TestFuseki fuseki = fusekiOnTdb2(); OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            publish(dataset, file("<urn:a> <urn:p> \"1\"", "<urn:b> <urn:p> \"1\""));
            assertEquals(new Report(2, 2, 2, 0, 0), publishOvertaken(dataset, "DELETE DATA { <urn:b> <urn:p> '1' }; "
                    + "INSERT DATA { <urn:b> <urn:p> '2' }", check, "<urn:a> <urn:p> '3' . <urn:b> <urn:p> '1' ."));
            assertEquals(set("<urn:a> <urn:p> \"3\"", "<urn:b> <urn:p> \"1\""), OpenDatasetTest.content(dataset));
            // in another graph: what was compared is as it was
            assertEquals(new Report(2, 1, 1, 0, 0), publishOvertaken(dataset, "INSERT DATA { GRAPH <urn:g> { <urn:b> <urn:p> '2' } }",
                    check, "<urn:a> <urn:p> '4' . <urn:b> <urn:p> '1' ."));
            assertEquals(set("<urn:a> <urn:p> \"4\"", "<urn:b> <urn:p> \"1\"", "<urn:b> <urn:p> \"2\" <urn:g>"),
                    OpenDatasetTest.content(dataset));
        }
    }

    private Report publishOvertaken(OpenDataset dataset, String update, Check check, String turtle) throws IOException {
        return new Publication(TestDataset.overtaken(dataset, () -> dataset.update(update)), List.of(turtle(null, turtle)),
                BlankNodes.LABEL, DeletionLimit.of(null), check, ProgressListener.NONE).publish(patch());
    }

    /** Somebody adds a quad and takes it away, so that the store is looked at again and is right. */
    @Test
    void theReportIsOfWhatWasChangedAlsoIfItIsCheckedTwice() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(); OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            AtomicInteger reads = new AtomicInteger();
            OpenDataset busy = TestDataset.watched(dataset, method -> {
                if (method.equals("readRows") && reads.incrementAndGet() == 2) {
                    dataset.update("INSERT DATA { <urn:b> <urn:p> '2' }");
                } else if (method.equals("readRows") && reads.get() == 3) {
                    dataset.update("DELETE DATA { <urn:b> <urn:p> '2' }");
                }
            });
            assertEquals(new Report(0, 0, 1, 0, 0), publish(busy, file("<urn:a> <urn:p> \"1\"")));
            assertEquals(3, reads.get());
        }
    }

    @Test
    void statementsThatCanNotBeReadAreCountedOnceAlsoIfTheFileIsReadAgain() throws IOException {
        try (TestFuseki fuseki = fusekiOnTdb2(); OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            BadStatements bad = new BadStatements("bad.nt", ShareLimit.NONE, () -> text);
            Path file = Files.writeString(folder.resolve("some.nt"), "<urn:a> <urn:p> \"1\" .\nno statement\n");
            Snapshot snapshot = new SnapshotFile(new FileLocation(file.toString()), null, ConvertOptions.strict(false),
                    new ProgressMeter(), bad);
            OpenDataset late = TestDataset.overtaken(dataset, () -> dataset.update("INSERT DATA { <urn:b> <urn:p> '2' }"));
            assertEquals(new Report(1, 1, 1, 0, 0), publish(late, snapshot));
            assertEquals(List.of(1L, 1L), List.of(bad.count(), text.toString(UTF_8).lines().filter("no statement"::equals).count()));
        }
    }

    /** A log would have it before the store refuses it. */
    @Test
    void whatTdb2BehindTheModuleCannotHoldIsRefusedByTheDifference() throws IOException {
        try (TestFuseki fuseki = fusekiOnTdb2(); OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            assertRefused(dataset, "0.nq: ", "more than 64 bits",
                    "<urn:a> <urn:p> \"99999999999999999999\"^^<http://www.w3.org/2001/XMLSchema#integer>");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "<http://e.org/a/../b>                              | segments . and ..",
        "<https://jellybridge.invalid/.well-known/genid/b>  | stands for a blank node",
        "_:jellybridge.stored.x                             | SPARQL has no name for",
    })
    void whatSparqlCannotNameIsRefusedByTheDifference(String term, String says) throws IOException {
        try (TestDataset.Opened opened = TestDataset.SPARQL.open(folder)) {
            assertRefused(opened.dataset(), "0.nq: ", says, "<urn:a> <urn:p> " + term);
            assertRefused(opened.dataset(), "1.nq: ", says, "<urn:a> <urn:p> <urn:o> " + term);
        }
    }

    @Test
    void aDeletionThatSparqlCannotNameIsRefusedByTheDifference() throws IOException {
        try (TestDataset.Opened opened = TestDataset.SPARQL.open(folder)) {
            opened.dataset().update("INSERT DATA { <urn:a> <urn:p> _:b , 1 }");
            assertRefused(opened.dataset(), "the dataset: ", "SPARQL has no name for", "<urn:a> <urn:p> \"2\"");
            assertEquals(2, opened.dataset().size());
        }
    }

    private void assertRefused(OpenDataset dataset, String place, String says, String line) throws IOException {
        Publication publication = of(dataset, null, new PublishedFile(file(line), null));
        String refused = assertThrows(FormatException.class, () -> publication.computeDifference(null, false)).getMessage();
        assertTrue(refused.contains(place) && refused.contains(says) && refused.contains(", in the statement <urn:a> <urn:p> ")
                && refused.endsWith("; nothing of the snapshot was applied"), refused);
    }

    /** The first attempt was applied, so that the second finds another version. */
    @ParameterizedTest
    @EnumSource(value = FaultyProxy.Fault.class, names = {"CONNECTION_CLOSED", "UNAVAILABLE", "ARRIVES_CONNECTION_CLOSED",
        "ARRIVES_ERROR_IN_MID_BODY", "ARRIVES_BAD_GATEWAY", "REPEATED"})
    void aLostAnswerOfAVersionIsFound(FaultyProxy.Fault fault) throws IOException {
        try (TestFuseki fuseki = fusekiOnTdb2(); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset dataset = FusekiDataset.open(
                        FusekiOptions.of(proxy.url()).withHttp(http -> http.withTicker(TestTicker.jumpingUpTo(Duration.ofSeconds(1)))))) {
            publish(dataset, file("<urn:a> <urn:p> \"1\""));
            proxy.fail(fault);
            assertEquals(new Report(1, 1, 1, 0, 0), publish(dataset, file("<urn:a> <urn:p> \"2\"")));
            assertEquals(set("<urn:a> <urn:p> \"2\""), OpenDatasetTest.content(dataset));
        }
    }

    @Test
    void aStateOfManyGraphsIsShortAndTellsOtherGraphsApart() throws IOException {
        List<PublishedFile> graphs = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            graphs.add(turtle("http://example.org/graphs/" + i, "<urn:s> <urn:p> " + i + " ."));
        }
        try (OpenDataset dataset = DatasetStore.open("mem:")) {
            List<String> states = new ArrayList<>();
            for (int count : new int[]{300, 300, 299}) {
                Publication publication = of(dataset, null, graphs.subList(0, count).toArray(PublishedFile[]::new));
                publication.computeDifference(null, true);
                states.add(publication.stateBefore());
            }
            assertTrue(states.get(0).length() < 200, states.get(0));
            assertEquals(states.get(0), states.get(1));
            assertNotEquals(states.get(0), states.get(2));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aStateIsKnownAgainWhereNobodyChangedIt(TestDataset kind) throws IOException {
        String at = "<urn:uuid:00000000-0000-0000-0000-000000000001>";
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            Publication publication = of(dataset, null, new PublishedFile(file("<urn:a> <urn:p> \"1\"", "_:b <urn:p> \"1.50\"@en",
                    "<urn:a> <urn:p> \"042\"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g>"), null));
            assertNull(publication.stateAfter());
            publication.publish(patch());
            publication.computeDifference(null, true);
            String state = publication.stateBefore();
            assertTrue(state.startsWith("3 "), state);
            assertEquals(state, publication.stateAfter());
            assertNull(Publication.notedState(dataset, at));
            Publication.noteState(dataset, at, state);
            Publication.noteState(dataset, at, state);
            assertEquals(state, Publication.notedState(dataset, at));
            assertNull(Publication.notedState(dataset, "<urn:uuid:00000000-0000-0000-0000-000000000002>"));
            dataset.update("DELETE DATA { <urn:a> <urn:p> '1' }; INSERT DATA { <urn:a> <urn:p> '2' }");
            publication.computeDifference(null, true);
            assertNotEquals(state, publication.stateBefore());
            assertEquals(state, publication.stateAfter());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aSnapshotThatIsBrokenAtItsEndChangesNothing(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            publish(opened.dataset(), file("<urn:a> <urn:p> \"1\""));
            Path cut = folder.resolve("cut.nq");
            Files.writeString(cut, "<urn:a> <urn:p> \"2\" .\n<urn:a> <urn:p", UTF_8);
            FormatException error = assertThrows(FormatException.class, () -> publish(opened.dataset(), snapshot(cut)));
            assertTrue(error.getMessage().contains("cut.nq, line 2"), error.getMessage());
            assertEquals(set("<urn:a> <urn:p> \"1\""), OpenDatasetTest.content(opened.dataset()));
        }
    }

    @Test
    void whatHearsOfTheWorkMayEndItAndNothingIsChanged() throws IOException {
        String[] many = new String[5000];
        Arrays.setAll(many, i -> "<urn:a> <urn:p> \"" + i + "\"");
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder)) {
            ProgressListener ending = new ProgressListener() {
                @Override
                public void progress(long rows) {
                    // after the last look
                }

                @Override
                public void reading(long rows) {
                    throw new CancellationException("enough");
                }
            };
            Publication publication = new Publication(opened.dataset(),
                    List.of(new PublishedFile(file(many), null)), BlankNodes.STRUCTURE, DeletionLimit.of(null),
                    Check.CONTENT, ending);
            assertThrows(CancellationException.class, () -> publication.publish(patch()));
            assertEquals(0, opened.dataset().size());
        }
    }

    @ParameterizedTest
    @EnumSource(value = TestDataset.class, names = {"MEMORY", "TDB2"})
    void anyStateBecomesAnyOther(TestDataset kind) throws IOException {
        Random random = new Random(7);
        try (TestDataset.Opened opened = kind.open(folder)) {
            for (int round = 0; round < 30; round++) {
                List<String> lines = new ArrayList<>();
                for (int i = random.nextInt(40) + 1; i > 0; i--) {
                    lines.add("<urn:s%d> <urn:p%d> %s%s".formatted(random.nextInt(4), random.nextInt(2),
                            List.of("\"a\"", "\"a\"@en", "_:b" + random.nextInt(3), "<urn:o>").get(random.nextInt(4)),
                            List.of("", " <urn:g>", " _:g").get(random.nextInt(3))));
                }
                Report report = publish(opened.dataset(), file(lines.toArray(String[]::new)));
                assertEquals(new TreeSet<>(lines), OpenDatasetTest.content(opened.dataset()));
                assertEquals(new TreeSet<>(lines).size(), report.after());
            }
        }
    }
}
