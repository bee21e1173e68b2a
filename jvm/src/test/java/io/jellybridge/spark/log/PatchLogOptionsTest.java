package io.jellybridge.spark.log;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.options.OptionDocuments;
import io.jellybridge.options.OptionTable;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PatchLogOptionsTest {

    /** Those of a server are the same everywhere, and in a document of their own; the path is the argument of load. */
    @Test
    void theDocumentsHaveTheOptionsOfTheSource() throws IOException {
        Set<String> without = new HashSet<>(OptionTable.names(HttpOptions.OPTIONS));
        without.add("path");
        OptionDocuments.assertHas("docs/log-in-spark.md", without, PatchLogOptions.TABLE);
    }
}
