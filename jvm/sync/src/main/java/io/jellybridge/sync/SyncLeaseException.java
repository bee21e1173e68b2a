package io.jellybridge.sync;

import java.io.IOException;

/** Another sync writes to the same Fuseki; nothing was applied by this one. */
public final class SyncLeaseException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String expires;

    /**
     * @param expires when, by the clock of the server; in canonical N-Triples; null: there is no lease, and none could be
     *                taken
     */
    SyncLeaseException(String dataset, String expires) {
        super(dataset + (expires == null
                ? ": no lease could be taken, and there is none: the server answers that all is well, and keeps nothing; may "
                + "it be changed, and are its updates and queries of one dataset?"
                : ": another sync is writing, and its lease ends at " + expires
                + "; wait for it, or until then if it died"));
        this.expires = expires;
    }

    /** When the other's lease ends, by the clock of the server: a literal in canonical N-Triples; null: there is none. */
    public String expires() {
        return expires;
    }
}
