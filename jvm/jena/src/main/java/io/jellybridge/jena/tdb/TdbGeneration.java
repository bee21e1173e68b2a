package io.jellybridge.jena.tdb;

import io.jellybridge.files.AtomicFolder;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.data.WriteTransaction;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.atlas.io.IO;
import org.apache.jena.base.Sys;
import org.apache.jena.dboe.base.file.Location;
import org.apache.jena.dboe.base.file.ProcessFileLock;
import org.apache.jena.dboe.sys.Names;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.store.DatasetGraphSwitchable;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.StoreConnection;

/**
 * A new generation of a TDB2 database, which replaces an empty one, or is its copy, atomically. The folder of a database holds
 * generations, {@code Data-0001} and so on, and the highest number counts. Like Jena's compaction, this class creates the next one
 * as {@code Data-0002-tmp}, and renames it when all of it is on the disk. Jena deletes such a temporary folder when it opens a
 * database, so the process may be killed at any moment: before the renaming the database is unchanged, after it is the new one. A
 * kill may then leave the old generation, which is never read again.
 */
final class TdbGeneration implements AutoCloseable {
    private static final String NAME = "Data-";
    private static final int COPIED_TOGETHER = 100_000;
    /** Jena's open generations; null where this Jena keeps them elsewhere. */
    private static final Map<?, ?> CONNECTIONS = findConnections();

    private final DatasetGraphSwitchable database;
    private final DatasetGraphTDB current;
    private final Path folder;
    private final Path temporary;
    private DatasetGraphTDB dataset;
    private boolean renamed;
    private boolean inPlace;

    /**
     * Creates an empty generation, beside that of the database.
     *
     * @throws IOException the folders can't be created
     */
    TdbGeneration(DatasetGraphSwitchable database) throws IOException {
        this.database = database;
        this.current = (DatasetGraphTDB) database.get();
        Path now = folderOf(current);
        int number = Integer.parseInt(now.getFileName().toString().substring(NAME.length()));
        this.folder = now.resolveSibling(String.format(Locale.ROOT, "%s%04d", NAME, number + 1));
        this.temporary = now.resolveSibling(folder.getFileName() + "-tmp");
        Files.createDirectory(temporary);
        try {
            copySettings(now, temporary);
            this.dataset = connectTo(temporary);
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Checks whether a database has neither quads nor prefixes. */
    static boolean isEmpty(DatasetGraph database) {
        database.begin(TxnType.READ);
        try {
            return !database.find().hasNext() && database.prefixes().isEmpty();
        } finally {
            database.end();
        }
    }

    /** Returns the new generation, to be filled. */
    DatasetGraphTDB dataset() {
        return dataset;
    }

    /**
     * Replaces the current generation, which is deleted. It waits for running transactions, including readers, and blocks new
     * ones, which then use this generation.
     *
     * @return false if other code has filled or replaced the database; this generation is then not in place
     * @throws IOException the disk failed; the database is unchanged
     * @throws RuntimeException Jena failed; the database is unchanged
     */
    boolean replaceEmpty() throws IOException {
        disconnect(locationOf(temporary));
        AtomicFolder.forceAll(temporary);
        database.startExclusiveMode();
        try {
            if (database.get() != current || !isEmpty(database)) {
                return false;
            }
            putInPlace();
        } finally {
            database.finishExclusiveMode();
        }
        deleteCurrent();
        return true;
    }

    /**
     * Replaces the current generation, which is deleted, by a copy of its content that has each term as it is. All others wait
     * meanwhile, readers too.
     *
     * @throws IOException the disk failed; the database is unchanged
     * @throws RuntimeException Jena failed; the database is unchanged
     */
    void replaceByCopy() throws IOException {
        database.startExclusiveMode();
        try {
            if (database.get() != current) {
                throw new IllegalStateException("other code has replaced the files of the database meanwhile; compact it again");
            }
            copyContent();
            disconnect(locationOf(temporary));
            AtomicFolder.forceAll(temporary);
            putInPlace();
        } finally {
            database.finishExclusiveMode();
        }
        deleteCurrent();
    }

    private void copyContent() {
        database.begin(TxnType.READ);
        try {
            Iterator<Quad> quads = database.find();
            do {
                try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
                    for (int i = 0; i < COPIED_TOGETHER && quads.hasNext(); i++) {
                        Quad quad = quads.next();
                        TdbTerms.keep(dataset, quad.getSubject());
                        TdbTerms.keep(dataset, quad.getObject());
                        dataset.add(quad);
                    }
                    database.prefixes().forEach(dataset.prefixes()::add);
                    transaction.commit();
                }
            } while (quads.hasNext());
        } finally {
            database.end();
        }
    }

    private void putInPlace() throws IOException {
        Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
        renamed = true;
        AtomicFolder.force(folder.getParent(), StandardOpenOption.READ);
        database.set(connectTo(folder));
        inPlace = true;
    }

    private void deleteCurrent() {
        // Waits for code that uses the generation directly, and blocks it for good, since nobody should use the generation any
        // more.
        current.getTxnSystem().getTxnMgr().startExclusiveMode();
        disconnect(current.getLocation());
        try {
            IO.deleteAll(folderOf(current));
        } catch (RuntimeIOException e) {
            // The rest is as harmless as after a kill.
        }
    }

    /** Deletes this generation, unless it is in place. */
    @Override
    public void close() {
        if (inPlace) {
            return;
        }
        try {
            if (dataset != null && dataset.isInTransaction()) {
                dataset.abort();
                dataset.end();
            }
        } finally {
            deleteFolder(temporary);
            if (renamed) {
                deleteFolder(folder);
            }
        }
    }

    private static void deleteFolder(Path folder) {
        // Which also unmaps the files, so that a full disk has their space again.
        StoreConnection.internalExpel(locationOf(folder), true);
        IO.deleteAll(folder);
    }

    /**
     * Closes the files of a generation and releases its lock, as {@link StoreConnection#release} does. That also collects the
     * whole heap, so that mapped files are unmapped at once, which takes seconds in a large JVM; here the next collection unmaps
     * them. Nothing may run in the generation.
     */
    static void disconnect(Location generation) {
        synchronized (StoreConnection.class) {
            // Windows can't delete or rename a file that is mapped.
            if (CONNECTIONS == null || Sys.isWindows || !StoreConnection.isSetup(generation)) {
                StoreConnection.internalExpel(generation, true);
                return;
            }
            StoreConnection connection = StoreConnection.connectExisting(generation);
            connection.getDatasetGraphTDB().shutdown();
            CONNECTIONS.remove(generation);
            connection.getLock().unlock();
            ProcessFileLock.release(connection.getLock());
        }
    }

    private static Map<?, ?> findConnections() {
        try {
            Field connections = StoreConnection.class.getDeclaredField("cache");
            connections.setAccessible(true);
            return (Map<?, ?>) connections.get(null);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    private DatasetGraphTDB connectTo(Path storage) {
        return StoreConnection.connectCreate(locationOf(storage), current.getStoreParams(), current.getReorderTransform())
                .getDatasetGraphTDB();
    }

    /** Copies the settings of a generation's layout and queries. */
    private static void copySettings(Path from, Path to) throws IOException {
        for (Path file : AtomicFolder.listFiles(from)) {
            String name = file.getFileName().toString();
            if (name.equals(Names.TDB_CONFIG_FILE) || name.endsWith(".opt")) {
                Files.copy(file, to.resolve(name));
            }
        }
    }

    private static Path folderOf(DatasetGraphTDB generation) {
        return Path.of(generation.getLocation().getDirectoryPath());
    }

    private static Location locationOf(Path folder) {
        return Location.create(folder.toString());
    }
}
