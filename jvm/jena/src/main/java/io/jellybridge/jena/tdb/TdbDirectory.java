package io.jellybridge.jena.tdb;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.TdbTerms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.atlas.io.IO;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.base.Sys;
import org.apache.jena.dboe.DBOpEnvException;
import org.apache.jena.dboe.base.file.AlreadyLocked;
import org.apache.jena.dboe.base.file.Location;
import org.apache.jena.dboe.base.file.ProcessFileLock;
import org.apache.jena.dboe.sys.Names;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.tdb2.store.DatasetGraphSwitchable;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.DatabaseConnection;
import org.apache.jena.tdb2.sys.StoreConnection;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * A TDB2 database that can be opened and closed; Jena itself keeps it open and locked until the process ends. Only one process
 * at a time can open it, and only once at a time through this class. Readers may share it, see {@link #openToRead}. If the
 * process has opened it by other means (a Fuseki server), it is shared and left open.
 */
public final class TdbDirectory implements AutoCloseable {
    /**
     * The number of readers that share each open database. The map is also the lock, so that no reader joins a database that
     * closes.
     */
    private static final Map<Path, Integer> OPEN = new HashMap<>();
    private static final Pattern STORAGE = Pattern.compile("Data-\\d+");

    private final Path path;
    /** True if other code in this process has opened it, and will close it. */
    private final boolean shared;
    /** True if that is another object of this class. */
    private final boolean joined;
    private final DatasetGraph dataset;
    private boolean closed;

    private TdbDirectory(Path path, boolean shared, boolean joined, DatasetGraph dataset) {
        this.path = path;
        this.shared = shared;
        this.joined = joined;
        this.dataset = dataset;
    }

    /**
     * Opens the database, or creates one in an empty or missing folder.
     *
     * @throws IllegalStateException it is open already, here or in another process; the message says so
     * @throws IllegalArgumentException the folder contains something else
     * @throws IOException the folder can't be created or read
     */
    public static TdbDirectory open(Path folder) throws IOException {
        synchronized (OPEN) {
            return openAlone(folder);
        }
    }

    /**
     * Opens a database for reading, as {@link #open} does. A database that is open here is shared with its owner, who can't
     * close it until this one is closed.
     */
    public static TdbDirectory openToRead(Path folder) throws IOException {
        synchronized (OPEN) {
            Path path = folder.toRealPath();
            if (!OPEN.containsKey(path)) {
                return openAlone(folder);
            }
            TdbDirectory reader = new TdbDirectory(path, true, true, DatabaseMgr.connectDatasetGraph(locationOf(path)));
            OPEN.merge(path, 1, Integer::sum);
            return reader;
        }
    }

    private static TdbDirectory openAlone(Path folder) throws IOException {
        if (Files.isRegularFile(folder)) {
            throw new IOException(folder + " is a file; a TDB2 database needs a folder");
        }
        Files.createDirectories(folder);
        Path path = folder.toRealPath();
        List<Path> storages = listStorages(path);
        if (OPEN.putIfAbsent(path, 0) != null) {
            throw new IllegalStateException("the TDB2 database " + folder + " is open in this process already; "
                    + "close it first, or use the object that has it open");
        }
        try {
            boolean shared = storages.stream().anyMatch(storage -> StoreConnection.isSetup(locationOf(storage)));
            if (!shared) {
                repairStorage(path, storages);
            }
            return new TdbDirectory(path, shared, false, connect(locationOf(path)));
        } catch (AlreadyLocked e) {
            OPEN.remove(path);
            throw new IllegalStateException("the TDB2 database " + folder
                    + " could not be opened before in this process "
                    + "and is locked since; start a new process", e);
        } catch (DBOpEnvException | NegativeArraySizeException e) { // the latter for a lock that has no process id yet
            OPEN.remove(path);
            if (e.getCause() instanceof IOException cause) {
                throw new IOException("the TDB2 database " + folder + " can't be locked: " + cause.getMessage()
                        + "; mend that, and try again in a new process", e);
            }
            throw new IllegalStateException("the TDB2 database " + folder
                    + " is open in another process, and only one can "
                    + "have it at a time; close it there first" + (e instanceof DBOpEnvException
                    ? " (" + e.getMessage() + ")" : ""), e);
        } catch (IOException | RuntimeException | Error e) {
            OPEN.remove(path);
            throw e;
        }
    }

    /** Connects to a database. If that fails, the lock is released that Jena took first, which it keeps until the process ends. */
    private static DatasetGraph connect(Location database) {
        ProcessFileLock lock = DatabaseConnection.lockForLocation(database);
        boolean isHeld = lock.isLockedHere();
        try {
            return DatabaseMgr.connectDatasetGraph(database);
        } catch (RuntimeException | Error e) {
            if (!isHeld && lock.isLockedHere()) {
                lock.unlock();
                ProcessFileLock.release(lock);
            }
            throw e;
        }
    }

    /** Repairs a database whose writer was killed, so that Jena can open it, see {@link TdbJournal}. */
    private static void repairStorage(Path folder, List<Path> storages) throws IOException {
        for (Path storage : storages) {
            Path journal = storage.resolve(Names.journalFile);
            if (TdbJournal.isTorn(journal)) {
                // Under the lock, since the entry of another process that is still writing looks torn too.
                try (FileChannel file = FileChannel.open(folder.resolve(Names.TDB_LOCK_FILE), StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE); FileLock lock = file.tryLock()) {
                    if (lock != null) {
                        TdbJournal.cutTornEntry(journal);
                    }
                }
            }
        }
    }

    /** Returns the folders of the database's generations; none if it is new. */
    private static List<Path> listStorages(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> all = entries.toList();
            List<Path> storages = all.stream()
                    .filter(entry -> STORAGE.matcher(entry.getFileName().toString()).matches()).toList();
            boolean other = all.stream().anyMatch(entry -> !entry.getFileName().toString().equals("tdb.lock"));
            if (storages.isEmpty() && other) {
                throw new IllegalArgumentException("the folder " + folder + " is not empty and is no TDB2 database; "
                        + "give the folder of one, or an empty or new folder");
            }
            return storages;
        }
    }

    /**
     * Checks whether a folder has a database.
     *
     * @throws IllegalArgumentException it contains something else
     */
    public static boolean isThere(Path folder) throws IOException {
        return Files.isDirectory(folder) && !listStorages(folder).isEmpty();
    }

    private static Location locationOf(Path folder) {
        return Location.create(folder.toString());
    }

    public DatasetGraph dataset() {
        return dataset;
    }

    /** Returns the number of quads, which TDB2 counts without reading the terms. */
    public static long sizeOf(DatasetGraphTDB database) {
        return database.getTripleTable().getNodeTupleTable().size() + database.getQuadTable().getNodeTupleTable().size();
    }

    /** Fills the database with a bulk loader, see {@link TdbBulkLoad#load}. Returns empty if that is not possible. */
    public Optional<ApplyReport> load(Io.Supplier<PatchSource<Node>> patches, PatchApplier.Step step, long leastRows,
            ProgressListener listener) throws IOException {
        return mayLoad() ? TdbBulkLoad.load((DatasetGraphSwitchable) dataset, patches, step, leastRows, listener)
                : Optional.empty();
    }

    /** Checks whether {@link #load} would fill the database. This thread must have no transaction. */
    public boolean isLoadable() {
        return mayLoad() && TdbGeneration.isEmpty(dataset);
    }

    /** Returns false if the database is shared, and on Windows, which can't rename a folder with open files. */
    private boolean mayLoad() {
        return !shared && !Sys.isWindows && dataset instanceof DatasetGraphSwitchable;
    }

    /**
     * Rewrites the database as a new generation without what updates left behind, and deletes the generation before. This is Jena's
     * compaction, but where that would store other terms, see {@link TdbTerms#keep}. The process may be killed at any moment: the
     * database is then of the old generation, or of the new one beside the old.
     *
     * @return the bytes of the folder before and after
     * @throws IllegalStateException a transaction is running, or other code in this process has the database open; nothing was done
     * @throws IOException the disk failed; the database is unchanged
     */
    public long[] compact() throws IOException {
        synchronized (OPEN) {
            if (shared) {
                throw new IllegalStateException("the TDB2 database " + path + " is open elsewhere in this process; close it there first");
            }
            checkIdle();
        }
        DatasetGraphSwitchable database = (DatasetGraphSwitchable) dataset;
        Path before = storageOf(database);
        long bytes = sizeOf(path);
        try {
            if (hasAltered()) {
                replaceByCopy(database);
            } else {
                compactInRootLocale(database);
                AtomicFolder.forceAll(storageOf(database));
                AtomicFolder.force(path, StandardOpenOption.READ);
                IO.deleteAll(before);
            }
        } catch (RuntimeIOException e) {
            throw new IOException("the TDB2 database " + path + " can't be compacted: " + e.getMessage(), e);
        }
        return new long[] {bytes, sizeOf(path)};
    }

    private void replaceByCopy(DatasetGraphSwitchable database) throws IOException {
        if (Sys.isWindows) { // which can't rename a folder with open files
            throw new IllegalStateException("the TDB2 database " + path + " has terms that Jena's compaction would change, such as "
                    + "numbers of more than 56 bits; dump it, and load the dump into a new folder");
        }
        try (TdbGeneration copy = new TdbGeneration(database)) {
            copy.replaceByCopy();
        }
    }

    /** Compacts one database at a time, since Jena names the new generation in the digits of the JVM's locale, and can't open it then. */
    private static synchronized void compactInRootLocale(DatasetGraphSwitchable database) {
        Locale locale = Locale.getDefault(Locale.Category.FORMAT);
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        try {
            DatabaseMgr.compact(database, false);
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, locale);
        }
    }

    /** Returns true if the database has a term that Jena would write to the disk as another one. */
    private boolean hasAltered() {
        return Txn.calculateRead(dataset, () -> Iter.anyMatch(dataset.find(),
                quad -> TdbTerms.isAltered(quad.getSubject()) || TdbTerms.isAltered(quad.getObject())));
    }

    private static Path storageOf(DatasetGraphSwitchable database) {
        return Path.of(((DatasetGraphTDB) database.get()).getLocation().getDirectoryPath());
    }

    private static long sizeOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }

    /**
     * Closes the files and releases the lock.
     *
     * @throws IllegalStateException a transaction is running, or a reader shares the database; nothing was closed
     */
    @Override
    public void close() {
        synchronized (OPEN) {
            if (closed) {
                return;
            }
            if (joined) {
                OPEN.merge(path, -1, Integer::sum);
            } else {
                closeAlone();
            }
            closed = true;
        }
    }

    /**
     * Checks that nothing uses the database but this object.
     *
     * @throws IllegalStateException a transaction is running, or a reader shares the database
     */
    public void checkIdle() {
        synchronized (OPEN) {
            if (!closed && !joined && (OPEN.get(path) > 0
                    || !shared && TDBInternal.getTransactionCoordinator(dataset).countActive() > 0)) {
                throw new IllegalStateException("the TDB2 database " + path + " has transactions that are running; "
                        + "end them before it is closed or compacted");
            }
        }
    }

    private void closeAlone() {
        checkIdle();
        if (!shared) {
            DatasetGraphSwitchable database = (DatasetGraphSwitchable) dataset;
            // The lock of the whole is released last, so that no other process finds a generation that is still locked.
            TdbGeneration.disconnect(((DatasetGraphTDB) database.getWrapped()).getLocation());
            DatabaseConnection.internalExpel(database.getLocation(), false);
        }
        OPEN.remove(path);
    }

    /**
     * The journal of a TDB2 database. An entry has a head of 16 bytes (length of the data, checksum, type, component) and the
     * data. The entry that commits has no data, and the length -1. A process that is killed while it writes leaves the last
     * entry torn, and Jena then can't open the database ("Failed to read the journal entry data"). A torn entry belongs to an
     * uncommitted transaction, since the entry that commits comes last, so truncating it loses nothing.
     */
    static final class TdbJournal {
        private static final int HEAD_BYTES = 16;
        /** The length of an entry without data. */
        private static final int NO_DATA = -1;

        private TdbJournal() {
        }

        /** Checks whether the last entry is torn. */
        static boolean isTorn(Path journal) throws IOException {
            return Files.isRegularFile(journal) && Files.size(journal) > wholeBytes(journal);
        }

        /** Truncates a torn last entry. The caller holds the lock of the database. */
        static void cutTornEntry(Path journal) throws IOException {
            try (FileChannel file = FileChannel.open(journal, StandardOpenOption.WRITE)) {
                file.truncate(wholeBytes(journal));
                file.force(true);
            }
        }

        /** Returns the end of the last complete entry. */
        private static long wholeBytes(Path journal) throws IOException {
            try (FileChannel file = FileChannel.open(journal, StandardOpenOption.READ)) {
                ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
                long end = 0;
                while (end + HEAD_BYTES <= file.size()) {
                    head.clear();
                    if (file.read(head, end) < HEAD_BYTES) {
                        return end;
                    }
                    int length = head.getInt(0);
                    if (length < NO_DATA) {
                        return file.size(); // no kill causes this, so Jena reports it
                    }
                    long next = end + HEAD_BYTES + (length == NO_DATA ? 0 : length);
                    if (next > file.size()) {
                        return end;
                    }
                    end = next;
                }
                return end;
            }
        }
    }
}
