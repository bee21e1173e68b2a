package io.jellybridge.jena;

import java.io.IOException;
import java.nio.file.Path;

/** The stores that every dataset test runs on. */
enum Backend {
    MEMORY,
    TDB2;

    DatasetStore open(Path folder) throws IOException {
        return DatasetStore.open(this == MEMORY ? "mem:" : "tdb2:" + folder.resolve("database"));
    }
}
