package io.jellybridge.log;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * Opens and creates logs by their address.
 *
 * <ul>
 *  <li>{@code http://…} and {@code https://…}: a log that a Fuseki with jellybridge serves, or another web server to be read
 *  <li>{@code grpc://…} and {@code grpcs://…}: a log that {@code jellybridge serve} serves
 *  <li>other URLs with two slashes, such as {@code hdfs://host/FOLDER} and {@code s3a://bucket/FOLDER}: a log in a {@link LogStore}
 *  <li>everything else: a folder, as a path or a {@code file:} URL
 * </ul>
 *
 * <p>A log on a server has the options of {@link HttpOptions}.
 */
public final class PatchLogs {
    private static final String FILE = "file:";
    private static final String ADDRESS = "address of a patch log";

    private PatchLogs() {
    }

    /** Opens a log without options, see {@link #open(String, Map)}. */
    public static PatchLog open(String address) throws IOException {
        return open(address, Map.of());
    }

    /**
     * Opens a log. If it does not exist, this or its first use throws an error.
     *
     * @throws IllegalArgumentException the address can't be a log, or an option is unknown or invalid
     */
    public static PatchLog open(String address, Map<String, String> options) throws IOException {
        if (isRemote(address)) {
            return open(address, serverOptions(address, options));
        }
        HttpOptions.requireNone(address, options);
        return StoreLog.open(store(address));
    }

    /**
     * Opens a log with parsed options, see {@link #open(String, Map)}.
     *
     * @param server the result of {@link #serverOptions}; null if the log is a folder
     */
    public static PatchLog open(String address, HttpOptions server) throws IOException {
        if (server == null) {
            return open(address, Map.of());
        }
        return HttpOptions.isGrpc(address) ? new GrpcLog(server) : StoreLog.open(new HttpStore(server));
    }

    /** Creates a log without options, see {@link #create(String, Map)}. */
    public static PatchLog create(String address) throws IOException {
        return create(address, Map.of());
    }

    /**
     * Creates a log.
     *
     * @throws java.nio.file.FileAlreadyExistsException there is one
     * @throws IllegalArgumentException                 the address can't be a log, or an option is unknown or invalid
     */
    public static PatchLog create(String address, Map<String, String> options) throws IOException {
        if (!isRemote(address)) {
            HttpOptions.requireNone(address, options);
            return StoreLog.create(store(address));
        }
        HttpOptions server = serverOptions(address, options);
        if (HttpOptions.isGrpc(address)) {
            throw new IllegalArgumentException(
                    server.base() + ": a log that is served over gRPC is made where its folder is");
        }
        return StoreLog.create(new HttpStore(server));
    }

    /**
     * Returns the folder of a log.
     *
     * @throws IllegalArgumentException the address is not a folder
     */
    public static Path folderOf(String address) {
        if (isRemote(address) || !isFolder(address)) {
            throw new IllegalArgumentException(Redaction.redactAddress(address) + " is on "
                    + (isRemote(address) ? "a server" : "another file system") + "; do this where its folder is");
        }
        return pathOf(address);
    }

    /** Returns true if an address is a log on a server. */
    public static boolean isRemote(String address) {
        return address.startsWith("http:") || address.startsWith("https:")
                || address.startsWith("grpc:") || address.startsWith("grpcs:");
    }

    /**
     * Parses the options of a log on a server.
     *
     * @throws IllegalArgumentException the address can't be a log, or an option is unknown or invalid
     */
    public static HttpOptions serverOptions(String address, Map<String, String> options) {
        if (HttpOptions.isGrpc(address)) {
            return HttpOptions.ofGrpc(address, options, ADDRESS);
        }
        if (!HttpOptions.isUrl(address)) {
            throw noAddressError(address);
        }
        return HttpOptions.of(address, options, ADDRESS);
    }

    private static boolean isFolder(String address) {
        return address.startsWith(FILE) || !address.contains("://");
    }

    /** Returns the address with which another process finds the same log: a relative path becomes absolute. */
    public static String absoluteAddress(String address) {
        return isFolder(address) && !isRemote(address) ? pathOf(address).toAbsolutePath().toString() : address;
    }

    private static Path pathOf(String address) {
        if (!address.startsWith(FILE)) {
            return Path.of(address);
        }
        try {
            URI uri = new URI(address);
            if (uri.getPath() != null && uri.getRawAuthority() == null) {
                return Path.of(uri.getPath());
            }
        } catch (URISyntaxException e) {
            // Rejected below, like a URL without a path.
        }
        throw noAddressError(address);
    }

    /** Returns the store of a log without options, see {@link #store(String, HttpOptions)}. */
    public static LogStore store(String address) throws IOException {
        return store(address, null);
    }

    /**
     * Returns the store of a log.
     *
     * @param server the result of {@link #serverOptions}; null if the log is on no server, or for no options
     * @throws IllegalArgumentException no log can be stored there, or it is served over gRPC
     */
    public static LogStore store(String address, HttpOptions server) throws IOException {
        if (HttpOptions.isUrl(address)) {
            return new HttpStore(server != null ? server : serverOptions(address, Map.of()));
        }
        if (isRemote(address)) {
            throw new IllegalArgumentException(Redaction.redactAddress(address) + " is on a server; do this where its folder is");
        }
        if (isFolder(address)) {
            return new FolderStore(pathOf(address));
        }
        for (LogStores stores : ServiceLoader.load(LogStores.class, PatchLogs.class.getClassLoader())) {
            try {
                LogStore store = stores.at(address);
                if (store != null) {
                    return store;
                }
            } catch (NoClassDefFoundError e) {
                throw new IllegalArgumentException(Redaction.redactAddress(address) + " is on one of Hadoop's file systems, whose "
                        + "classes come with Spark, and are not here; start a Spark session first", e);
            }
        }
        throw noAddressError(address);
    }

    private static IllegalArgumentException noAddressError(String address) {
        return new IllegalArgumentException("'" + Redaction.redactWithQuery(address)
                + "' is no address of a patch log; give a folder, or write file:///FOLDER, hdfs://host/FOLDER, s3a://bucket/FOLDER, "
                + "http://host:3030/$/patch-logs/NAME or grpc://host:7878/NAME");
    }
}
