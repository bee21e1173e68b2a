package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.Conversion;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.DifferenceFile;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.convert.Validator;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.dataset.OpenDataset.LoadReport;
import io.jellybridge.sync.Publication.Check;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An IRI that somebody keeps for a purpose is special in the position of that purpose, and an IRI like others everywhere else. */
class ReservedIrisTest {
    private static final List<String> GRAPHS = List.of(
            "urn:x-arq:DefaultGraph", "urn:x-arq:DefaultGraphNode", "urn:x-arq:UnionGraph");
    private static final List<String> IRIS = Stream.concat(GRAPHS.stream(), Stream.of(
            StoredPosition.GRAPH, StoredPosition.PREDICATE, StoredPosition.APPLIED, Publication.KEY, "urn:x-arq:self",
            "http://jena.apache.org/ARQ/list#member", "java:java.lang.String")).toList();
    private static final ConvertOptions OPTIONS = ConvertOptions.strict(false);
    /** Documents with the IRI of a prefix {@code urn:r:} and a name as subject, predicate and object. */
    private static final Map<String, String> DOCUMENTS = Map.of(
            "ttl", "@prefix r: <NAMESPACE> . r:NAME r:NAME r:NAME .",
            "trig", "@prefix r: <NAMESPACE> . <urn:g> { r:NAME r:NAME r:NAME } r:NAME r:NAME <IRI> .",
            "n3", "@prefix r: <NAMESPACE> . r:NAME <IRI> r:NAME .",
            "rdf", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:r='NAMESPACE'>"
                    + "<rdf:Description rdf:about='IRI'><r:NAME rdf:resource='IRI'/></rdf:Description></rdf:RDF>",
            "jsonld", "{\"@id\": \"IRI\", \"IRI\": {\"@id\": \"IRI\"}}",
            "rj", "{\"IRI\": {\"IRI\": [{\"type\": \"uri\", \"value\": \"IRI\"}]}}",
            "trix", "<TriX xmlns='http://www.w3.org/2004/03/trix/trix-1/'><graph><triple><uri>IRI</uri><uri>IRI</uri><uri>IRI</uri>"
                    + "</triple></graph></TriX>");

    @TempDir
    Path folder;

    /** The IRI in each position but that of a graph, in the default graph and in another one. */
    private static SortedSet<String> statements(String iri) {
        SortedSet<String> statements = new TreeSet<>();
        for (String graph : List.of("", " <urn:g>")) {
            for (String triple : List.of("<I> <urn:p> \"s\"", "<urn:s> <I> \"p\"", "<urn:s> <urn:p> <I>", "<I> <I> <I>",
                    "<urn:s> <urn:p> \"d\"^^<I>", "<urn:s> <urn:p> <<( <I> <I> <I> )>>")) {
                statements.add(triple.replace("<I>", "<" + iri + ">") + graph);
            }
        }
        return statements;
    }

    private static SortedSet<String> statements() {
        return IRIS.stream().flatMap(iri -> statements(iri).stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    private Path write(String name, Set<String> rows) throws IOException {
        return Files.write(folder.resolve(name), rows.stream().map(row -> row + " .").toList());
    }

    private static SortedSet<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(line -> line.substring(0, line.length() - 2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> content(OpenDataset dataset) throws IOException {
        SortedSet<String> content = new TreeSet<>();
        try (QuadCursor rows = dataset.rows()) {
            while (rows.hasNext()) {
                content.add(Arrays.stream(rows.next()).filter(Objects::nonNull).map(term -> new String(term, UTF_8))
                        .collect(Collectors.joining(" ")));
            }
        }
        return content;
    }

    private Path convert(Path file, String name) throws IOException {
        Path to = folder.resolve(name);
        new Conversion(List.of(new FileLocation(file.toString())), null, new FileLocation(to.toString()), null, OPTIONS, new ProgressMeter(), null)
                .run();
        return to;
    }

    private static void assertValid(Path file) throws IOException {
        String found = new Validator(new FileLocation(file.toString()), null, OPTIONS, false, 9, new ProgressMeter()).run();
        assertTrue(found.contains("\"valid\":true"), found);
    }

    private static SnapshotFile snapshot(Path file) {
        return new SnapshotFile(new FileLocation(file.toString()), null, OPTIONS, new ProgressMeter());
    }

    private Publication.Report publish(OpenDataset dataset, Path file) throws IOException {
        return publication(dataset, file, null).publish(new FileLocation(folder.resolve("difference.jellyp").toString()));
    }

    /** @param graph null: the statements say where they belong */
    private static Publication publication(OpenDataset dataset, Path file, String graph) {
        PublishedFile published = graph == null
                ? new PublishedFile(snapshot(file), null) : PublishedFile.ofGraph(snapshot(file), graph);
        return new Publication(dataset, List.of(published), BlankNodes.STRUCTURE, DeletionLimit.of(null), Check.CONTENT,
                ProgressListener.NONE);
    }

    private static void apply(OpenDataset dataset, Path patch) throws IOException {
        dataset.apply(patch.toString(), PatchFiles.openPatches(patch.toString()), ProgressListener.NONE);
    }

    private Path patch(String name, String op, Set<String> rows) throws IOException {
        return Files.write(folder.resolve(name), rows.stream().map(row -> op + " " + row + " .").toList());
    }

    // --- stores

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aStorePublishesLoadsDumpsAndAppliesThem(TestDataset kind) throws IOException {
        SortedSet<String> all = statements();
        Path file = write("all.nq", all);
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            assertEquals(all.size(), publish(dataset, file).added());
            assertEquals(all, content(dataset));
            assertFalse(publish(dataset, file).changed());
            assertEquals(all.size(), dataset.size());
            dataset.dump(folder.resolve("dump.nq").toString());
            assertEquals(all, lines(folder.resolve("dump.nq")));
            dataset.dump(folder.resolve("dump.jelly").toString());
            assertEquals(all, lines(convert(folder.resolve("dump.jelly"), "dumped.nq")));
            assertEquals(all.size() - 1, publish(dataset, write("one.nq", Set.of(all.first()))).deleted());
            dataset.load(folder.resolve("dump.jelly").toString());
            assertEquals(all, content(dataset));
            for (String format : List.of("rdfp", "jellyp", "trp")) {
                apply(dataset, convert(patch("d.rdfp", "D", all), "del." + format));
                assertEquals(0, dataset.size());
                apply(dataset, convert(patch("a.rdfp", "A", all), "add." + format));
                assertEquals(all, content(dataset));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aStoreFindsThem(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            dataset.load(write("all.nq", statements()).toString());
            for (String iri : IRIS) {
                Wanted wanted = Wanted.oneOf(Set.of("<" + iri + ">"));
                assertEquals(4, dataset.count(new QuadSelection(wanted, Wanted.ANY, Wanted.ANY, Wanted.ANY, 99)), iri);
                assertEquals(4, dataset.count(new QuadSelection(Wanted.ANY, wanted, Wanted.ANY, Wanted.ANY, 99)), iri);
                assertEquals(4, dataset.count(new QuadSelection(Wanted.ANY, Wanted.ANY, wanted, Wanted.ANY, 99)), iri);
                String rows = dataset.runQuery("SELECT DISTINCT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } "
                        + "FILTER (<I> IN (?s, ?p, ?o)) }".replace("<I>", "<" + iri + ">"));
                assertEquals(8, JsonParser.parseString(rows).getAsJsonObject().getAsJsonArray("rows").size(), rows);
                assertEquals("{\"triples\":[[\"<I>\",\"<I>\",\"<I>\"]]}".replace("I>", iri + ">"),
                        dataset.runQuery("CONSTRUCT { ?s ?s ?s } { VALUES ?s { <I> } }".replace("I>", iri + ">")));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aPatchMayBeNamedByThem(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            String before = null;
            for (String iri : IRIS) {
                String id = "<" + iri + ">";
                OpenDataset dataset = opened.target();
                dataset.apply(TextBatch.of("H id " + id + " .", "A <urn:s> <urn:p> " + id + " ."),
                        new PositionUpdate(iri, null, id), ProgressListener.NONE);
                dataset.apply(TextBatch.of("H id " + id + " .", "D <urn:s> <urn:p> " + id + " ."),
                        new PositionUpdate("urn:k", before, id), ProgressListener.NONE);
                assertEquals(id, dataset.readPosition(iri));
                assertEquals(id, dataset.readPosition("urn:k"));
                before = id;
            }
            assertEquals(0, opened.dataset().size());
        }
    }

    @ParameterizedTest
    @EnumSource(value = TestDataset.class, names = {"MEMORY", "TDB2"})
    void aCaptureRecordsThem(TestDataset kind) throws IOException {
        SortedSet<String> all = statements();
        Path log = folder.resolve("log.jellyp");
        try (TestDataset.Opened opened = kind.open(folder)) {
            try (Capture capture = opened.dataset().startCapture(log, CaptureOptions.DEFAULT)) {
                opened.dataset().load(write("all.nq", all).toString());
            }
        }
        try (DatasetStore copy = DatasetStore.open("mem:")) {
            apply(copy, log);
            assertEquals(all, content(copy));
        }
    }

    // --- files

    @Test
    void aFileOfAnyFormatHoldsThem() throws IOException {
        SortedSet<String> all = statements();
        Path file = write("all.nq", all);
        assertValid(file);
        Path jelly = convert(file, "all.jelly");
        assertValid(jelly);
        assertEquals(all, lines(convert(jelly, "again.nq")));
        try (Difference difference = Difference.of(snapshot(write("none.nq", Set.of())), snapshot(jelly), BlankNodes.LABEL,
                new ProgressMeter())) {
            assertEquals(all.size(), difference.added());
        }
        Set<String> headers = IRIS.stream().map(iri -> "<" + iri + ">").collect(Collectors.toSet());
        Path text = patch("all.rdfp", "A", all);
        Files.write(text, headers.stream().flatMap(iri -> Stream.of("H k " + iri + " .", "PA \"x\" " + iri + " .")).toList(),
                StandardOpenOption.APPEND);
        assertValid(text);
        Path binary = convert(text, "all.jellyp");
        assertValid(binary);
        Path thrift = convert(binary, "all.trp");
        assertValid(thrift);
        List<String> rows = Files.readAllLines(text);
        assertEquals(rows, Files.readAllLines(convert(binary, "of-jelly.rdfp")));
        assertEquals(rows, Files.readAllLines(convert(thrift, "of-thrift.rdfp")));
    }

    private static Set<String> suffixes() {
        return DOCUMENTS.keySet();
    }

    @ParameterizedTest
    @MethodSource("suffixes")
    void aDocumentOfAnySyntaxHoldsThem(String suffix) throws IOException {
        for (String iri : IRIS) {
            int name = Math.max(iri.lastIndexOf(':'), iri.lastIndexOf('#')) + 1;
            Path file = Files.writeString(folder.resolve("a." + suffix), DOCUMENTS.get(suffix).replace("IRI", iri)
                    .replace("NAMESPACE", iri.substring(0, name)).replace("NAME", iri.substring(name)));
            assertValid(file);
            String triple = "<I> <I> <I>".replace("I", iri);
            Set<String> expected = suffix.equals("trig") ? Set.of(triple, triple + " <urn:g>") : Set.of(triple);
            assertEquals(expected, lines(convert(file, "a.nq")), suffix);
            try (DatasetStore store = DatasetStore.open("mem:")) {
                store.load(file.toString());
                assertEquals(expected, content(store));
                assertFalse(publish(store, file).changed());
            }
        }
    }

    // --- the position of a graph

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void asAGraphNoStoreHasOneOfJenas(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            for (String iri : GRAPHS) {
                Set<String> row = Set.of("<urn:s> <urn:p> <urn:o> <" + iri + ">");
                Path file = write("graph.nq", row);
                for (Path each : List.of(file, convert(file, "graph.jelly"))) {
                    assertTrue(assertThrows(RuntimeException.class, () -> dataset.load(each.toString())).getMessage()
                            .contains("the graph <" + iri + ">, which Jena keeps for itself"));
                    assertTrue(assertThrows(RuntimeException.class, () -> publish(dataset, each)).getMessage()
                            .contains("the graph <" + iri + ">, which Jena keeps for itself"));
                }
                assertEquals(0, dataset.size());
            }
        }
    }

    /** What a Fuseki exports itself has the graph, and what was made of that by any tool. */
    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void theExportOfAStoreIsLoadedPublishedAndComparedWithoutItsPositions(TestDataset kind) throws IOException {
        Path nquads = folder.resolve("export.nq");
        try (TestFuseki other = TestFuseki.stock(); OpenDataset filled = ServerLocation.of(other.url(), Map.of()).open(false)) {
            filled.apply(TextBatch.of("A <urn:s> <urn:p> \"1\" .", "A <urn:s> <urn:p> \"2\" <urn:g> ."),
                    new PositionUpdate("urn:k", null, "<urn:id:1>"), ProgressListener.NONE);
            try (OutputStream out = Files.newOutputStream(nquads)) {
                Txn.executeRead(other.dataset(), () -> RDFDataMgr.write(out, other.dataset(), Lang.NQUADS));
            }
        }
        assertTrue(Files.readString(nquads).contains("<urn:jellybridge:sync>"));
        Path trig = folder.resolve("export.trig");
        RDFDataMgr.write(Files.newOutputStream(trig), RDFDataMgr.loadDatasetGraph(nquads.toString()), Lang.TRIG);
        SortedSet<String> data = new TreeSet<>(Set.of("<urn:s> <urn:p> \"1\"", "<urn:s> <urn:p> \"2\" <urn:g>"));
        for (Path file : List.of(nquads, trig, convert(nquads, "export.jelly"))) {
            assertValid(file);
            long positions = Files.readAllLines(nquads).size() - 2;
            try (TestDataset.Opened opened = kind.open(folder.resolve(file.getFileName() + ".store"))) {
                OpenDataset dataset = opened.dataset();
                assertEquals(new LoadReport(data.size(), positions), dataset.load(file.toString()));
                assertEquals(data, content(dataset));
                Publication publication = publication(dataset, file, null);
                assertFalse(publication.publish(new FileLocation(folder.resolve("difference.jellyp").toString())).changed());
                assertEquals(positions, publication.positions());
                assertEquals(0, opened.positions().size(), "of what it was told, and of the export");
                // Where a file is the content of a graph, positions are none of it.
                Path one = Files.write(folder.resolve("one.nq"), List.of("<urn:s> <urn:p> \"2\" .",
                        "<urn:k> <urn:jellybridge:position> <urn:id:1> <urn:jellybridge:sync> ."));
                assertFalse(publication(dataset, one, "urn:g").publish(new FileLocation(folder.resolve("d.jellyp").toString())).changed());
                // And a file that has nothing else is an empty one.
                Path none = Files.write(folder.resolve("none.nq"),
                        List.of("<urn:k> <urn:jellybridge:position> <urn:id:1> <urn:jellybridge:sync> ."));
                assertTrue(assertThrows(IllegalStateException.class, () -> publish(dataset, none)).getMessage()
                        .contains("none.nq has no statement"));
            }
            try (Difference difference = Difference.of(snapshot(file), snapshot(nquads), BlankNodes.LABEL, new ProgressMeter())) {
                assertEquals(List.of(0L, 0L, 2 * positions),
                        List.of(difference.deleted(), difference.added(), difference.positions()));
            }
        }
    }

    /** As Jena has it in its own two forms of patches; Jelly-Patch names the default graph otherwise. */
    @Test
    void asAGraphOfAPatchJenasNamesAreTheDefaultGraphInJenasFormsAlone() throws IOException {
        for (String iri : GRAPHS.subList(0, 2)) {
            Path text = patch("graph.rdfp", "A", Set.of("<urn:s> <urn:p> <urn:o> <" + iri + ">"));
            for (Path file : List.of(text, convert(text, "graph.trp"), convert(text, "graph.jellyp"))) {
                assertEquals(List.of("A <urn:s> <urn:p> <urn:o> ."), Files.readAllLines(convert(file, "again.rdfp")));
                try (DatasetStore store = DatasetStore.open("mem:")) {
                    apply(store, file);
                    assertEquals(Set.of("<urn:s> <urn:p> <urn:o>"), content(store));
                }
            }
            // A difference between files keeps the names of their graphs, and does not make one graph of two.
            Path quads = write("graph.nq", Set.of("<urn:s> <urn:p> <urn:o> <" + iri + ">"));
            for (String format : List.of("rdfp", "trp")) {
                try (Difference difference = Difference.of(snapshot(write("none.nq", Set.of())), snapshot(quads),
                        BlankNodes.LABEL, new ProgressMeter())) {
                    FileLocation place = new FileLocation(folder.resolve("difference." + format).toString());
                    String refused = assertThrows(RuntimeException.class,
                            () -> new DifferenceFile(place, null, OPTIONS).write(difference)).getMessage();
                    assertTrue(refused.contains("a graph <" + iri + ">, which"), refused);
                }
            }
        }
    }

    // --- IRIs that begin as blank nodes do

    /** Of JSON-LD it is a blank node by the syntax itself. */
    private static List<String> documentsOfBlankNodes() {
        return List.of("ttl <I> <urn:p> <urn:o> .", "ttl <urn:s> <I> <urn:o> .", "ttl <urn:s> <urn:p> <I> .",
                "ttl @prefix x: <I> . <urn:s> <urn:p> x:a .", "ttl <urn:s> <urn:p> \"d\"^^<I> .",
                "ttl <urn:s> <urn:p> <<( <I> <urn:p> <I> )>> .", "trig <I> { <urn:s> <urn:p> <urn:o> }", "n3 <I> <urn:p> <urn:o> .",
                "rdf <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='I'>"
                        + "<p xmlns='urn:'/></rdf:Description></rdf:RDF>",
                "rdf <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='urn:s'>"
                        + "<p xmlns='urn:' rdf:resource='I'/></rdf:Description></rdf:RDF>",
                "rdf <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='urn:s'>"
                        + "<p xmlns='urn:' rdf:datatype='I'>d</p></rdf:Description></rdf:RDF>",
                "rj {\"urn:s\": {\"urn:p\": [{\"type\": \"uri\", \"value\": \"I\"}]}}",
                "rj {\"urn:s\": {\"I\": [{\"type\": \"uri\", \"value\": \"urn:o\"}]}}",
                "trix <TriX xmlns='http://www.w3.org/2004/03/trix/trix-1/'><graph><triple><uri>I</uri><uri>urn:p</uri>"
                        + "<uri>urn:o</uri></triple></graph></TriX>",
                "trix <TriX xmlns='http://www.w3.org/2004/03/trix/trix-1/'><graph><uri>I</uri><triple><uri>urn:s</uri>"
                        + "<uri>urn:p</uri><uri>urn:o</uri></triple></graph></TriX>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_:b", "_:", "_:b:c"})
    void anIriThatBeginsAsABlankNodeDoesIsNone(String iri) throws IOException {
        List<String> taken = new ArrayList<>();
        for (String row : statements(iri)) {
            tryAll(write("a.nq", Set.of(row)), row, taken);
        }
        tryAll(write("a.nq", Set.of("<urn:s> <urn:p> <urn:o> <" + iri + ">")), "as graph", taken);
        for (String document : documentsOfBlankNodes()) {
            String[] parts = document.split(" ", 2);
            tryAll(Files.writeString(folder.resolve("a." + parts[0]), parts[1].replace("<I>", "<" + iri + ">")
                    .replace("'I'", "'" + iri + "'").replace(">I<", ">" + iri + "<").replace("\"I\"", "\"" + iri + "\"")), document, taken);
        }
        assertEquals(List.of(), taken);
    }

    private void tryAll(Path file, String what, List<String> taken) {
        try {
            taken.add(what + " converts to " + lines(convert(file, "of.nq")));
        } catch (RuntimeException | IOException e) {
            assertTrue(e.getMessage().contains(file.getFileName().toString()), e.getMessage());
        }
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.load(file.toString());
            taken.add(what + " loads as " + content(store));
        } catch (RuntimeException | IOException e) {
            assertTrue(e.getMessage().contains(file.getFileName().toString()), e.getMessage());
        }
    }
}
