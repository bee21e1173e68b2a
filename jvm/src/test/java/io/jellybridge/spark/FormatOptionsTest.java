package io.jellybridge.spark;

import io.jellybridge.options.OptionDocuments;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FormatOptionsTest {

    @Test
    void theDocumentsHaveTheOptionsOfTheFileFormats() throws IOException {
        OptionDocuments.assertHas("docs/spark-options.md", Set.of(), FormatOptions.JELLY_PATCH, FormatOptions.JELLY_RDF,
                FormatOptions.RDF_PATCH, FormatOptions.NQUADS, FormatOptions.RDF);
    }
}
