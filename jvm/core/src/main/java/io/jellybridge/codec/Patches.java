package io.jellybridge.codec;

import java.io.IOException;

/**
 * One or more patches that can be read more than once: to check them, to apply them, to send them again. Each reading hands
 * over the same events.
 */
public interface Patches {

    /**
     * Reads the patches from the first; the caller closes the source.
     *
     * @throws IOException they can't be read
     */
    <T> PatchSource<T> open(TermFactory<T> terms) throws IOException;
}
