package io.jellybridge.http;

import java.net.URI;

/**
 * A server could not be reached, gave no whole answer in time, or is too busy (408, 429, 502, 503, 504): nothing is wrong
 * with the request, and it may be made again later.
 */
public final class UnreachableException extends HttpException {
    private static final long serialVersionUID = 1L;

    /** @param status of the answer; 0 when there was none, or none that was whole */
    public UnreachableException(URI uri, int status, String message, Throwable cause) {
        super(uri, status, message, cause);
    }
}
