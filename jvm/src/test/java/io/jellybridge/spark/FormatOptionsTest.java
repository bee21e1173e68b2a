package io.jellybridge.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.options.OptionDocuments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class FormatOptionsTest {

    @Test
    void aRelativeFolderForBadStatementsIsThatOfTheDriver() {
        assertEquals("file:" + Path.of("bad").toAbsolutePath(),
                FormatOptions.badStatements(FormatOptions.NQUADS.parseValues(Map.of("badStatements", "bad")), false, Configuration::new)
                        .folder());
    }

    @Test
    void theDocumentsHaveTheOptionsOfTheFileFormats() throws IOException {
        OptionDocuments.assertHas("docs/spark-options.md", Set.of(), FormatOptions.JELLY_PATCH, FormatOptions.JELLY_RDF,
                FormatOptions.RDF_PATCH, FormatOptions.NQUADS, FormatOptions.RDF);
    }
}
