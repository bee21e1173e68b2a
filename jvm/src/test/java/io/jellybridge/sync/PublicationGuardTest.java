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
        return labels(count, text, LABEL, "ex", "<urn:ex:>");
    }

    private static Snapshot labels(int count, String text, String predicate, String prefix, String namespace) {
        return new Snapshot() {
            @Override
            public String name() {
                return "labels";
            }

            @Override
            public void read(RdfHandler<byte[]> handler) {
                handler.namespace(prefix.getBytes(UTF_8), namespace.getBytes(UTF_8));
                for (int i = 0; i < count; i++) {
                    handler.statement(("<urn:" + i + ">").getBytes(UTF_8), predicate.getBytes(UTF_8), text.getBytes(UTF_8),
                            "<urn:ex:g>".getBytes(UTF_8));
                }
            }
        };
    }

    private static void check(String guard, int before, int after, String text) throws IOException {
        check(guard, labels(before, "\"a\""), labels(after, text));
    }

    private static void check(String guard, Snapshot before, Snapshot after) throws IOException {
        try (Difference difference = Difference.keepStatements(before, after, BlankNodes.LABEL, new ProgressMeter())) {
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

    /** The namespace lacks its last character, or is another one than the dataset has. */
    @ParameterizedTest
    @CsvSource({"rdfs, <http://www.w3.org/2000/01/rdf-schema>", "ex, <https://example.org/>"})
    void aFileWithAnotherNamespaceForAPrefixDoesNotTurnAGuardOff(String prefix, String namespace) throws IOException {
        String predicate = namespace.replace(">", "label>");
        Snapshot wrong = labels(100, "\"a\"", predicate, prefix, namespace);
        Snapshot right = prefix.equals("ex") ? labels(100, "\"a\"", "<urn:ex:label>", "ex", "<urn:ex:>") : labels(100, "\"a\"");
        String guard = prefix + ":label -1%";
        String refused = assertThrows(IllegalStateException.class, () -> check(guard, right, wrong)).getMessage();
        assertTrue(refused.startsWith("guard " + guard + ": there are 100 of these statements, and there would be 0"), refused);
        check(guard, wrong, wrong);
    }

    @Test
    void anUnknownPrefixIsRefused() {
        assertEquals("guard no:label -1: no:label has a prefix that neither the files nor the well-known vocabularies have; write the IRI in < >",
                assertThrows(IllegalArgumentException.class, () -> check("no:label -1", 1, 1, "\"a\"")).getMessage());
    }
}
