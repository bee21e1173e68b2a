package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventLinesTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PatchHandler<byte[]> quads = EventLines.ofPatches(out, new Utf8Terms(), () -> true);
    private final PatchHandler<byte[]> triples = EventLines.ofPatches(out, new Utf8Terms(), () -> false);

    private static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }

    private String lines() {
        return out.toString(UTF_8);
    }

    private static void add(PatchHandler<byte[]> to, String object, String graph) {
        to.statement(Op.A, utf8("<urn:s>"), utf8("<urn:p>"), utf8(object), utf8(graph));
    }

    @Test
    void everyKindOfRowOfAPatchIsALine() {
        quads.header(utf8("id"), utf8("<urn:id>"));
        quads.transaction(Op.TX);
        quads.prefix(Op.PA, utf8("ex"), utf8("<urn:>"), null);
        quads.prefix(Op.PD, utf8(""), null, utf8("<urn:g>"));
        add(quads, "_:b", null);
        quads.statement(Op.D, utf8("<urn:s>"), utf8("<urn:p>"), utf8("\"x\""), utf8("_:g"));
        quads.transaction(Op.TC);
        quads.transaction(Op.TX);
        quads.transaction(Op.TA);
        quads.endPatch();
        assertEquals("""
                H "id" <urn:id>
                TX
                PA "ex" <urn:> DEFAULT
                PD "" - <urn:g>
                A <urn:s> <urn:p> _:b DEFAULT
                D <urn:s> <urn:p> "x" _:g
                TC
                TX
                TA
                ---
                """, lines());
    }

    @Test
    void aStreamOfTriplesHasNoGraph() {
        add(triples, "\"x\"", null);
        triples.prefix(Op.PD, utf8("ex"), null, null);
        assertEquals("A <urn:s> <urn:p> \"x\"\nPD \"ex\" -\n", lines());
    }

    @Test
    void statementsAndNamespacesAreTheLinesOfJellyRdf() {
        RdfHandler<byte[]> ofTriples = EventLines.ofRdf(out, new Utf8Terms(), () -> false);
        ofTriples.namespace(utf8("ex"), utf8("<urn:>"));
        ofTriples.statement(utf8("<urn:s>"), utf8("<urn:p>"), utf8("<urn:o>"), null);
        ofTriples.endFrame(Map.of());
        RdfHandler<byte[]> ofQuads = EventLines.ofRdf(out, new Utf8Terms(), () -> true);
        ofQuads.startGraph(null);
        ofQuads.statement(utf8("<urn:s>"), utf8("<urn:p>"), utf8("<urn:o>"), null);
        ofQuads.endGraph();
        assertEquals("NS \"ex\" <urn:>\nT <urn:s> <urn:p> <urn:o>\nQ <urn:s> <urn:p> <urn:o> DEFAULT\n", lines());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "\"a\\\\b\\\"c\\nd\\re\\tf\" | \"a\\\\b\\\"c\\nd\\re\\tf\"",
        "\"\\u00E9\\u0001\" | \"\u00E9\u0001\"",
        "\"x\"@EN-gb | \"x\"@en-gb",
        "\"x\"@ar--rtl | \"x\"@ar--rtl",
        "\"1\"^^<urn:int> | \"1\"^^<urn:int>",
        "\"1\"^^<http://www.w3.org/2001/XMLSchema#string> | \"1\"",
        "<<( <urn:a> <urn:b> _:c )>> | << <urn:a> <urn:b> _:c >>",
        "<urn:\\u0020x> | <urn:\\u0020x>",
    })
    void aTermIsWrittenOneWay(String term, String line) {
        add(triples, term, null);
        assertEquals("A <urn:s> <urn:p> " + line + "\n", lines());
    }

    @Test
    void aLabelThatHoldsALineFeedStaysOnItsLine() {
        add(triples, "_:a\nb", null);
        assertEquals("A <urn:s> <urn:p> _:a\\u000Ab\n", lines());
    }

    @Test
    void anEventWithoutSuchATermWritesNothing() {
        assertThrows(IllegalArgumentException.class, () -> add(triples, "?x", null));
        assertEquals("", lines());
        add(triples, "_:b", null);
        assertEquals("A <urn:s> <urn:p> _:b\n", lines());
    }
}
