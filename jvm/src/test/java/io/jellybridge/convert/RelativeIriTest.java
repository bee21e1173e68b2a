package io.jellybridge.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** IRIs that would come from where a file is. */
class RelativeIriTest {
    private static final String RDF = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'";
    private static final String TRIX = "<TriX xmlns='http://www.w3.org/2004/03/trix/trix-1/'><graph><triple>%s"
            + "<uri>http://e/p</uri><uri>http://e/o</uri></triple></graph></TriX>";
    private static final Map<String, String> DOCUMENTS = Map.ofEntries(
            Map.entry("subject.ttl", "<a> <http://e/p> 1 ."),
            Map.entry("document.ttl", "<> <http://e/p> 1 ."),
            Map.entry("prefix.ttl", "@prefix : <#> . :a <http://e/p> 1 ."),
            Map.entry("datatype.ttl", "<http://e/s> <http://e/p> \"1\"^^<d> ."),
            Map.entry("term.ttl", "<http://e/s> <http://e/p> <<( <http://e/s> <http://e/p> <../o> )>> ."),
            Map.entry("base.ttl", "@base <below/> . <a> <http://e/p> 1 ."),
            Map.entry("graph.trig", "<g> { <http://e/s> <http://e/p> 1 }"),
            Map.entry("object.n3", "<http://e/s> <http://e/p> <#o> ."),
            Map.entry("about.rdf", RDF + "><rdf:Description rdf:about=''><e:p>1</e:p></rdf:Description></rdf:RDF>"),
            Map.entry("id.rdf", RDF + "><rdf:Description rdf:ID='a'><e:p>1</e:p></rdf:Description></rdf:RDF>"),
            Map.entry("resource.rdf", RDF + "><e:C rdf:about='http://e/s'><e:p rdf:resource='o'/></e:C></rdf:RDF>"),
            Map.entry("id.jsonld", "{\"@id\": \"a\", \"http://e/p\": 1}"),
            Map.entry("vocabulary.jsonld", "{\"@context\": {\"@vocab\": \"#\"}, \"@id\": \"http://e/s\", \"p\": 1}"),
            Map.entry("uri.trix", TRIX.formatted("<uri>a</uri>")));
    @TempDir
    Path folder;

    private FileLocation place(String name, String text) throws IOException {
        return new FileLocation(Files.writeString(folder.resolve(name), text).toString());
    }

    private static ConvertOptions base() {
        return ConvertOptions.of(Map.of("base", "http://base/x"));
    }

    private static List<String> read(Snapshot snapshot) throws IOException {
        List<String> subjects = new ArrayList<>();
        snapshot.read((subject, predicate, object, graph) -> subjects.add(new String(subject)));
        return subjects;
    }

    private static FormatException refused(Snapshot snapshot) {
        return assertThrows(FormatException.class, () -> read(snapshot));
    }

    static List<String> documents() {
        return DOCUMENTS.keySet().stream().sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aSnapshotHasNoIriThatCameFromItsOwnPlace(String name) throws IOException {
        FileLocation place = place(name, DOCUMENTS.get(name));
        String message = refused(new SnapshotFile(place, null, ConvertOptions.strict(false), new ProgressMeter())).getMessage();
        assertTrue(message.contains(name) && message.endsWith("name a base, by base (--base) or in the document"), message);
        assertEquals(name.equals("resource.rdf") ? 2 : 1, read(new SnapshotFile(place, null, base(), new ProgressMeter())).size());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aConversionCountsThem(String name) throws IOException {
        ProgressMeter meter = new ProgressMeter();
        FileLocation out = new FileLocation(folder.resolve("out.nq").toString());
        FileLocation place = place(name, DOCUMENTS.get(name));
        new Conversion(List.of(place), null, out, null, ConvertOptions.strict(false), meter, null).run();
        assertEquals(1, meter.relative(), Files.readString(Path.of(out.path())));
        ProgressMeter based = new ProgressMeter();
        new Conversion(List.of(place), null, out, null, base(), based, null).run();
        assertEquals(0, based.relative());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "a.ttl|@base <http://b/> . <a> <http://e/p> 1 .",
        "a.trig|BASE <http://b/> <g> { <s> <http://e/p> 1 }",
        "a.n3|@base <http://b/> . <a> <http://e/p> 1 .",
        "a.jsonld|{\"@context\": {\"@base\": \"http://b/\"}, \"@id\": \"a\", \"http://e/p\": 1}",
    })
    void aBaseInTheDocumentMendsIt(String name, String text) throws IOException {
        assertTrue(read(new SnapshotFile(place(name, text), null, ConvertOptions.strict(false), new ProgressMeter())).get(0)
                .startsWith("<http://b/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://b/", "http://b/x#y"})
    void aBaseInXmlMendsIt(String base) throws IOException {
        String text = RDF + " xml:base='" + base + "'><rdf:Description rdf:ID='a'><e:p>1</e:p></rdf:Description></rdf:RDF>";
        assertTrue(read(new SnapshotFile(place("a.rdf", text), null, ConvertOptions.strict(false), new ProgressMeter())).get(0)
                .startsWith("<http://b/"));
    }
}
