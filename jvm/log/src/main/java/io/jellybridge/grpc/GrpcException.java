package io.jellybridge.grpc;

import io.jellybridge.http.Redaction;
import java.io.IOException;
import java.net.URI;

/** A server of gRPC refused a call. The message names the address, the status and what the server said. */
public final class GrpcException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String status;

    GrpcException(URI uri, String status, String said) {
        super(Redaction.printable(uri + ": answered " + status + (said.isEmpty() ? "" : ": " + said)));
        this.status = status;
    }

    /** Whether the status is this one, as {@code NOT_FOUND}. */
    public boolean is(String name) {
        return status.equals(name);
    }
}
