package io.jellybridge.http;

import java.io.IOException;
import java.net.URI;

/** A request to a server failed. The message names the address, without credentials, and what is known. */
public class HttpException extends IOException {
    private static final long serialVersionUID = 1L;

    private final URI uri;
    private final int status;

    /** @param status of the answer; 0 when there was none, or none that was whole */
    public HttpException(URI uri, int status, String message, Throwable cause) {
        super(Redaction.printable(uri + ": " + message), cause);
        this.uri = uri;
        this.status = status;
    }

    public URI uri() {
        return uri;
    }

    /** The status of the answer; 0 when there was none, or none that was whole. */
    public int status() {
        return status;
    }
}
