package io.jellybridge.log;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * Logs by their address: {@code http://…} and {@code https://…} is a log that a Fuseki with jellybridge serves, {@code
 * delta:http://host:1066/NAME} one of RDF Delta, and everything else a folder, as a path or a {@code file:} URL.
 */
public final class PatchLogs {
    private static final String DELTA = "delta:";
    private static final String FILE = "file:";

    private PatchLogs() {
    }

    /**
     * Opens a log; one that is not there shows in this or in the first use.
     *
     * @throws IllegalArgumentException the address is none of a log
     */
    public static PatchLog open(String address) throws IOException {
        if (address.startsWith(DELTA)) {
            return new DeltaLog(address.substring(DELTA.length()));
        }
        return isHttp(address) ? new HttpLog(address) : FolderLog.open(folder(address));
    }

    /**
     * Makes a new log.
     *
     * @throws java.nio.file.FileAlreadyExistsException there is one
     * @throws IllegalArgumentException                 the address is none of a log
     */
    public static PatchLog create(String address) throws IOException {
        if (address.startsWith(DELTA)) {
            String url = address.substring(DELTA.length());
            return DeltaLog.create(url, url);
        }
        return isHttp(address) ? HttpLog.create(address) : FolderLog.create(folder(address));
    }

    private static boolean isHttp(String address) {
        return address.startsWith("http:") || address.startsWith("https:");
    }

    private static Path folder(String address) {
        return address.startsWith(FILE) ? Path.of(URI.create(address).getPath()) : Path.of(address);
    }
}
