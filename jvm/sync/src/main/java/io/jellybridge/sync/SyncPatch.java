package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.log.Chain;
import io.jellybridge.log.ContentHash;
import java.io.IOException;
import java.nio.file.Path;

/** One patch of a source, as a follower sees it. It can be read any number of times. */
public interface SyncPatch {

    /** What messages and quarantine call it; of a patch without an id, also its position in the source. */
    String name();

    /** Its header {@code id}, a term in canonical N-Triples; null when it has none, or can't be read. */
    String id();

    /** Its header {@code prev}, likewise. */
    String prev();

    /** How many change rows it has. */
    long rows();

    /** About how many bytes it takes where it is stored. */
    long bytes();

    /** Why it can't be read; null when it can. */
    RuntimeException fault();

    /**
     * Opens it, alone; the caller closes the source.
     *
     * @throws IOException it can't be read
     */
    <T> PatchSource<T> open(TermFactory<T> terms) throws IOException;

    /** The file that it is stored in, readable or not; null: it is elsewhere. */
    Path file();

    /** The SHA-256 of that file, in hexadecimal digits; null: it is not known, or not read to its end. */
    default String fileHash() {
        return null;
    }

    /** Its version in the log that it is of; null: it is of none. */
    default Long version() {
        return null;
    }

    /** Returns its place in the history of that log; null: it is of none, or can't be read. */
    default Chain chain() {
        return null;
    }

    /**
     * What a patch says.
     *
     * @param rows how many rows, headers too
     * @param hash see {@link ContentHash}
     */
    record Content(long rows, String hash) {
    }

    /**
     * What it says; where that is not known, it is read to its end.
     *
     * @throws RuntimeException it can't be read: the error of its format
     * @throws IOException      it can't be read
     */
    default Content content() throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = open(new Utf8Terms())) {
            patch.readAll(content);
        }
        return new Content(content.rows(), content.hash());
    }

    /** What became of a patch since rows of it were applied. */
    enum Since {
        SAME,
        /** These rows are its first ones, and more are behind. */
        LONGER,
        OTHER,
        /** It can't be read. */
        BROKEN
    }

    /**
     * What became of it since it had so many rows, headers too, and that {@link ContentHash}; it is read to its end.
     *
     * @throws IOException it can't be read
     */
    default Since since(long rowsBefore, String hash) throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = open(new Utf8Terms())) {
            boolean begins = false;
            do {
                begins |= content.rows() == rowsBefore && content.hashSoFar().equals(hash);
            } while (patch.next(content));
            return !begins ? Since.OTHER : content.rows() == rowsBefore ? Since.SAME : Since.LONGER;
        } catch (FormatException e) {
            return Since.BROKEN;
        }
    }

    /** Where a dataset is that has applied it: its id, or else its name as a string literal. */
    default String position() {
        return id() != null ? id() : '"' + name().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
