package io.jellybridge.spark.sink;

import io.jellybridge.options.OptionDocuments;
import io.jellybridge.options.OptionTable;
import io.jellybridge.sync.ServerLocation;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class JenaSinkOptionsTest {

    /** Those of a server are the same everywhere, and in a document of their own. */
    @Test
    void theDocumentsHaveTheOptionsOfTheSink() throws IOException {
        OptionDocuments.assertHas("docs/spark-jena.md", OptionTable.names(ServerLocation.OPTIONS), JenaSinkOptions.TABLE);
    }
}
