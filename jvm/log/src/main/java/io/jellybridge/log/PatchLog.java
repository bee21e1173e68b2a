package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A patch log: an append-only sequence of patches. Each patch has a version, a number that grows by one, and an id, its
 * permanent name. It also names the id of the patch before it.
 *
 * <p>Any number of processes can read and append at the same time. An object is not thread-safe.
 */
public interface PatchLog extends Closeable {

    /** Returns the id of the log itself, a UUID. It is unique and never changes. */
    String id() throws IOException;

    /** Returns the location of the log, for messages. */
    String name();

    /**
     * Returns the newest patch. Without patches, it returns the patch of the newest checkpoint, such as the state that the log
     * begins with.
     */
    LogHead head() throws IOException;

    /** Returns the hash of the head when {@link #head} was called last, see {@link Chain#own}. It stands for the whole history. */
    String headHash();

    /**
     * Returns the version of the oldest patch in the log. Without patches, it returns the version that the first one will get.
     */
    long first() throws IOException;

    /** Returns the newest checkpoint up to a version, from its own description; null if there is none. */
    default Checkpoint findCheckpoint(long upTo) throws IOException {
        return null;
    }

    /** Returns the newest version, even if its patch is damaged; 0 for an empty log. */
    default long headVersion() throws IOException {
        return head().version();
    }

    /**
     * Returns the version of the patch with an id; 0 if there is none. By default, it reads all patches.
     *
     * @param patchId the id, a UUID
     */
    default long versionWith(String patchId) throws IOException {
        try (LogEntries entries = fetch(first(), head().version())) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                if (patchId.equals(entry.header().id())) {
                    return entry.version();
                }
            }
        }
        return 0;
    }

    /**
     * Returns whether the patches are read in place, and so can be read any number of times. Otherwise they come from a server,
     * and a reader that needs them again keeps them.
     */
    default boolean isInPlace() {
        return false;
    }

    /**
     * Returns this log with its store, for what needs more than its patches.
     *
     * @throws IllegalArgumentException it is behind a server
     */
    default StoreLog stored() {
        throw new IllegalArgumentException(name() + " is no folder: do this where its files are");
    }

    /**
     * Makes the files of a checkpoint available locally.
     *
     * @param folder an empty folder, which receives the files of a checkpoint on a server
     * @throws IOException the files are not available, for example because the checkpoint was deleted
     */
    default Checkpoint atHand(Checkpoint checkpoint, Path folder) throws IOException {
        return checkpoint;
    }

    /**
     * Returns the patches of a range, in their order. It may include patches that are appended after the call.
     *
     * @param from the first version
     * @param to   the last version; beyond the head, the range ends at the head
     */
    LogEntries fetch(long from, long to) throws IOException;

    /**
     * Appends the next patch of a source. The whole patch is checked first: its syntax, and that its transactions end. Its
     * headers {@code id} and {@code prev} count, and a missing id is generated. Other headers are kept.
     *
     * <p>An id is in a log once. If a patch is in the log already, even before others, it is not appended again. So an append
     * is safe to retry if its response was lost.
     *
     * @param patches      the source, with the terms of {@link io.jellybridge.codec.Utf8Terms}. It is read to the end of the
     *                     patch
     * @param expectedPrev the id of the patch that it follows, or the hash, which a patch of another history does not have; null
     *                     if the log is empty
     * @return the patch's version and id; null if the source has no more patches
     * @throws LogConflictException     the head is another patch, or the log has another patch of that id; nothing is appended
     * @throws IllegalArgumentException the patch names another {@code prev} than {@code expectedPrev}, or its id is not a UUID
     * @throws RuntimeException         the patch is invalid (the error of the format)
     */
    default LogHead append(PatchSource<byte[]> patches, String expectedPrev) throws IOException {
        CheckedPatch patch = CheckedPatch.next(patches);
        if (patch == null) {
            return null;
        }
        ExpectedPrevious follows = ExpectedPrevious.patch(expectedPrev == null || Chain.isHash(expectedPrev) ? expectedPrev
                : PatchIds.parseId(expectedPrev));
        if (!follows.isHash()) {
            patch.require(follows.id());
        }
        return append(patch, follows);
    }

    /**
     * Appends a patch as {@link #append(PatchSource, String)} does, after the patch in its header {@code prev}, or else after
     * the head. It is also a conflict if another process appends at the same time. A patch without {@code id} and {@code prev}
     * is not appended if it has the same content as the head, since it would change nothing.
     */
    default LogHead append(PatchSource<byte[]> patches) throws IOException {
        CheckedPatch patch = CheckedPatch.next(patches);
        if (patch == null) {
            return null;
        }
        String prev = patch.headerFor().prev();
        return append(patch, prev == null ? ExpectedPrevious.HEAD : ExpectedPrevious.patch(prev));
    }

    /**
     * Appends a patch as {@link #append(PatchSource)} does. A patch without a header {@code id} gets this one. So a repeated
     * patch with the same id is recognized, even if others followed it.
     */
    default LogHead appendAs(UUID id, PatchSource<byte[]> patches) throws IOException {
        CheckedPatch patch = CheckedPatch.next(patches);
        if (patch == null) {
            return null;
        }
        patch.nameUnlessNamed(id.toString());
        String prev = patch.headerFor().prev();
        return append(patch, prev == null ? ExpectedPrevious.HEAD : ExpectedPrevious.patch(prev));
    }

    /** Appends a patch whose headers were read. */
    LogHead append(CheckedPatch patch, ExpectedPrevious follows) throws IOException;
}
