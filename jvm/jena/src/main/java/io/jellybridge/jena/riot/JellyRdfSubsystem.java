package io.jellybridge.jena.riot;

import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sys.JenaSubsystemLifecycle;

/** Registers {@link JellyRdfLang} when Jena starts; Jena finds it by the service file in our jar. */
public final class JellyRdfSubsystem implements JenaSubsystemLifecycle {
    /** After RIOT and after {@code jelly-jena}, which is at 501 and would overwrite. */
    private static final int LEVEL = 510;

    /** For Jena. */
    public JellyRdfSubsystem() {
    }

    @Override
    public void start() {
        requireTripleTerms(NodeFactory.class);
        JellyRdfLang.register();
    }

    /**
     * Refuses a Jena that is too old for us: else the first triple term would be what finds out.
     *
     * @throws IllegalStateException the factory of nodes can't make triple terms; the message names the jar that it is in
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
