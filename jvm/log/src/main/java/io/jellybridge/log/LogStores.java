package io.jellybridge.log;

import java.io.IOException;

/** A kind of {@link LogStore}, which {@link PatchLogs} finds as a service: core knows no file system but the JDK's. */
public interface LogStores {

    /**
     * The store at an address, a URL.
     *
     * @return null: the address is of another kind
     * @throws IllegalArgumentException no log can be kept there, and why
     */
    LogStore at(String address) throws IOException;
}
