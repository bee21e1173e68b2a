package io.jellybridge.log;

import java.io.IOException;

/**
 * A kind of {@link LogStore}, which {@link PatchLogs} finds as a service. The core itself only knows the file systems of the
 * JDK.
 */
public interface LogStores {

    /**
     * Returns the store at an address, which is a URL.
     *
     * @return null if the address is of another kind
     * @throws IllegalArgumentException no log can be stored there; the message says why
     */
    LogStore at(String address) throws IOException;
}
