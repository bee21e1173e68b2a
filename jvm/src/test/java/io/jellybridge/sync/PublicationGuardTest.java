package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.Snapshot;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits for statements of one kind. */
class PublicationGuardTest {
    private static final String LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>";

    /** A snapshot of labels of a number of things, in a graph. */
    private static Snapshot labels(int count, String text) {
        return new Snapshot() {
            @Override
            public String name() {
                return "labels";
            }

            @Override
            public void read(RdfHandler<byte[]> handler) {
                handler.namespace("ex".getBytes(UTF_8), "<urn:ex:>".getBytes(UTF_8));
                for (int i = 0; i < count; i++) {
                    handler.statement(("<urn:" + i + ">").getBytes(UTF_8), LABEL.getBytes(UTF_8), text.getBytes(UTF_8),
                            "<urn:ex:g>".getBytes(UTF_8));
                }
            }
        };
    }

    private static void check(String guard, int before, int after, String text) throws IOException {
        try (Difference difference = Difference.keepStatements(labels(before, "\"a\""), labels(after, text), BlankNodes.LABEL,
                new ProgressMeter())) {
            PublicationGuard.checkGuard(List.of(PublicationGuard.of(guard)), difference);
        }
    }

    @ParameterizedTest
    @CsvSource({"rdfs:label -1%, 100, 99, 98", "rdfs:label -5, 100, 95, 94", "graph ex:g -0, 100, 100, 99", "graph <urn:ex:g> -1%, 100, 99, 98",
        "rdfs:label +50%, 2, 3, 4", "rdfs:label +10, 1, 11, 12", "rdfs:label +0, 0, 0, 1", "rdfs:label +50%, 0, 0, 1",
        "<http://www.w3.org/2000/01/rdf-schema#label> -100%, 5, 0, -1"})
    void soMuchMayBeLostOrComeAndNotOneMore(String guard, int before, int last, int first) throws IOException {
        check(guard, before, last, "\"b\"");
        if (first >= 0) {
            String refused = assertThrows(IllegalStateException.class, () -> check(guard, before, first, "\"b\"")).getMessage();
            assertTrue(refused.startsWith("guard " + guard + ": there are " + before + " of these statements, and there would be " + first), refused);
        }
    }

    @Test
    void aKindMayBeAPredicateWithAnObject() throws IOException {
        check("rdfs:label ex:other -0", 10, 0, "\"a\"");
        check("skos:prefLabel -0", 10, 0, "\"a\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1%", "rdfs:label", "rdfs:label 5", "rdfs:label -101%", "rdfs:label -x", "a b c -1", "graph -1x"})
    void whatIsNoGuardIsRefused(String text) {
        String refused = assertThrows(IllegalArgumentException.class, () -> PublicationGuard.of(text)).getMessage();
        assertTrue(refused.contains("must be a predicate"), refused);
    }

    @Test
    void anUnknownPrefixIsRefused() {
        assertEquals("guard no:label -1: no:label has a prefix that neither the files nor the well-known vocabularies have; write the IRI in < >",
                assertThrows(IllegalArgumentException.class, () -> check("no:label -1", 1, 1, "\"a\"")).getMessage());
    }
}
