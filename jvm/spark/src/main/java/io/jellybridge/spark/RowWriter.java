package io.jellybridge.spark;

import io.jellybridge.codec.FormatException;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes the rows of one file, in the order in which they come. */
interface RowWriter {

    /**
     * @throws FormatException the row is none, is not in order, or the format does not allow it there; its {@code file} names
     *                         folder and row
     */
    void write(InternalRow row) throws IOException;

    /** Ends the file and closes it; as {@link #write}. Not called after a row was refused. */
    void end() throws IOException;
}
