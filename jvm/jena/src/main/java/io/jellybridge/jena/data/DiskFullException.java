package io.jellybridge.jena.data;

import io.jellybridge.codec.Io;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.tdb2.TDBException;
import org.apache.jena.tdb2.store.DatasetGraphTDB;

/**
 * Thrown when a TDB2 database can't be written since its disk is full. Jena's errors do not name the folder. Two failures lead
 * here. A file can't be extended, which Jena wraps. Or there is no room for a page of a sparse file that is mapped into memory;
 * the JVM reports that by an {@link InternalError}, some time after the call that wrote. The database can be used again when
 * there is room.
 */
public final class DiskFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String NO_ROOM = "No space left on device";
    private static final String NO_PAGE = "unsafe memory access";

    private DiskFullException(DatasetGraphTDB database, String reason, Throwable cause) {
        super("the TDB2 database in " + Path.of(database.getLocation().getDirectoryPath()).getParent()
                + " can't be written: " + reason + "; make room on that disk, and try again", cause);
    }

    /**
     * Runs work that changes a dataset. It throws the exceptions of the work, except for those that a full disk causes.
     *
     * @throws DiskFullException the dataset is a TDB2 database, or a wrapper of one, and its disk is full; the caller must roll
     *                           back the transaction
     */
    public static void watch(DatasetGraph dataset, Io.Action work) throws IOException {
        try {
            work.run();
        } catch (RuntimeException | IOException | InternalError e) {
            String reason = reasonOf(e);
            DatasetGraphTDB database = reason == null ? null : TdbTerms.tdb2(dataset);
            if (database == null) {
                throw e;
            }
            throw new DiskFullException(database, reason, e);
        }
    }

    /** Returns the message of an error that a full disk causes; null for other errors. */
    private static String reasonOf(Throwable error) {
        if (error instanceof InternalError) {
            String message = String.valueOf(error.getMessage());
            return message.contains(NO_PAGE) ? message + ", as when the disk is full" : null;
        }
        boolean isOfJena = false; // unlike an error of another file, such as the log of a capture
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            isOfJena |= cause instanceof TDBException || cause instanceof RuntimeIOException;
            if (isOfJena && cause instanceof IOException && NO_ROOM.equals(cause.getMessage())) {
                return NO_ROOM;
            }
        }
        return null;
    }
}
