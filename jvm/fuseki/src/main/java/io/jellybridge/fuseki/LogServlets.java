package io.jellybridge.fuseki;

import java.nio.file.Path;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.main.FusekiServer;
import org.eclipse.jetty.security.SecurityHandler;

/**
 * Serves patch logs in a Fuseki. If the system property {@value #FOLDER} names a folder, its logs are at {@value #PATH}NAME. The
 * log of a {@link LoggedDataset} has the name of its service. {@link StatusServlet} shows them.
 * {@value #READERS} and {@value #WRITERS} name the users, see {@link LogAccess}; for browsers, see {@link PageOrigins}. The
 * server authenticates users as for its datasets: by a password file, or by another mechanism that is configured.
 */
public final class LogServlets {
    /** The property for the folder that contains the logs' folders. */
    public static final String FOLDER = "jellybridge.patch-logs";
    /** The property for the users who may read. */
    public static final String READERS = FOLDER + ".readers";
    /** The property for the users who may read, create logs and append. */
    public static final String WRITERS = FOLDER + ".writers";
    /** The property for other sites whose pages may use the logs in a browser. */
    public static final String ORIGINS = FOLDER + ".origins";
    /** The path of the logs, below the server's root. */
    public static final String PATH = "/$/patch-logs/";

    private final Path folder;
    private final LogAccess access;
    private final PageOrigins origins;

    private LogServlets(Path folder, LogAccess access, PageOrigins origins) {
        this.folder = folder;
        this.access = access;
        this.origins = origins;
    }

    /**
     * Creates the endpoint from the system properties; null if they name no folder, and the server has no log.
     *
     * @param hasLogs true if datasets of the server are recorded or follow a log
     */
    static LogServlets ofProperties(boolean hasLogs) {
        Path folder = folderOfProperties();
        return folder == null && !hasLogs ? null
                : new LogServlets(folder, LogAccess.of(System.getProperty(READERS), System.getProperty(WRITERS)),
                        PageOrigins.of(System.getProperty(ORIGINS)));
    }

    /** Returns the folder that the system properties name, or null. */
    static Path folderOfProperties() {
        String folder = System.getProperty(FOLDER);
        return folder == null ? null : Path.of(folder);
    }

    /** Adds the logs to a server that is being built. */
    void addTo(FusekiServer.Builder server, BodyReceiver receiver) {
        server.addServlet(PATH + "*", new LogServlet(folder, access, origins, receiver));
        StatusServlet status = new StatusServlet(access, origins);
        server.addServlet(StatusServlet.PATH, status).addServlet(PATH, status).addServlet(StatusServlet.HEALTH, status);
    }

    /** Warns if only known users have a right, but the server itself authenticates nobody. */
    void warnOfNoLogin(FusekiServer server) {
        boolean isOpen = folder == null ? access.mayRead(null) : access.mayWrite(null);
        if (!isOpen && server.getJettyServer().getDescendants(SecurityHandler.class).isEmpty()) {
            Fuseki.serverLog.warn("jellybridge: this server has no password file, so only users that something else makes "
                    + "known to it may {} the patch logs; name those who may, or _ for everybody, by -D{}=... and -D{}=...",
                    access.mayRead(null) ? "append to" : "use", READERS, WRITERS);
        }
    }
}
