package io.jellybridge.spark.source;

import io.jellybridge.codec.Io;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;

/** A source of quads. */
public interface QuadSource {

    /** Returns the name in plans and errors, without credentials. */
    String name();

    /** Returns the parent folder for spooled quads, as a Hadoop path. */
    String stagingDir();

    /** Opens the existing dataset for some work. */
    void open(Io.Consumer<OpenDataset> work) throws IOException;
}
