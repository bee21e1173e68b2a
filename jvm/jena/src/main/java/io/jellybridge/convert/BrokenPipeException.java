package io.jellybridge.convert;

import java.io.IOException;

/** Thrown when nobody reads standard output any more. */
public final class BrokenPipeException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenPipeException(IOException cause) {
        super("nobody reads standard output any more", cause);
    }
}
