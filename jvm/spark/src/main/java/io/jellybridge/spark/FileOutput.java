package io.jellybridge.spark;

import io.jellybridge.files.Compression;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;

/**
 * How files of rows are made, in one format.
 *
 * @param suffix how their names end, with the dot, before the suffix of the compression
 * @param order  the columns that the rows are sorted by, the first of which says which rows belong together in a file;
 *               empty: each row stands for itself
 * @param opener starts a file, on an executor
 */
record FileOutput(String suffix, Compression compression, List<String> order, Opener opener) implements Serializable {

    /** Starts files. */
    @FunctionalInterface
    interface Opener extends Serializable {

        /**
         * Starts a file that was created.
         *
         * @param out    the file; ending the writer closes it
         * @param path   what errors call it
         * @param folder where it will be, for the places of rows
         */
        RowWriter open(OutputStream out, String path, OutputFolder folder);
    }
}
