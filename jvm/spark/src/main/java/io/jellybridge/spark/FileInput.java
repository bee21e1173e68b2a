package io.jellybridge.spark;

import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/** Opens files of one format as rows, on an executor. */
interface FileInput extends Serializable {

    /** Returns whether this file can be split. Called for uncompressed files only. */
    default boolean splits(Path file) {
        return true;
    }

    /**
     * Opens a file or a split.
     *
     * @param rows   takes the rows, and knows the requested columns
     * @param filter the filter for rows, which Spark applies again; null for all rows
     * @return null if no row of the file belongs to the split
     */
    FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter) throws IOException;
}
