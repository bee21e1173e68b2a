package io.jellybridge.jena.tdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The journal of a TDB2 database. An entry has a head of 16 bytes (length of the data, checksum, type, component) and the data.
 * The entry that commits has no data, and the length -1. A process that is killed while it writes leaves the last entry torn,
 * and Jena then can't open the database ("Failed to read the journal entry data"). A torn entry belongs to an uncommitted
 * transaction, since the entry that commits comes last, so truncating it loses nothing.
 */
final class TdbJournal {
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
