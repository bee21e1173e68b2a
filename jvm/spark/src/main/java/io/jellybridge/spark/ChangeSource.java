package io.jellybridge.spark;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Opens files of changes, in one format, on an executor. */
interface ChangeSource extends Serializable {

    /** Whether the parts of a file that is not compressed can be read each by itself. */
    boolean splits();

    /**
     * Opens what belongs to a range of a file's bytes.
     *
     * @param start where the range starts; 0 where the format does not split
     * @param end   the offset after it; beyond the file's end when the file is read whole
     * @param terms makes the terms
     * @return null when nothing does
     */
    <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, TermFactory<T> terms)
            throws IOException;

    /** Opens a whole file. */
    default <T> PatchSource<T> open(Path path, Configuration hadoop, TermFactory<T> terms) throws IOException {
        return open(path, hadoop, 0, Long.MAX_VALUE, terms);
    }
}
