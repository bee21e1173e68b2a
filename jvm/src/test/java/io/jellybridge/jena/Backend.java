package io.jellybridge.jena;

import io.jellybridge.jena.dataset.DatasetStore;
import java.io.IOException;
import java.nio.file.Path;

/** The stores that every dataset test runs on. */
public enum Backend {
    MEMORY,
    TDB2;

    public DatasetStore open(Path folder) throws IOException {
        return DatasetStore.open(this == MEMORY ? "mem:" : "tdb2:" + folder.resolve("database"));
    }
}
