package io.jellybridge.jena;

/** A term of a stream that Jena has no node for, or a node that RDF has no term for. */
final class IllegalTermException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    IllegalTermException(String message) {
        super(message);
    }

    IllegalTermException(String message, Throwable cause) {
        super(message, cause);
    }
}
