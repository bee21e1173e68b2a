package io.jellybridge.sync;

import java.io.IOException;

/** Thrown when another sync writes to the same Fuseki. This sync has applied nothing. */
public final class SyncLeaseException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String expires;

    /**
     * Creates the error.
     *
     * @param expires the end of the other lease by the clock of the server, in canonical N-Triples; null if there is no lease
     *                and none could be taken
     */
    SyncLeaseException(String dataset, String expires) {
        super(dataset + (expires == null
                ? ": no lease could be taken, and there is none: the server answers that all is well, and keeps nothing; may "
                + "it be changed, and are its updates and queries of one dataset?"
                : ": another sync is writing, and its lease ends at " + expires
                + "; wait for it, or until then if it died"));
        this.expires = expires;
    }

    /**
     * Returns the end of the other lease by the clock of the server, as a literal in canonical N-Triples; null if there is
     * none.
     */
    public String expires() {
        return expires;
    }
}
