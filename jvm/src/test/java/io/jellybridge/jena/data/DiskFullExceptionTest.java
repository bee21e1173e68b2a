package io.jellybridge.jena.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.jena.Backend;
import io.jellybridge.jena.dataset.DatasetStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.tdb2.TDBException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFullExceptionTest {
    private static final String NO_PAGE = "a fault occurred in a recent unsafe memory access operation in compiled Java code";
    private static final IOException NO_ROOM = new IOException("No space left on device");

    @TempDir
    Path folder;

    private static Throwable thrown(DatasetGraph dataset, Throwable by) {
        return assertThrows(Throwable.class, () -> DiskFullException.watch(dataset, () -> {
            if (by instanceof Error error) {
                throw error;
            } else if (by instanceof IOException failure) {
                throw failure;
            }
            throw (RuntimeException) by;
        }));
    }

    @Test
    void aFullDiskOfATdb2DatabaseSaysWhereItIsAndWhatToDo() throws IOException {
        try (DatasetStore store = Backend.TDB2.open(folder)) {
            String start = "the TDB2 database in " + folder.toRealPath().resolve("database") + " can't be written: ";
            String end = "; make room on that disk, and try again";
            for (Throwable full : List.of(new RuntimeIOException(NO_ROOM),
                    new TDBException("NodeTableThrift/Write", new RuntimeIOException(NO_ROOM)),
                    new IOException("data.nq: No space left on device", new RuntimeIOException(NO_ROOM)))) {
                assertEquals(start + "No space left on device" + end,
                        thrown(UserDataView.of(store.dataset()), full).getMessage());
            }
            assertEquals(start + NO_PAGE + ", as when the disk is full" + end,
                    thrown(store.dataset(), new InternalError(NO_PAGE)).getMessage());
        }
    }

    @Test
    void whatElseFailsComesOutAsItIs() throws IOException {
        try (DatasetStore store = Backend.TDB2.open(folder)) {
            for (Throwable other : List.of(NO_ROOM, new UncheckedIOException("can't write log.jellyp", NO_ROOM),
                    new RuntimeIOException(new IOException("Input/output error")), new TDBException("no transaction"),
                    new InternalError("a bug"), new InternalError())) {
                assertSame(other, thrown(store.dataset(), other));
            }
        }
        for (Throwable full : List.of(new RuntimeIOException(NO_ROOM), new InternalError(NO_PAGE))) {
            assertSame(full, thrown(DatasetGraphFactory.createTxnMem(), full));
        }
    }
}
