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

    /**
     * Returns the error of a request of which it is not known whether it was served, since the server could not be asked
     * afterwards. That is no {@link UnreachableException} where the server refused to say, such as to someone who has lost a right
     * meanwhile.
     *
     * @param what  what it was to do, as a sentence
     * @param again what to do
     * @param first why it is not known
     * @param then  why it could not be asked
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

    /** The status of the answer; 0 when there was none, or none that was whole. */
    public int status() {
        return status;
    }
}
