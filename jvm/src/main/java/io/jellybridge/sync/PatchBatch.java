package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;

/**
 * One or more patches that are applied together, as one transaction. They can be read more than once: to check them, to
 * apply them, to send them again; each reading hands over the same events.
 */
public interface PatchBatch {

    /**
     * Reads the patches from the first; the caller closes the source.
     *
     * @throws IOException they can't be read
     */
    <T> PatchSource<T> open(TermFactory<T> terms) throws IOException;
}
