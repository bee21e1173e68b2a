package io.jellybridge.jena.nodes;

/** A term of a stream that Jena has no node for, or a node that RDF has no term for. */
public final class IllegalTermException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public IllegalTermException(String message) {
        super(message);
    }

    public IllegalTermException(String message, Throwable cause) {
        super(message, cause);
    }
}
