package io.jellybridge.files;

import java.io.FilterInputStream;
import java.io.InputStream;

/** A stream whose {@link #close()} does nothing, so that it can be used after a reader has closed it. */
public final class CloseShieldInputStream extends FilterInputStream {

    public CloseShieldInputStream(InputStream in) {
        super(in);
    }

    @Override
    public void close() {
        // its owner closes it
    }
}
