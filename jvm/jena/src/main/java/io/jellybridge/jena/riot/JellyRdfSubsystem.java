package io.jellybridge.jena.riot;

import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sys.JenaSubsystemLifecycle;

/** Registers {@link JellyRdfLang} when Jena starts. Jena finds this class by the service file in our jar. */
public final class JellyRdfSubsystem implements JenaSubsystemLifecycle {
    /**
     * The start level: after RIOT, and after {@code jelly-jena}, whose level is 501 and which would overwrite our registration.
     */
    private static final int LEVEL = 510;

    /** Creates the subsystem, for Jena. */
    public JellyRdfSubsystem() {
    }

    @Override
    public void start() {
        requireTripleTerms(NodeFactory.class);
        JellyRdfLang.register();
    }

    /**
     * Checks that Jena is not too old. Otherwise the first triple term would fail.
     *
     * @throws IllegalStateException the factory of nodes can't create triple terms; the message names its jar
     */
    static void requireTripleTerms(Class<?> factory) {
        try {
            factory.getMethod("createTripleTerm", Node.class, Node.class, Node.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("jellybridge needs Apache Jena 5.6 or newer, and the class path has an older one, in "
                    + factory.getProtectionDomain().getCodeSource().getLocation() + "; put a newer Jena in its place", e);
        }
    }

    @Override
    public void stop() {
        // RIOT's registries live as long as the JVM
    }

    @Override
    public int level() {
        return LEVEL;
    }
}
