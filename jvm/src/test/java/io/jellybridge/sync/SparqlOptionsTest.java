package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.options.OptionDocuments;
import io.jellybridge.options.OptionTable;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SparqlOptionsTest {

    @Test
    void theDocumentHasTheOptions() throws IOException {
        OptionDocuments.assertHas("docs/sparql-stores.md", OptionTable.names(FusekiOptions.OPTIONS), SparqlOptions.TABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "sparql:http://h/update?query=http://h/query, sparql:http://h/update?query=http://h/query",
        "sparql:http://h:1/ds/update?query=query, sparql:http://h:1/ds/update?query=http://h:1/ds/query",
        "sparql:http://h/update?query=http%3A%2F%2Fh%2Fquery, sparql:http://h/update?query=http://h/query",
        "SPARQL:https://me:secret@h/sparql, sparql:https://h/sparql",
    })
    void aLocationHasBothAddresses(String location, String shown) {
        assertEquals(shown, ServerLocation.of(location, Map.of()).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "query, true", "/query, true", "http://h/query, true", "http://h:1/query, false", "//other/query, false",
        "https://h/query, false", "http://you:other@h/query, false",
    })
    void whoAsksForUpdatesAsksForQueriesOfTheSameServer(String queries, boolean goesAlong) {
        SparqlOptions options = SparqlOptions.of("sparql:http://me:secret@h/update?query=" + queries,
                Map.of("insecure", "true"));
        URI base = options.queries().base();
        boolean sameServer = options.updates().isSameServer(base);
        assertEquals(goesAlong, sameServer && options.updates().withBase(base).equals(options.queries()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sparql:", "sparql:/update", "sparql:http://me:secret@h/update?query=", "sparql:http://h/u?x=http://h/q",
        "sparql:ftp://me:secret@h/u", "sparql:me:secret@h/u", "sparql:http://h/u?query=ftp://me:secret@h/q"})
    void whatIsNoLocationIsRefusedWithoutItsPassword(String location) {
        String message = assertThrows(IllegalArgumentException.class, () -> ServerLocation.of(location, Map.of())).getMessage();
        assertFalse(message.contains("secret"), message);
    }
}
