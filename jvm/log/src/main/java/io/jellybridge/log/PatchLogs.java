package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Logs by their address: {@code http://…} and {@code https://…} is a log that a Fuseki with jellybridge serves, {@code
 * delta:http://host:1066/NAME} one of RDF Delta, and everything else a folder, as a path or a {@code file:} URL. A log on a
 * server has options, those of {@link HttpOptions}.
 */
public final class PatchLogs {
    private static final String DELTA = "delta:";
    private static final String FILE = "file:";

    private PatchLogs() {
    }

    /** {@link #open(String, Map)}, without options. */
    public static PatchLog open(String address) throws IOException {
        return open(address, Map.of());
    }

    /**
     * Opens a log; one that is not there shows in this or in the first use.
     *
     * @throws IllegalArgumentException the address is none of a log, or an option is not known or can't be
     */
    public static PatchLog open(String address, Map<String, String> options) throws IOException {
        return isRemote(address)
                ? open(address, server(address, options)) : FolderLog.open(folder(address, options));
    }

    /**
     * {@link #open(String, Map)}, with options that are known already.
     *
     * @param server of {@link #server}; null: the log is a folder
     */
    public static PatchLog open(String address, HttpOptions server) throws IOException {
        if (server == null) {
            return open(address, Map.of());
        }
        return address.startsWith(DELTA) ? new DeltaLog(server) : new HttpLog(server);
    }

    /** {@link #create(String, Map)}, without options. */
    public static PatchLog create(String address) throws IOException {
        return create(address, Map.of());
    }

    /**
     * Makes a new log.
     *
     * @throws java.nio.file.FileAlreadyExistsException there is one
     * @throws IllegalArgumentException                 the address is none of a log, or an option is not known or can't be
     */
    public static PatchLog create(String address, Map<String, String> options) throws IOException {
        if (!isRemote(address)) {
            return FolderLog.create(folder(address, options));
        }
        HttpOptions server = server(address, options);
        return address.startsWith(DELTA) ? DeltaLog.create(server, server.base().toString()) : HttpLog.create(server);
    }

    /** Whether an address is of a log on a server. */
    public static boolean isRemote(String address) {
        return address.startsWith(DELTA) || address.startsWith("http:") || address.startsWith("https:");
    }

    /**
     * The options of a log on a server.
     *
     * @throws IllegalArgumentException the address is none of a log, or an option is not known or can't be
     */
    public static HttpOptions server(String address, Map<String, String> options) {
        String url = address.startsWith(DELTA) ? address.substring(DELTA.length()) : address;
        if (!HttpOptions.isUrl(url)) {
            throw noAddress(address);
        }
        return HttpOptions.of(url, options, "address of a patch log");
    }

    // --- patches without ids

    /**
     * Adds the {@link LogEntry#hash} of every patch of a source to a list; false at the first that has an {@code id} or a
     * {@code prev}, by which a log would know it.
     */
    public static boolean hashes(PatchSource<byte[]> patches, List<String> hashes) throws IOException {
        for (PatchIntake patch = PatchIntake.next(patches); patch != null; patch = PatchIntake.next(patches)) {
            if (patch.header().id() != null || patch.header().prev() != null) {
                return false;
            }
            hashes.add(hash(patch));
        }
        return true;
    }

    /** Passes over a source's next patch. */
    public static void skip(PatchSource<byte[]> patches) throws IOException {
        hash(PatchIntake.next(patches));
    }

    private static String hash(PatchIntake patch) throws IOException {
        ContentHash content = new ContentHash();
        patch.copyTo(content, PatchIds.random(), null);
        return content.hash();
    }

    /** The longest part of these, from the first on, that a log ends with: the patches of the log. */
    public static List<LogHead> overlap(PatchLog log, List<String> hashes) throws IOException {
        long head = log.head().version();
        List<LogHead> last = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (LogEntries entries = log.fetch(Math.max(1, head - hashes.size() + 1), head)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                String hash = hashOf(entry);
                found.add(hash);
                last.add(hash == null ? null : new LogHead(entry.version(), entry.header().id()));
            }
        }
        int most = Math.min(found.size(), hashes.size());
        while (!hashes.subList(0, most).equals(found.subList(found.size() - most, found.size()))) {
            most--;
        }
        return last.subList(last.size() - most, last.size());
    }

    private static String hashOf(LogEntry entry) throws IOException {
        try {
            return entry.hash();
        } catch (RuntimeException e) {
            return null; // it can't be read, so it is none of these
        }
    }

    private static Path folder(String address, Map<String, String> options) {
        if (!options.isEmpty()) {
            throw new IllegalArgumentException(
                    Redaction.address(address) + " has no options; those of http://host:3030/$/patch-logs/NAME do");
        }
        if (!address.startsWith(FILE) && !address.contains("://")) {
            return Path.of(address);
        }
        try {
            URI uri = new URI(address);
            if (address.startsWith(FILE) && uri.getPath() != null && uri.getRawAuthority() == null) {
                return Path.of(uri.getPath());
            }
        } catch (URISyntaxException e) {
            // Refused below, as what lacks a path is.
        }
        throw noAddress(address);
    }

    private static IllegalArgumentException noAddress(String address) {
        return new IllegalArgumentException("'" + Redaction.address(address)
                + "' is no address of a patch log; give a folder, or write file:///FOLDER, "
                + "http://host:3030/$/patch-logs/NAME or delta:http://host:1066/NAME");
    }
}
