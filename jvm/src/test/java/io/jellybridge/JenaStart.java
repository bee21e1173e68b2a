package io.jellybridge;

import org.apache.jena.sys.JenaSystem;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Starts Jena before the tests: classes that run side by side may otherwise deadlock in the initialization of Jena's classes. */
public final class JenaStart implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        JenaSystem.init();
    }
}
