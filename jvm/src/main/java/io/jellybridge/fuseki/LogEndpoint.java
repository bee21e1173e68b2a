package io.jellybridge.fuseki;

import java.nio.file.Path;
import org.apache.jena.fuseki.main.FusekiServer;

/**
 * Patch logs in a Fuseki: where the system property {@value #FOLDER} names a folder, the logs in it are at {@value
 * #PATH}NAME, beside Fuseki's own administration, whose access rules hold for them too.
 */
public final class LogEndpoint {
    /** Names the folder of the logs' folders. */
    public static final String FOLDER = "jellybridge.patch-logs";
    /** Where the logs are, below the server's root. */
    public static final String PATH = "/$/patch-logs/";

    private LogEndpoint() {
    }

    /** Adds the logs to a server in the making, if the property is set. */
    public static void addTo(FusekiServer.Builder server) {
        String folder = System.getProperty(FOLDER);
        if (folder != null) {
            server.addServlet(PATH + "*", new LogServlet(Path.of(folder)));
        }
    }
}
