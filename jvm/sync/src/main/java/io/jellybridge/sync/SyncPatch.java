package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.log.Chain;
import io.jellybridge.log.ContentHash;
import java.io.IOException;
import java.nio.file.Path;

/** A patch of a source, from the view of a follower. It can be read any number of times. */
public interface SyncPatch {

    /** Returns the name in messages and quarantines. It is also the position in the source if the patch has no id. */
    String name();

    /** Returns its header {@code id}, a term in canonical N-Triples; null if it has none, or can't be read. */
    String id();

    /** Returns its header {@code prev} in the same form. */
    String prev();

    /** Returns the number of change rows. */
    long rows();

    /** Returns the approximate size in bytes as stored. */
    long bytes();

    /** Returns the reason why it can't be read; null if it can. */
    RuntimeException fault();

    /**
     * Opens only this patch. The caller must close the source.
     *
     * @throws IOException it can't be read
     */
    <T> PatchSource<T> open(TermFactory<T> terms) throws IOException;

    /** Returns its file, readable or not; null if it is not in a file. */
    Path file();

    /** Returns the SHA-256 of that file, in hexadecimal digits; null if unknown, or the file was not read to its end. */
    default String fileHash() {
        return null;
    }

    /** Returns its version in its log; null if it is in none. */
    default Long version() {
        return null;
    }

    /** Returns its place in the history of that log; null if it is in none, or can't be read. */
    default Chain chain() {
        return null;
    }

    /**
     * The content of a patch.
     *
     * @param rows the number of rows, including headers
     * @param hash the hash of the rows, see {@link ContentHash}
     */
    record Content(long rows, String hash) {
    }

    /**
     * Returns the content. If it is unknown, the whole patch is read.
     *
     * @throws RuntimeException it is invalid (the error of its format)
     * @throws IOException      it can't be read
     */
    default Content content() throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = open(new Utf8Terms())) {
            patch.readAll(content);
        }
        return new Content(content.rows(), content.hash());
    }

    /** The change of a patch since rows of it were applied. */
    enum Since {
        SAME,
        /** The applied rows are its first ones, and more follow. */
        LONGER,
        OTHER,
        /** The patch can't be read. */
        BROKEN
    }

    /**
     * Reads the whole patch and compares it with its earlier content: a number of rows, including headers, and a
     * {@link ContentHash}.
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

    /** Returns the position of a dataset that has applied it: its id, or else its name as a string literal. */
    default String position() {
        return id() != null ? id() : '"' + name().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
