package io.jellybridge.spark;

import io.jellybridge.files.Compression;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;

/**
 * The output of one format.
 *
 * @param suffix the suffix of file names with the dot, before that of the compression
 * @param order  the columns that sort the rows; rows with the same value in the first one belong to one file; empty if rows are
 *     independent
 * @param opener starts a file, on an executor
 */
record FileOutput(String suffix, Compression compression, List<String> order, Opener opener) implements Serializable {

    /** A function that starts a file. */
    @FunctionalInterface
    interface Opener extends Serializable {

        /**
         * Starts a file that was just created.
         *
         * @param out    the file, which the writer closes at its end
         * @param path   the file's name in errors
         * @param folder the file's final folder, for the places of rows
         */
        RowWriter open(OutputStream out, String path, OutputFolder folder);
    }
}
