package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.riot.RdfFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that can't be read are set aside where that is asked for, and the others are read. */
class BadStatementsTest {
    private static final ConvertOptions OPTIONS = ConvertOptions.strict(false);
    private static final String LONG_TAG = "the language tag 'zh-classical', which is not well-formed";

    @TempDir
    Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private List<String> bad() throws IOException {
        return Files.readAllLines(folder.resolve("bad.nt"));
    }

    private BadStatementFile file(String limit) throws IOException {
        return new BadStatementFile(new FileLocation(folder.resolve("bad.nt").toString()), limit);
    }

    /** What is left of a file, as N-Quads. */
    private String converted(Path file, String limit) throws IOException {
        Path to = folder.resolve("good.nq");
        try (BadStatementFile bad = file(limit)) {
            new Conversion(List.of(new FileLocation(file.toString())), null, new FileLocation(to.toString()), null, OPTIONS, new ProgressMeter(),
                    bad.statements()).run();
            bad.commit();
        }
        return Files.readString(to);
    }

    private static final String LINES = """
            <urn:s> <urn:p> "a"@zh-classical .
            <urn:s> <urn:p> "b" .
            <urn:s> <urn:p> "c"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .
            <urn:s> <urn:p> <a b> .
            <urn:s> <urn:p> "no dot"
            """;

    @Test
    void ofLinesEachStandsAsItWasBehindItsPlaceAndReason() throws IOException {
        Path in = write("in.nt", LINES);
        assertEquals("<urn:s> <urn:p> \"b\" .\n", converted(in, null));
        List<String> bad = bad();
        assertEquals(8, bad.size());
        assertTrue(bad.get(0).startsWith("# [N-Triples] " + in + ", line 1, column 24 (byte 23): " + LONG_TAG + "; "), bad.get(0));
        assertEquals(LINES.lines().filter(line -> !line.contains("\"b\"")).toList(),
                bad.stream().filter(line -> !line.startsWith("#")).toList());
        assertTrue(bad.get(6).contains("line 5, column 25 (byte ") && bad.get(6).contains("the end where the statement should end"),
                bad.get(6));
    }

    /** Whether the output can hold a statement is no fault of the statement. */
    @ParameterizedTest
    @ValueSource(strings = {"statementType=GRAPHS", "datatypeTableSize=0", "frameRows=1", "delimited=false"})
    void optionsOfTheOutputMakeNoStatementBad(String option) throws IOException {
        String lines = "<urn:s> <urn:p> \"1\"^^<urn:t> <urn:g> .\n<urn:s> <urn:p> <urn:o> .\n";
        Path jelly = folder.resolve("in.jelly");
        new Conversion(List.of(new FileLocation(write("in.nq", lines).toString())), null, new FileLocation(jelly.toString()), null, OPTIONS,
                new ProgressMeter(), null).run();
        Path to = folder.resolve("good.nq");
        String[] pair = option.split("=");
        try (BadStatementFile bad = file(null)) {
            new Conversion(List.of(new FileLocation(jelly.toString())), null, new FileLocation(to.toString()), null,
                    ConvertOptions.of(Map.of(pair[0], pair[1])), new ProgressMeter(), bad.statements()).run();
            assertEquals(0, bad.statements().count());
        }
        assertEquals(lines, Files.readString(to));
    }

    @Test
    void whatIsMendedThereIsAnInput() throws IOException {
        converted(write("in.nt", LINES.lines().limit(2).reduce("", (a, b) -> a + b + "\n")), null);
        Path mended = write("mended.nt", Files.readString(folder.resolve("bad.nt")).replace("@zh-classical", "@lzh"));
        assertEquals("<urn:s> <urn:p> \"a\"@lzh .\n", converted(mended, null));
        assertEquals(List.of(), bad());
    }

    private static final String TURTLE = """
            <urn:s> <urn:p> "a"@zh-classical, "b" ;
                <urn:q> <a b> , [ <urn:r> "c"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> ] .
            """;

    @Test
    void ofADocumentTheStatementIsWritten() throws IOException {
        String good = converted(write("in.ttl", TURTLE), null);
        assertTrue(good.matches("<urn:s> <urn:p> \"b\" .\n<urn:s> <urn:q> _:\\S+ .\n"), good);
        List<String> bad = bad();
        assertEquals(6, bad.size());
        assertTrue(bad.get(0).contains("line 1, column 17: a statement has as object, " + LONG_TAG), bad.get(0));
        assertEquals("<urn:s> <urn:p> \"a\"@zh-classical .", bad.get(1));
        assertTrue(bad.get(2).contains("line 2, column 13: a statement has as object, the IRI <a\\u0020b> without a scheme"), bad.get(2));
        assertEquals("<urn:s> <urn:q> <a\\u0020b> .", bad.get(3));
    }

    @Test
    void ofABlankNodeTheLabelIsThatOfTheOutput() throws IOException {
        String good = converted(write("in.ttl", """
                <urn:s> <urn:p> _:t . _:t <urn:q> "x" ; <urn:r> <a:b c>, <<( _:t <urn:r> <a:b c> )>> .
                """), null);
        Path mended = write("mended.nt", Files.readString(folder.resolve("bad.nt")).replace("\\u0020", "%20"));
        String added = converted(mended, null);
        String node = good.substring(good.indexOf("_:"), good.indexOf(" .\n"));
        assertEquals("<urn:s> <urn:p> " + node + " .\n" + node + " <urn:q> \"x\" .\n", good);
        assertEquals(node + " <urn:r> <a:b%20c> .\n" + node + " <urn:r> <<( " + node + " <urn:r> <a:b%20c> )>> .\n", added);
    }

    @Test
    void anIriWithABadCharacterTakesItsStatementsAlone() throws IOException {
        assertEquals("<urn:s> <urn:p> \"1\" .\n<urn:s> <urn:p> \"3\" .\n", converted(write("in.trig", """
                <urn:s> <urn:p> "1", <a:b c>, "3" . <a:{s}> <urn:p> "4", "5" . <urn:s> <a:^> "6" . GRAPH <a:|> { <urn:s> <urn:p> "7", "8" }
                @prefix a: <a: > . a:s <urn:p> "9" .
                """), null));
        assertEquals(7, bad().stream().filter(line -> !line.startsWith("#")).count());
    }

    /** The parser reads an IRI before it makes the statement in front of it, and some IRIs are of no statement. */
    @Test
    void anIriWithABadCharacterTakesNoOtherStatement() throws IOException {
        assertEquals("<urn:s> <urn:p> <a:> .\n", converted(write("prefix.trig", """
                @prefix a: <a: > . <urn:s> <urn:p> <a:> . GRAPH <a:b c> { } @prefix b: <a: > .
                """), null));
        assertEquals(List.of(), bad());
        String list = converted(write("list.ttl", "<urn:s> <urn:p> ( <a:> <a:b c> <c:> ) ."), null);
        assertEquals(6, list.lines().count(), list);
        assertTrue(list.contains("#first> <a:> ."), list);
        List<String> bad = bad();
        assertEquals(2, bad.size());
        assertTrue(bad.get(1).endsWith("#first> <a:b\\u0020c> ."), bad.get(1));
    }

    @Test
    void aDocumentThatBreaksItsSyntaxStaysAnError() throws IOException {
        Path cut = write("in.ttl", "<urn:s> <urn:p> 1 . <urn:s> <urn:p> 2");
        assertThrows(FormatException.class, () -> converted(cut, null));
        assertFalse(Files.exists(folder.resolve("bad.nt")) || Files.exists(folder.resolve("good.nq")));
        Path page = write("page.nt", "<!DOCTYPE html>\n<p>no such file</p>\n");
        assertThrows(FormatException.class, () -> converted(page, null), "of something else, no line is right");
    }

    @Test
    void ofAJellyFileTheTermsAreHeldToTheSameRule() throws IOException {
        Path in = folder.resolve("in.jelly");
        try (OutputStream out = Files.newOutputStream(in); RdfWriter<byte[]> writer = new RdfWriter<>(out, null, new Utf8Terms(),
                RdfOptions.DEFAULT, WriteOptions.DEFAULT.withTerms(TermRules.ANY))) {
            for (String object : new String[] {"\"a\"@zh-classical", "\"b\"", "<rel>"}) {
                writer.statement("<urn:s>".getBytes(UTF_8), "<urn:p>".getBytes(UTF_8), object.getBytes(UTF_8), null);
            }
        }
        assertEquals("<urn:s> <urn:p> \"b\" .\n", converted(in, null));
        assertEquals("<urn:s> <urn:p> \"a\"@zh-classical .", bad().get(1));
        assertEquals("<urn:s> <urn:p> <rel> .", bad().get(3));
        assertTrue(bad().get(2).contains("in.jelly, frame 0, row "), bad().get(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nt", "ttl", "jelly"})
    void aDatasetLoadsTheOthers(String syntax) throws IOException {
        Path in = write("in." + (syntax.equals("jelly") ? "nt" : syntax), syntax.equals("ttl") ? TURTLE : LINES);
        int expected = syntax.equals("ttl") ? 2 : 1;
        if (syntax.equals("jelly")) {
            ofAJellyFileTheTermsAreHeldToTheSameRule();
            in = folder.resolve("in.jelly");
        }
        try (DatasetStore store = DatasetStore.open("mem:"); BadStatementFile bad = file(null)) {
            store.load(new RdfFile(in.toString(), in.toString(), null, null, false, bad.statements()));
            assertEquals(expected, store.size());
            assertEquals(syntax.equals("nt") ? 4 : syntax.equals("ttl") ? 3 : 2, bad.statements().count());
        }
    }

    @Test
    void moreThanAreAllowedAreAnErrorAndNothingIsWritten() throws IOException {
        Path in = write("in.nt", LINES);
        assertEquals("<urn:s> <urn:p> \"b\" .\n", converted(in, "80%"));
        converted(in, "4");
        Files.delete(folder.resolve("good.nq"));
        for (String limit : new String[] {"79.999999999%", "0.1%", "3", "0"}) {
            String message = assertThrows(IllegalStateException.class, () -> converted(in, limit)).getMessage();
            assertTrue(message.startsWith(in + ": ") && message.contains(" can't be read, and maxBad is " + limit + "; see them in "),
                    message);
            assertFalse(Files.exists(folder.resolve("good.nq")));
        }
        Path document = write("in.ttl", TURTLE);
        assertThrows(IllegalStateException.class, () -> converted(document, "2"));
        assertThrows(IllegalStateException.class, () -> converted(document, "50%"));
        try (DatasetStore store = DatasetStore.open("mem:"); BadStatementFile bad = file("10%")) {
            for (Path file : new Path[] {in, document}) {
                assertThrows(IllegalStateException.class, () ->
                        store.load(new RdfFile(file.toString(), file.toString(), null, null, false, bad.statements())));
                assertEquals(0, store.size());
            }
        }
        for (String no : new String[] {"", "-1", "101%", "1.5", "many"}) {
            assertThrows(IllegalArgumentException.class, () -> file(no), no);
        }
    }

    @Test
    void aFileThatIsReadTwiceIsCountedTwice() throws IOException {
        Path in = write("in.nt", LINES);
        try (BadStatementFile bad = file("80%")) {
            SnapshotFile old = new SnapshotFile(new FileLocation(in.toString()), null, OPTIONS, new ProgressMeter(), bad.statements());
            SnapshotFile next = new SnapshotFile(new FileLocation(in.toString()), null, OPTIONS, new ProgressMeter(), bad.statements());
            Difference.of(old, next, BlankNodes.LABEL, new ProgressMeter()).close();
            assertEquals(8, bad.statements().count());
        }
    }

    @Test
    void patchesHaveNone() throws IOException {
        Path patch = write("in.rdfp", "TX .\nTC .\n");
        String message;
        try (BadStatementFile bad = file(null)) {
            message = assertThrows(IllegalArgumentException.class, () -> new Conversion(List.of(new FileLocation(patch.toString())), null,
                    new FileLocation("out.jellyp"), null, OPTIONS, new ProgressMeter(), bad.statements())).getMessage();
        }
        assertTrue(message.contains("holds patches, and only bad statements of snapshots are set aside"), message);
    }
}
