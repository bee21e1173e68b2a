package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CanonicalQuadTest {

    private static CanonicalQuad quad(String subject, String object, String graph) {
        return new CanonicalQuad(utf8(subject), utf8("<urn:p>"), utf8(object), graph == null ? null : utf8(graph));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(CanonicalQuad quad) {
        return new String(quad.line(), UTF_8);
    }

    @Test
    void aLineHasTheGraphLastAndTheDefaultGraphIsNotNamed() {
        assertEquals("_:b <urn:p> \"é\"@fr <urn:g> .", text(quad("_:b", "\"é\"@fr", "<urn:g>")));
        assertEquals("_:b <urn:p> \"é\"@fr .", text(quad("_:b", "\"é\"@fr", null)));
    }

    /** Terms of which one is the start of another, with what may follow there; labels are whatever follows {@code _:}. */
    @Test
    void theOrderByLineIsThatOfTheBytesOfTheLines() {
        List<CanonicalQuad> quads = new ArrayList<>();
        for (String subject : new String[] {"_:b", "_:b1", "_:b\u0001", "_:b <urn:p> \"a\"", "<urn:s>", "<urn:é>"}) {
            for (String object : new String[] {"\"a\"", "\"a\"@en", "\"a\"^^<urn:d>", "_:b", "_:b1", "<urn:o>", "<urn:o\uD83D\uDE00>"}) {
                for (String graph : new String[] {null, "<urn:g>", "<urn:g1>", "_:g", "_:g1", "_:g\u0001"}) {
                    quads.add(quad(subject, object, graph));
                }
            }
        }
        Collections.shuffle(quads, new Random(7));
        List<String> byBytes = quads.stream().map(CanonicalQuad::line).sorted(Arrays::compareUnsigned)
                .map(line -> new String(line, UTF_8)).toList();
        quads.sort(CanonicalQuad.BY_LINE);
        assertEquals(byBytes, quads.stream().map(CanonicalQuadTest::text).toList());
    }

    @Test
    void byGraphTheDefaultGraphComesFirstAndBytesCountAsUnsigned() {
        CanonicalQuad last = quad("é", "o", "a");
        CanonicalQuad middle = quad("z", "o", "a");
        CanonicalQuad first = quad("é", "o", null);
        List<CanonicalQuad> quads = new ArrayList<>(List.of(last, middle, first));
        quads.sort(CanonicalQuad.BY_GRAPH);
        assertEquals(List.of(text(first), text(middle), text(last)), quads.stream().map(CanonicalQuadTest::text).toList());
    }

    /** Terms of which one is the start of another, in each position. */
    @Test
    void byGraphOneTermIsComparedAfterTheOther() {
        List<CanonicalQuad> quads = new ArrayList<>();
        String[] terms = {"a", "ab", "b", "\u00e9"};
        for (String subject : terms) {
            for (String object : terms) {
                for (String graph : new String[] {null, "a", "ab", "\u00e9"}) {
                    quads.add(quad(subject, object, graph));
                }
            }
        }
        List<String> right = quads.stream().sorted(Comparator
                .comparing((CanonicalQuad quad) -> quad.graph() == null ? new byte[0] : quad.graph(), Arrays::compareUnsigned)
                .thenComparing(CanonicalQuad::subject, Arrays::compareUnsigned)
                .thenComparing(CanonicalQuad::object, Arrays::compareUnsigned)).map(CanonicalQuadTest::text).toList();
        Collections.shuffle(quads, new Random(7));
        assertEquals(right, quads.stream().sorted(CanonicalQuad.BY_GRAPH).map(CanonicalQuadTest::text).toList());
    }

    @Test
    void whatIsKeptComesBack() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CanonicalQuad named = quad("<urn:s>", "\"o\"", "<urn:g>");
        CanonicalQuad unnamed = quad("<urn:s>", "\"o\"", null);
        DataOutputStream out = new DataOutputStream(bytes);
        CanonicalQuad.FORM.write(named, out);
        CanonicalQuad.FORM.write(unnamed, out);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        assertArrayEquals(named.line(), CanonicalQuad.FORM.read(in).line());
        assertArrayEquals(unnamed.line(), CanonicalQuad.FORM.read(in).line());
    }
}
