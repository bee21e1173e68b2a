package io.jellybridge.codec;

import java.io.IOException;

/**
 * One or more patches that can be read repeatedly: to check them, to apply them, to send them again. Each reading returns the
 * same events.
 */
public interface Patches {

    /**
     * Opens the patches at the first event; the caller closes the source.
     *
     * @throws IOException they can't be read
     */
    <T> PatchSource<T> open(TermFactory<T> terms) throws IOException;
}
