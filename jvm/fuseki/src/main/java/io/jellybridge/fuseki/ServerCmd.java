package io.jellybridge.fuseki;

import java.util.ArrayList;
import java.util.List;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.fuseki.main.sys.FusekiModule;
import org.apache.jena.fuseki.main.sys.FusekiModules;
import org.apache.jena.fuseki.server.FusekiServerRunner;
import org.apache.jena.fuseki.system.FusekiLogging;

/**
 * Starts the Fuseki of {@code java -jar fuseki-server.jar}, with its web pages, its administration and our module. Jena 5 loads
 * no modules there. Jena 6 does, so its own command is enough.
 */
public final class ServerCmd {

    private ServerCmd() {
    }

    /** Starts the server, with the arguments of Fuseki's own command. */
    public static void main(String... arguments) {
        FusekiLogging.setLogging();
        build(arguments).start().join();
    }

    static FusekiServer build(String... arguments) {
        FusekiServer.Builder builder = FusekiServerRunner.builder(arguments);
        List<FusekiModule> modules = new ArrayList<>(builder.fusekiModules().asList());
        modules.add(new PatchModule());
        return builder.fusekiModules(FusekiModules.create(modules)).build();
    }
}
