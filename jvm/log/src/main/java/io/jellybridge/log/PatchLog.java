package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A patch log: patches in one order, which only grows. Each has a version, a number that grows by one, and an id, its
 * lasting name, and names the id of the patch before it.
 *
 * <p>Any number of processes may read and append at once. An object is for one thread at a time.
 */
public interface PatchLog extends Closeable {

    /** The id of the log itself, a UUID: the same for as long as the log is there, and of no other log. */
    String id() throws IOException;

    /** Where the log is, for messages. */
    String name();

    /** The newest patch; where there is none, what the newest checkpoint is of, such as the state that the log begins with. */
    LogHead head() throws IOException;

    /** The version of the oldest patch that is there; where there is none, that which the first one will have. */
    long first() throws IOException;

    /** The newest checkpoint up to a version, as it says of itself what it is; null where there is none. */
    default Checkpoint checkpoint(long upTo) throws IOException {
        return null;
    }

    /**
     * A checkpoint of this log with its files at hand.
     *
     * @param folder an empty one, into which they are fetched where they are on a server
     * @throws IOException they can't be had, such as those of a checkpoint that is not there any more
     */
    default Checkpoint atHand(Checkpoint checkpoint, Path folder) throws IOException {
        return checkpoint;
    }

    /**
     * The patches of a range, in their order. Those that are appended after the call may be in it or not.
     *
     * @param from the first version
     * @param to   the last version; beyond the head means up to the head
     */
    LogEntries fetch(long from, long to) throws IOException;

    /**
     * Appends one patch: the next of a source. It is checked whole before it is in the log: its syntax, and that its
     * transactions end. What it says in its headers {@code id} and {@code prev} counts; an id that is missing is made.
     * Other headers stay.
     *
     * <p>An id is in a log once. A patch that is there already, be others behind it, is not appended again: so an append
     * whose answer was lost can be made again.
     *
     * @param patches      where the patch comes from, with terms as {@link io.jellybridge.codec.Utf8Terms} makes them; it
     *                     is read to the end of that patch
     * @param expectedPrev the id of the patch that it follows; null: the log is empty
     * @return the patch's version and id; null when the source has no patch left
     * @throws LogConflictException     the head is another, or the log has another patch of that id; nothing is appended
     * @throws IllegalArgumentException the patch names another {@code prev} than {@code expectedPrev}, or its id is no
     * UUID
     * @throws RuntimeException         the patch breaks its format: the error of that format
     */
    default LogHead append(PatchSource<byte[]> patches, String expectedPrev) throws IOException {
        PatchIntake patch = PatchIntake.next(patches);
        if (patch == null) {
            return null;
        }
        String prev = expectedPrev == null ? null : PatchIds.parse(expectedPrev);
        patch.require(prev);
        return append(patch, Follows.patch(prev));
    }

    /**
     * As {@link #append(PatchSource, String)}, after the patch that its header {@code prev} names, or after the head
     * where it names none. When another process appends at the same moment, that is a conflict too. Of a patch without
     * {@code id} and {@code prev} that says the same as the head there is no second: it would change nothing.
     */
    default LogHead append(PatchSource<byte[]> patches) throws IOException {
        PatchIntake patch = PatchIntake.next(patches);
        if (patch == null) {
            return null;
        }
        String prev = patch.header().prev();
        return append(patch, prev == null ? Follows.HEAD : Follows.patch(prev));
    }

    /**
     * As {@link #append(PatchSource)}; a patch without a header {@code id} gets this one. So a patch that comes again under
     * the same is known, also where others followed it.
     */
    default LogHead appendAs(UUID id, PatchSource<byte[]> patches) throws IOException {
        PatchIntake patch = PatchIntake.next(patches);
        if (patch == null) {
            return null;
        }
        patch.nameUnlessNamed(id.toString());
        String prev = patch.header().prev();
        return append(patch, prev == null ? Follows.HEAD : Follows.patch(prev));
    }

    /** Appends a patch whose headers were read. */
    LogHead append(PatchIntake patch, Follows follows) throws IOException;
}
