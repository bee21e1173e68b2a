package io.jellybridge.spark.sink;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.options.OptionDocuments;
import io.jellybridge.options.OptionTable;
import io.jellybridge.sync.ServerLocation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JenaSinkOptionsTest {

    /** Those of a server are the same everywhere, and in a document of their own. */
    @Test
    void theDocumentsHaveTheOptionsOfTheSink() throws IOException {
        OptionDocuments.assertHas("docs/spark-jena.md", OptionTable.names(ServerLocation.OPTIONS), JenaSinkOptions.TABLE);
    }

    @Test
    void optionsOfFilesAreUnknown() {
        for (String name : List.of("txn.appId", "maxFilesPerTrigger", "fs.s3a.endpoint")) {
            String message = assertThrows(IllegalArgumentException.class,
                    () -> JenaSinkOptions.of(Map.of("target", "tdb2:x", name, "x"))).getMessage();
            assertTrue(message.startsWith("unknown option '" + name + "' of jena"), message);
        }
        JenaSinkOptions.TABLE.parseValues(Map.of("target", "tdb2:x", "checkpointlocation", "x"));
    }
}
