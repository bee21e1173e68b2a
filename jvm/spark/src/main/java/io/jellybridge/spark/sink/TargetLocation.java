package io.jellybridge.spark.sink;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.spark.source.QuadSource.Work;
import io.jellybridge.sync.ServerLocation;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** The location of a dataset, with the options to connect to it. */
final class TargetLocation {
    private static final String TDB2 = "tdb2:";
    /** A lock for each folder that sinks of this process write to. */
    private static final ConcurrentMap<Path, ReentrantLock> TURNS = new ConcurrentHashMap<>();

    private final String directory;
    private ServerLocation server;

    /**
     * @param location {@code tdb2:DIR}, or the location of a server's dataset
     * @param options  connection options, see {@link ServerLocation#of}
     * @throws IllegalArgumentException the location can't be read or written, or an option is wrong
     */
    TargetLocation(String location, Map<String, String> options) {
        boolean isServer = ServerLocation.isOne(location);
        if (!isServer && !(location.startsWith(TDB2) && location.length() > TDB2.length())) {
            throw new IllegalArgumentException("the target '" + Redaction.address(location)
                    + "' is none that Spark reads or writes; set it to "
                    + "tdb2:DIR, a TDB2 database on the driver's disk, to the URL of a Fuseki's dataset, or to "
                    + "sparql:http://host/update?query=http://host/query");
        }
        if (!isServer && !options.isEmpty()) {
            throw new IllegalArgumentException("the target '" + location + "' is of no server, and has no options "
                    + String.join(", ", options.keySet()) + "; leave these out");
        }
        if (isServer) {
            HttpOptions.checkWithoutUser(location, "target");
        }
        directory = isServer ? null : location;
        server = isServer ? ServerLocation.of(location, options) : null;
    }

    /**
     * Opens the dataset for some work. A process can open a TDB2 database only once at a time, so this waits for other sinks of
     * this process.
     *
     * @throws InterruptedIOException interrupted while waiting
     */
    void open(Work work) throws IOException {
        if (server == null) {
            Path folder = folder();
            if (!Files.exists(folder)) {
                Files.createDirectories(folder);
            }
            inTurn(folder, () -> DatasetStore.open(directory), work);
            return;
        }
        try (OpenDataset dataset = server.dataset()) {
            server = server.withBreakLease(false); // later batches find a lease of our own
            work.on(dataset);
        }
    }

    /**
     * Opens an existing dataset for reading, see {@link #open}.
     *
     * @throws FileNotFoundException there is no such database; none was created
     */
    void openThere(Work work) throws IOException {
        if (server == null) {
            Path folder = folder();
            if (!Files.exists(folder)) {
                throw new FileNotFoundException("there is no TDB2 database in " + folder + " on the driver's disk");
            }
            inTurn(folder, () -> DatasetStore.openThere(directory), work);
        } else {
            open(work);
        }
    }

    private Path folder() {
        return Path.of(directory.substring(TDB2.length()));
    }

    /** A function that opens a database. */
    @FunctionalInterface
    private interface Opening {
        OpenDataset open() throws IOException;
    }

    private void inTurn(Path folder, Opening opening, Work work) throws IOException {
        ReentrantLock turn = TURNS.computeIfAbsent(folder.toRealPath(), path -> new ReentrantLock(true));
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while another query had " + directory);
        }
        try (OpenDataset dataset = opening.open()) {
            work.on(dataset);
        } finally {
            turn.unlock();
        }
    }

    /** Returns the location without credentials. */
    @Override
    public String toString() {
        return server == null ? directory : server.toString();
    }
}
