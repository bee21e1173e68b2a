package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.LongConsumer;

/** Appends patches to a log. */
public interface PatchAppender {

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
     * the head. If others append at the same time, it comes after theirs. A patch without {@code id} and {@code prev} is not
     * appended if it has the same content as the head, since it would change nothing.
     */
    default LogHead append(PatchSource<byte[]> patches) throws IOException {
        CheckedPatch patch = CheckedPatch.next(patches);
        return patch == null ? null : append(patch, ExpectedPrevious.of(patch));
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
        return append(patch, ExpectedPrevious.of(patch));
    }

    /** Appends a patch whose headers were read. */
    LogHead append(CheckedPatch patch, ExpectedPrevious follows) throws IOException;

    /**
     * A call that appends several patches, which a log in a store puts as one object, or as a few if they are many. Until
     * {@link #put} returns, they may not be in the log, and may get other versions if others append meanwhile.
     */
    interface Batch extends PatchAppender, Closeable {

        /**
         * Puts the patches of this call into the log.
         *
         * @return the versions and ids of all of them
         * @throws LogConflictException another process has appended meanwhile, and a patch was to follow the head before; or the
         *                              log has another patch of an id
         */
        List<LogHead> put() throws IOException;

        /**
         * Appends the rest of a source, and puts it.
         *
         * @param known    the number of its next patches to skip, see {@link LogTail}
         * @param prev     the id that the first patch follows; empty if it is the first of the log; null for the id in its
         *                 header, else the head
         * @param progress receives the number of rows, after each patch
         */
        default List<LogHead> appendAll(PatchSource<byte[]> patches, int known, String prev, LongConsumer progress) throws IOException {
            for (int passed = 0; passed < known; passed++) {
                LogTail.skip(patches);
            }
            LogHead head = prev == null ? append(patches) : append(patches, prev.isEmpty() ? null : prev);
            while (head != null) {
                progress.accept(patches.numbers().row() + 1);
                head = append(patches);
            }
            return put();
        }

        /** Puts the patches before an error into the log, and ends the call. */
        @Override
        void close() throws IOException;
    }
}
