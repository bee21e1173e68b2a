package io.jellybridge.jena.nodes;

/** Thrown when Jena has no node for a term of a stream, or RDF has no term for a node. */
public final class IllegalTermException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public IllegalTermException(String message) {
        super(message);
    }

    public IllegalTermException(String message, Throwable cause) {
        super(message, cause);
    }
}
