package io.jellybridge.jena.tdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.atlas.io.IO;
import org.apache.jena.dboe.base.file.Location;
import org.apache.jena.dboe.sys.Names;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.tdb2.store.DatasetGraphSwitchable;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.StoreConnection;

/**
 * What comes into the place of an empty TDB2 database, whole or not at all. The folder of a database holds generations,
 * {@code Data-0001} and so on, and the one with the highest number counts. As Jena's own compaction does, this makes the
 * next one as {@code Data-0002-tmp} and, when all of it is on the disk, renames it. Jena deletes such a temporary folder
 * when it opens a database, so that a process may be killed at any moment: before the renaming the database is as it was,
 * after it the new one. What a kill then leaves of the old one is an empty generation, which nobody looks at again.
 */
final class TdbGeneration implements AutoCloseable {
    private static final String NAME = "Data-";

    private final DatasetGraphSwitchable database;
    private final DatasetGraphTDB current;
    private final Path folder;
    private final Path temporary;
    private DatasetGraphTDB dataset;
    private boolean renamed;
    private boolean inPlace;

    /**
     * Makes an empty one, beside that of the database.
     *
     * @throws IOException the folders can't be made
     */
    TdbGeneration(DatasetGraphSwitchable database) throws IOException {
        this.database = database;
        this.current = (DatasetGraphTDB) database.get();
        Path now = folder(current);
        int number = Integer.parseInt(now.getFileName().toString().substring(NAME.length()));
        this.folder = now.resolveSibling(String.format("%s%04d", NAME, number + 1));
        this.temporary = now.resolveSibling(folder.getFileName() + "-tmp");
        Files.createDirectory(temporary);
        try {
            copySettings(now, temporary);
            this.dataset = connect(temporary);
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Whether a database has neither quads nor prefixes. */
    static boolean isEmpty(DatasetGraph database) {
        database.begin(TxnType.READ);
        try {
            return !database.find().hasNext() && database.prefixes().isEmpty();
        } finally {
            database.end();
        }
    }

    /** The new generation, to be filled. */
    DatasetGraphTDB dataset() {
        return dataset;
    }

    /**
     * Puts this into the place of the generation that is there, which is deleted. Waits for the transactions that run on
     * that one, readers too, and holds up new ones meanwhile; then those see this one.
     *
     * @return whether it is in place; not when the database was filled, or moved on, by someone else
     * @throws IOException      the disk failed; the database is as it was
     * @throws RuntimeException Jena failed; likewise
     */
    boolean replaceEmpty() throws IOException {
        StoreConnection.internalExpel(location(temporary), true);
        forceAll(temporary);
        database.startExclusiveMode();
        try {
            if (database.get() != current || !isEmpty(database)) {
                return false;
            }
            Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
            renamed = true;
            force(folder.getParent(), StandardOpenOption.READ);
            database.set(connect(folder));
            inPlace = true;
        } finally {
            database.finishExclusiveMode();
        }
        deleteCurrent();
        return true;
    }

    private void deleteCurrent() {
        // Waits for who uses the generation itself, past the database; never undone, since nobody should from here on.
        current.getTxnSystem().getTxnMgr().startExclusiveMode();
        StoreConnection.release(current.getLocation());
        try {
            IO.deleteAll(folder(current));
        } catch (RuntimeIOException e) {
            // What is left is as harmless as after a kill.
        }
    }

    /** Deletes this, unless it is in place. */
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
            delete(temporary);
            if (renamed) {
                delete(folder);
            }
        }
    }

    private static void delete(Path folder) {
        StoreConnection.internalExpel(location(folder), true);
        IO.deleteAll(folder);
    }

    private DatasetGraphTDB connect(Path storage) {
        return StoreConnection.connectCreate(location(storage), current.getStoreParams(), current.getReorderTransform())
                .getDatasetGraphTDB();
    }

    /** Copies what says how a generation is laid out and queried. */
    private static void copySettings(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            String name = file.getFileName().toString();
            if (name.equals(Names.TDB_CONFIG_FILE) || name.endsWith(".opt")) {
                Files.copy(file, to.resolve(name));
            }
        }
    }

    /** Forces all that a folder holds to the disk. */
    private static void forceAll(Path folder) throws IOException {
        for (Path file : files(folder)) {
            force(file, StandardOpenOption.WRITE);
        }
        force(folder, StandardOpenOption.READ);
    }

    private static void force(Path path, OpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static Path folder(DatasetGraphTDB generation) {
        return Path.of(generation.getLocation().getDirectoryPath());
    }

    private static Location location(Path folder) {
        return Location.create(folder.toString());
    }
}
