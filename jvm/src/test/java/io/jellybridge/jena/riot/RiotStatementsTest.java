package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

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
}
