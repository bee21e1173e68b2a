package io.jellybridge.log;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.function.Function;

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
            return new DeltaLog(server(address, address.substring(DELTA.length())));
        }
        return isHttp(address) ? new HttpLog(server(address, address)) : FolderLog.open(folder(address));
    }

    /**
     * Makes a new log.
     *
     * @throws java.nio.file.FileAlreadyExistsException there is one
     * @throws IllegalArgumentException                 the address is none of a log
     */
    public static PatchLog create(String address) throws IOException {
        if (address.startsWith(DELTA)) {
            String url = server(address, address.substring(DELTA.length()));
            return DeltaLog.create(url, url);
        }
        return isHttp(address) ? HttpLog.create(server(address, address)) : FolderLog.create(folder(address));
    }

    private static boolean isHttp(String address) {
        return address.startsWith("http:") || address.startsWith("https:");
    }

    private static Path folder(String address) {
        return address.startsWith(FILE) ? Path.of(uri(address, address, URI::getPath).getPath()) : Path.of(address);
    }

    /** The URL of a server that an address has, or is. */
    private static String server(String address, String url) {
        return uri(address, url, URI::getRawAuthority).toString();
    }

    private static URI uri(String address, String text, Function<URI, String> needed) {
        try {
            URI uri = new URI(text);
            if (needed.apply(uri) != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Refused below, as what lacks a part is.
        }
        throw new IllegalArgumentException("'" + address + "' is no address of a patch log; give a folder, or write "
                + "file:///FOLDER, http://host:3030/$/patch-logs/NAME or delta:http://host:1066/NAME");
    }
}
