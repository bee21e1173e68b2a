package io.jellybridge.fuseki;

import java.nio.file.Path;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.main.FusekiServer;
import org.eclipse.jetty.security.SecurityHandler;

/**
 * Patch logs in a Fuseki: where the system property {@value #FOLDER} names a folder, the logs in it are at {@value
 * #PATH}NAME, for those whom {@value #READERS} and {@value #WRITERS} name; see {@link LogAccess}, and {@link PageOrigins}. The server finds out who
 * asks, as it does for its datasets: by a password file, or by what else it is set up with.
 */
public final class LogEndpoint {
    /** Names the folder of the logs' folders. */
    public static final String FOLDER = "jellybridge.patch-logs";
    /** Names those who may read. */
    public static final String READERS = FOLDER + ".readers";
    /** Names those who may read, make logs and append to them. */
    public static final String WRITERS = FOLDER + ".writers";
    /** Names the sites whose pages in browsers may use them too. */
    public static final String ORIGINS = FOLDER + ".origins";
    /** Where the logs are, below the server's root. */
    public static final String PATH = "/$/patch-logs/";

    private final Path folder;
    private final LogAccess access;
    private final PageOrigins origins;

    private LogEndpoint(Path folder, LogAccess access, PageOrigins origins) {
        this.folder = folder;
        this.access = access;
        this.origins = origins;
    }

    /** As the properties say it; null where they name no folder. */
    static LogEndpoint ofProperties() {
        String folder = System.getProperty(FOLDER);
        return folder == null ? null
                : new LogEndpoint(Path.of(folder), LogAccess.of(System.getProperty(READERS), System.getProperty(WRITERS)),
                        PageOrigins.of(System.getProperty(ORIGINS)));
    }

    /** Adds the logs to a server in the making. */
    void addTo(FusekiServer.Builder server, BodyReceiver receiver) {
        server.addServlet(PATH + "*", new LogServlet(folder, access, origins, receiver));
    }

    /** Warns where only users that are known may do something, and the server itself asks nobody to log in. */
    void warnOfNoLogin(FusekiServer server) {
        if (!access.mayWrite(null) && server.getJettyServer().getDescendants(SecurityHandler.class).isEmpty()) {
            Fuseki.serverLog.warn("jellybridge: this server has no password file, so only users that something else makes "
                    + "known to it may {} the patch logs; name those who may, or _ for everybody, by -D{}=... and -D{}=...",
                    access.mayRead(null) ? "append to" : "use", READERS, WRITERS);
        }
    }
}
