package io.jellybridge.fuseki;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.jena.fuseki.main.FusekiServer;

/** Starts Fuseki servers in this JVM that have patch logs. */
public final class LogServer {

    private LogServer() {
    }

    /** Starts a server whose logs are open to everybody. */
    public static FusekiServer open(Path folder) {
        return start(Map.of(LogServlets.FOLDER, folder.toString(), LogServlets.WRITERS, "_"), builder -> builder);
    }

    /** Starts a server; one at a time, since tests run beside others, and a server that is made reads the properties below. */
    public static synchronized FusekiServer start(FusekiServer.Builder builder) {
        return builder.build().start();
    }

    /** Starts a server, with what else it is to have, under system properties that hold while it is made. */
    public static FusekiServer start(Map<String, String> properties, UnaryOperator<FusekiServer.Builder> more) {
        return with(properties, () -> start(more.apply(FusekiServer.create().port(0).loopback(true))));
    }

    /** Runs what starts a server, one at a time, under system properties. */
    static synchronized FusekiServer with(Map<String, String> properties, Supplier<FusekiServer> starting) {
        Map<String, String> before = new HashMap<>();
        properties.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
        try {
            return starting.get();
        } finally {
            before.forEach((name, value) -> {
                if (value == null) {
                    System.clearProperty(name);
                } else {
                    System.setProperty(name, value);
                }
            });
        }
    }
}
