package io.jellybridge.log;

import java.io.IOException;

/** Receives patches that can't be applied, so that a reader can skip them. */
@FunctionalInterface
public interface Quarantine {

    /**
     * Receives a patch.
     *
     * @param patch  the patch; its bytes may be unreadable
     * @param reason the fault and its place
     */
    void put(LogEntry patch, RuntimeException reason) throws IOException;
}
