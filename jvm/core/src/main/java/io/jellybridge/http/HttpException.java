package io.jellybridge.http;

import java.io.IOException;
import java.net.URI;

/** Thrown when a request to a server failed. The message has the address, without credentials, and the known facts. */
public class HttpException extends IOException {
    private static final long serialVersionUID = 1L;

    private final URI uri;
    private final int status;

    /**
     * Creates an exception.
     *
     * @param status the status of the response; 0 if there was none or an incomplete one
     */
    public HttpException(URI uri, int status, String message, Throwable cause) {
        super(Redaction.toPrintable(uri + ": " + message), cause);
        this.uri = uri;
        this.status = status;
    }

    /**
     * Creates the exception for a request whose outcome is unknown, since the server could not be asked afterwards. It is no
     * {@link UnreachableException} if the server refused to say, for example since the user has lost a permission meanwhile.
     *
     * @param what  the task of the request, as a clause
     * @param again advice for the user
     * @param first the reason why the outcome is unknown
     * @param then  the reason why the server could not be asked
     */
    public static HttpException ofUnknown(URI uri, String what, String again, IOException first, IOException then) {
        boolean isRefused = then instanceof HttpException && !(then instanceof UnreachableException);
        String message = "it is not known whether " + what + ", since the server " + (isRefused
                ? "refused to say: " + then.getMessage() + "; then " + again + ": it is done once"
                : "could not be asked afterwards; " + again + " when it is there: it is done once");
        message += " (" + first.getMessage() + ")";
        HttpException unknown = isRefused ? new HttpException(uri, ((HttpException) then).status(), message, then)
                : new UnreachableException(uri, 0, message, then);
        unknown.addSuppressed(first);
        return unknown;
    }

    public URI uri() {
        return uri;
    }

    /** Returns the status of the response; 0 if there was none or an incomplete one. */
    public int status() {
        return status;
    }
}
