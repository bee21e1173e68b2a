package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.IllegalTermException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RiotStatementsTest {

    @Test
    void memoryThatIsFullIsAnErrorOfTheDocumentInWhicheverThreadItIsFound() throws IOException {
        byte[] document = "<urn:a> <urn:b> <urn:c> .".getBytes(UTF_8);
        RdfHandler<byte[]> handler = (subject, predicate, object, graph) -> {
            throw new OutOfMemoryError("Java heap space");
        };
        try (RiotStatements statements = new RiotStatements(new ByteArrayInputStream(document), RdfFile.of("large.ttl"),
                "large.ttl", new Utf8Terms())) {
            FormatException error = assertThrows(FormatException.class, () -> statements.next(handler));
            assertEquals("[Turtle] large.ttl: more than fits into the memory that there is; give Java more memory, or split the document",
                    error.getMessage());
        }
    }

    @Test
    void aPrefixThatTheTargetRefusesIsNoFaultOfTheDocument() {
        RiotReader reader = new RiotReader(RdfFile.of("a.ttl"), new DatasetTerms()::findProblem);
        StreamRDF target = new StreamRDFBase() {
            @Override
            public void prefix(String prefix, String iri) {
                throw new IllegalTermException("no prefix");
            }
        };
        ByteArrayInputStream document = new ByteArrayInputStream("@prefix a: <urn:a> .".getBytes(UTF_8));
        assertThrows(IllegalTermException.class, () -> reader.read(document, LabelToNode.createUseLabelAsGiven(), target));
    }

    /** The parser passes on a full batch while it reads a statement, a prefix or a warning. */
    @ParameterizedTest
    @ValueSource(strings = {"<urn:a> <urn:b> <urn:c> .", "@prefix a: <urn:a> .", "<urn:uuid:1> <urn:b> <urn:c> ."})
    void aCursorThatIsClosedEarlyEndsItsParser(String line) throws IOException {
        byte[] document = (line + "\n").repeat(20_000).getBytes(UTF_8);
        String name = "early" + line.hashCode() + ".ttl";
        Thread parser;
        try (RiotStatements statements = new RiotStatements(new ByteArrayInputStream(document), RdfFile.of(name), name, new Utf8Terms())) {
            assertTrue(statements.next((subject, predicate, object, graph) -> { }));
            parser = Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().contains(name)).findAny().orElseThrow();
            while (parser.isAlive() && parser.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        assertFalse(parser.isAlive());
    }
}
