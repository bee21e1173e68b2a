package io.jellybridge.log;

import java.io.IOException;

/** Takes the patches that nobody can apply, so that a reader can go on behind them. */
@FunctionalInterface
public interface Quarantine {

    /**
     * Takes a patch.
     *
     * @param patch  which one; its bytes may be unreadable
     * @param reason what is wrong with it, and where
     */
    void put(LogEntry patch, RuntimeException reason) throws IOException;
}
