package io.jellybridge.spark;

import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/** Opens the rows of files, in one format, on an executor. */
interface FileInput extends Serializable {

    /** Whether the parts of this file, which is not compressed, can be read each by itself. */
    default boolean splits(Path file) {
        return true;
    }

    /**
     * Opens a file, or a part of one.
     *
     * @param rows   takes the rows, and knows which columns are asked for
     * @param filter which rows are wanted, as Spark filters once more; null for all
     * @return null when no row of the file belongs to the part
     */
    FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter) throws IOException;
}
