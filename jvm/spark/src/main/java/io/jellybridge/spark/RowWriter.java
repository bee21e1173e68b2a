package io.jellybridge.spark;

import io.jellybridge.codec.FormatException;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes the rows of one file, in the order of the calls. */
interface RowWriter {

    /**
     * Writes a row.
     *
     * @throws FormatException the row is invalid, out of order, or not allowed at its place by the format; its {@code file}
     *     names the folder and the row
     */
    void write(InternalRow row) throws IOException;

    /** Ends and closes the file. Throws the errors of {@link #write}. Not called after a rejected row. */
    void end() throws IOException;
}
