package io.jellybridge.codec;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Another implementation of Jelly-RDF, {@code jelly-jena}. It registers itself in Jena for the same language as we do, so
 * it lives in a class loader of its own, with a Jena of its own; what passes between is bytes. Blank nodes keep their
 * labels on the way.
 */
public interface JellyPeer {
    /** The class path of the peer, which is not on that of the tests. */
    String CLASS_PATH = "jellybridge.peer";

    /**
     * Writes a stream.
     *
     * @param physicalType TRIPLES or QUADS, which keep the order of statements, or GRAPHS, which does not
     * @param frameRows    a frame ends when it holds this many rows
     * @param nquads       the statements
     */
    byte[] write(String physicalType, boolean delimited, int frameRows, byte[] nquads) throws IOException;

    /** Reads a stream; its statements as N-Quads, in their order. */
    byte[] read(byte[] stream) throws IOException;

    /** Loads the peer; a test that asks for it is skipped where its class path is not given. */
    static JellyPeer load() throws ReflectiveOperationException, IOException {
        String peer = System.getProperty(CLASS_PATH);
        assumeTrue(peer != null, "set the system property " + CLASS_PATH + " to the class path of jelly-jena");
        return (JellyPeer) new Loader(peer).loadClass("io.jellybridge.codec.JellyJenaPeer")
                .getDeclaredConstructor().newInstance();
    }

    /** Has the peer, the jars of the tests, and the class that speaks to the peer; none of our own classes but this. */
    final class Loader extends URLClassLoader {

        private Loader(String peer) throws IOException {
            super(urls(peer), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] urls(String peer) throws IOException {
            List<URL> urls = new ArrayList<>();
            for (String entry : (peer + File.pathSeparator + System.getProperty("java.class.path"))
                    .split(File.pathSeparator)) {
                if (entry.endsWith(".jar")) {
                    urls.add(Path.of(entry).toUri().toURL());
                }
            }
            urls.add(JellyPeer.class.getProtectionDomain().getCodeSource().getLocation());
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(JellyPeer.class.getName()) ? JellyPeer.class : super.loadClass(name, resolve);
        }
    }
}
