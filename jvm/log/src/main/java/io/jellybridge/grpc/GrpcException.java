package io.jellybridge.grpc;

import io.jellybridge.http.Redaction;
import java.io.IOException;
import java.net.URI;

/** Thrown when a gRPC server rejects a call. The message has the address, the status and the server's message. */
public final class GrpcException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String status;

    GrpcException(URI uri, String status, String said) {
        super(Redaction.toPrintable(uri + ": answered " + status + (said.isEmpty() ? "" : ": " + said)));
        this.status = status;
    }

    /** Returns true if the status has this name, such as {@code NOT_FOUND}. */
    public boolean is(String name) {
        return status.equals(name);
    }
}
