package io.jellybridge.fuseki;

import java.nio.file.Path;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.main.FusekiServer;
import org.eclipse.jetty.ee10.servlet.security.ConstraintMapping;
import org.eclipse.jetty.ee10.servlet.security.ConstraintSecurityHandler;
import org.eclipse.jetty.security.Constraint;

/**
 * Patch logs in a Fuseki: where the system property {@value #FOLDER} names a folder, the logs in it are at {@value
 * #PATH}NAME, for those whom {@value #READERS} and {@value #WRITERS} name; see {@link LogAccess}. The server finds out who
 * asks, as it does for its datasets: by a password file, or by what else it is set up with.
 */
public final class LogEndpoint {
    /** Names the folder of the logs' folders. */
    public static final String FOLDER = "jellybridge.patch-logs";
    /** Names those who may read. */
    public static final String READERS = FOLDER + ".readers";
    /** Names those who may read, make logs and append to them. */
    public static final String WRITERS = FOLDER + ".writers";
    /** Where the logs are, below the server's root. */
    public static final String PATH = "/$/patch-logs/";

    private final Path folder;
    private final LogAccess access;

    private LogEndpoint(Path folder, LogAccess access) {
        this.folder = folder;
        this.access = access;
    }

    /** As the properties say it; null where they name no folder. */
    static LogEndpoint ofProperties() {
        String folder = System.getProperty(FOLDER);
        return folder == null ? null
                : new LogEndpoint(Path.of(folder), LogAccess.of(System.getProperty(READERS), System.getProperty(WRITERS)));
    }

    /** Adds the logs to a server in the making. */
    void addTo(FusekiServer.Builder server, BodyReceiver receiver) {
        server.addServlet(PATH + "*", new LogServlet(folder, access, receiver));
    }

    /** Makes a server that has a way to log in ask for it wherever an unknown user may not go on. */
    void protect(FusekiServer server) {
        boolean asks = false;
        for (ConstraintSecurityHandler security : server.getJettyServer().getDescendants(ConstraintSecurityHandler.class)) {
            asks = true;
            if (!access.mayRead(null)) {
                security.addConstraintMapping(loggedIn(null));
            } else if (!access.mayWrite(null)) {
                LogServlet.WRITING.forEach(method -> security.addConstraintMapping(loggedIn(method)));
            }
        }
        if (!asks && !access.mayWrite(null)) {
            Fuseki.serverLog.warn("jellybridge: this server has no password file, so only users that something else makes "
                    + "known to it may {} the patch logs; name those who may, or _ for everybody, by -D{}=... and -D{}=...",
                    access.mayRead(null) ? "append to" : "use", READERS, WRITERS);
        }
    }

    private static ConstraintMapping loggedIn(String method) {
        ConstraintMapping mapping = new ConstraintMapping();
        mapping.setPathSpec(PATH + "*");
        mapping.setConstraint(Constraint.ANY_USER);
        mapping.setMethod(method);
        return mapping;
    }
}
