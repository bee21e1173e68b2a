package io.jellybridge.spark;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Opens files of changes in one format, on an executor. */
interface ChangeSource extends Serializable {

    /** Returns whether an uncompressed file can be split. */
    boolean splits();

    /**
     * Opens a split of a file.
     *
     * @param start the first byte of the split; 0 if the format does not split
     * @param end   the offset after the split; larger than the file if the whole file is read
     * @param terms creates the terms
     * @return null if nothing belongs to the split
     */
    <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, TermFactory<T> terms)
            throws IOException;

    /** Opens a whole file. */
    default <T> PatchSource<T> open(Path path, Configuration hadoop, TermFactory<T> terms) throws IOException {
        return open(path, hadoop, 0, Long.MAX_VALUE, terms);
    }
}
