package io.jellybridge.sync;

import java.io.IOException;

/** Another sync writes to the same Fuseki; nothing was applied by this one. */
public final class SyncLeaseException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String expires;

    /** @param expires when, by the clock of the server; in canonical N-Triples */
    SyncLeaseException(String dataset, String expires) {
        super(dataset + ": another sync is writing, and its lease ends at " + expires
                + "; wait for it, or until then if it died");
        this.expires = expires;
    }

    /** When the other's lease ends, by the clock of the server: a literal in canonical N-Triples. */
    public String expires() {
        return expires;
    }
}
