package io.jellybridge.jena;

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
        JellyRdfLang.register();
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
