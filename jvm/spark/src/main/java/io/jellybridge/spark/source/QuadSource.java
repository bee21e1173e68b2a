package io.jellybridge.spark.source;

import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;

/** Where quads are read from. */
public interface QuadSource {

    /** What plans and errors call it, without credentials. */
    String name();

    /** The folder below which quads wait for the tasks that read them, in Hadoop's form. */
    String stagingDir();

    /** Opens the dataset, which must be there, for some work. */
    void open(Work work) throws IOException;

    /** What is done with a dataset. */
    @FunctionalInterface
    interface Work {
        void on(OpenDataset dataset) throws IOException;
    }
}
