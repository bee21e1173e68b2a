package io.jellybridge.http;

import java.net.URI;

/**
 * Thrown when a server could not be reached, sent no complete response in time, or is too busy (408, 429, 502, 503, 504). The
 * request itself is valid, and can be retried later.
 */
public final class UnreachableException extends HttpException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param status the status of the response; 0 if there was none or an incomplete one
     */
    public UnreachableException(URI uri, int status, String message, Throwable cause) {
        super(uri, status, message, cause);
    }
}
