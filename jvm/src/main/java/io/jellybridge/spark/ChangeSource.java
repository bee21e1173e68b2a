package io.jellybridge.spark;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Opens files of changes, in one format, on an executor. */
interface ChangeSource extends Serializable {

    /** Opens a file. */
    InputStream open(Path path, Configuration hadoop) throws IOException;

    /**
     * Reads a file that was opened.
     *
     * @param in    the file; closing what this returns closes it
     * @param file  what errors call it
     * @param terms makes the terms
     */
    <T> PatchSource<T> read(InputStream in, String file, TermFactory<T> terms);
}
