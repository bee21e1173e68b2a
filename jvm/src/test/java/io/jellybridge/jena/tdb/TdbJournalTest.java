package io.jellybridge.jena.tdb;

import static io.jellybridge.jena.TestPatches.content;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.tdb.TdbDirectory.TdbJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.apache.jena.dboe.transaction.txn.ComponentId;
import org.apache.jena.dboe.transaction.txn.TransactionCoordinator;
import org.apache.jena.dboe.transaction.txn.TransactionalComponentLifecycle;
import org.apache.jena.dboe.transaction.txn.TxnId;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.tdb2.sys.TDBInternal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases as a kill leaves them: copies that are made of one in the midst of a commit. */
class TdbJournalTest {
    private static final String JOURNAL = "journal.jrnl";

    @TempDir
    Path folder;

    /** The states of the indexes before the commit. */
    private Path states;
    /** The database after the entry that commits was written, when some indexes have moved on and others have not. */
    private Path killed;
    private Path storage;
    private byte[] journal;
    private SortedSet<String> old;
    private SortedSet<String> committed;

    @BeforeEach
    void copyInMidCommit() throws IOException {
        states = Files.createDirectory(folder.resolve("states"));
        killed = folder.resolve("killed");
        storage = Files.createDirectories(killed.resolve("Data-0001"));
        Path place = folder.resolve("store");
        try (DatasetStore store = DatasetStore.open("tdb2:" + place)) {
            store.update("INSERT DATA { <urn:s> <urn:p> 'x' . GRAPH <urn:g> { <urn:s> <urn:p> 'x' } }");
            old = content(store);
            TransactionCoordinator coordinator = TDBInternal.getTransactionCoordinator(store.dataset());
            coordinator.modifyConfig(() -> coordinator.addExternal(new Copying(place.resolve("Data-0001"))));
            store.update("DELETE WHERE { ?s ?p ?o } ; INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> 'y' } }");
            committed = content(store);
        }
        journal = Files.readAllBytes(storage.resolve(JOURNAL));
    }

    @Full("kills processes that write a database")
    @Test
    void whatWasCommittedIsThereAndNothingElse() throws IOException {
        for (int length = 0; length < journal.length; length += 9) {
            assertEquals(old, openedWith(length), "the journal up to byte " + length);
        }
        assertEquals(old, openedWith(journal.length - 1));
        assertEquals(committed, openedWith(journal.length));
    }

    /** What is in the database that was killed when its journal was written so far, and no index had moved on. */
    private SortedSet<String> openedWith(int length) throws IOException {
        copy(states, storage, ".*");
        Files.write(storage.resolve(JOURNAL), Arrays.copyOf(journal, length));
        return opened();
    }

    private SortedSet<String> opened() throws IOException {
        try (DatasetStore store = DatasetStore.open("tdb2:" + killed)) {
            return content(store);
        }
    }

    @Test
    void aCommitThatWasUnderWayInTheIndexesIsEnded() throws IOException {
        assertEquals(committed, opened());
    }

    @Test
    void aTornEntryIsCutOffAndNoMore() throws IOException {
        Path file = folder.resolve("cut.jrnl");
        Files.write(file, journal);
        assertFalse(TdbJournal.isTorn(file));
        // The last entry, which commits, is a head of 16 bytes without data.
        Files.write(file, Arrays.copyOf(journal, journal.length - 1));
        assertTrue(TdbJournal.isTorn(file));
        TdbJournal.cutTornEntry(file);
        assertEquals(journal.length - 16, Files.size(file));
        assertFalse(TdbJournal.isTorn(file));
    }

    @Test
    void aJournalThatIsDamagedOtherwiseIsLeftAsItIs() throws IOException {
        byte[] damaged = journal.clone();
        damaged[0] = Byte.MIN_VALUE;
        Files.write(storage.resolve(JOURNAL), damaged);
        assertThrows(RuntimeException.class, this::opened);
        assertArrayEquals(damaged, Files.readAllBytes(storage.resolve(JOURNAL)));
    }

    private static void copy(Path from, Path to, String names) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(file -> file.getFileName().toString().matches(names)).toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Takes part in the transactions of a database, only to copy its files. */
    private final class Copying extends TransactionalComponentLifecycle<Object> {
        private final Path original;

        Copying(Path original) {
            super(ComponentId.create(null, new byte[] {1, 2, 3, 4}));
            this.original = original;
        }

        private void copyTo(Path to, String names) {
            try {
                copy(original, to, names);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected ByteBuffer _commitPrepare(TxnId id, Object state) {
            copyTo(states, ".*\\.(bpt|bdf)");
            return null;
        }

        @Override
        protected void _commit(TxnId id, Object state) {
            if (isWriteTxn()) {
                copyTo(storage, ".*\\.(bpt|bdf|dat|idn|obj|jrnl)");
            }
        }

        @Override
        protected Object _begin(ReadWrite mode, TxnId id) {
            return this;
        }

        @Override
        protected Object _promote(TxnId id, Object state) {
            return this;
        }

        @Override
        protected void _commitEnd(TxnId id, Object state) {
            // copied already
        }

        @Override
        protected void _abort(TxnId id, Object state) {
            // nothing to undo
        }

        @Override
        protected void _complete(TxnId id, Object state) {
            // nothing to end
        }

        @Override
        protected void _shutdown() {
            // nothing to close
        }

        @Override
        public void startRecovery() {
            // writes nothing that could be recovered
        }

        @Override
        public void recover(ByteBuffer data) {
            throw new AssertionError("it wrote nothing");
        }

        @Override
        public void finishRecovery() {
            // as above
        }

        @Override
        public void cleanStart() {
            // as above
        }
    }
}
