package io.jellybridge.spark;

import io.jellybridge.codec.PatchHandler;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Makes files of changes, in one format, on an executor. */
interface ChangeTarget extends Serializable {

    /** How the files' names end, with the dot. */
    String extension();

    /** Creates a file, which is not there yet. */
    OutputStream create(Path path, Configuration hadoop) throws IOException;

    /**
     * Starts a file that was created.
     *
     * @param out  the file; ending the writer closes it
     * @param file what errors call it
     */
    Writer write(OutputStream out, String file);

    /**
     * A writer of changes.
     *
     * @param changes takes them
     * @param end     ends the file; a transaction that is open then is an error
     */
    record Writer(PatchHandler<byte[]> changes, Closeable end) {

        /** A writer that is both. */
        static <W extends PatchHandler<byte[]> & Closeable> Writer of(W writer) {
            return new Writer(writer, writer);
        }
    }
}
