package io.jellybridge.log;

import io.jellybridge.codec.PatchWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What logs elsewhere have in common: a patch is written to a file here, whole and checked, before it is sent. */
abstract class StagedLog implements PatchLog {
    private final String name;

    StagedLog(String name) {
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    /** Sends a patch that is in a file; where it is in the log then. */
    abstract LogHead send(Path patch, PatchHeader header, Follows follows, LogHead head) throws IOException;

    /** The id before a patch that is sent; null: the log adds it, as ours do after their head. */
    String prev(Follows follows, LogHead head) {
        return follows.id();
    }

    /** The place of a patch behind the head; null: who keeps the log gives patches their chain, or they have none. */
    ChainPlace place(LogHead head) {
        return null;
    }

    /**
     * Where the patch with an id is; null where the log has none, or finds out by itself when it is sent, and compares the
     * rows, as ours do.
     */
    LogHead find(String id, LogHead head) throws IOException {
        return null;
    }

    @Override
    public final LogHead append(PatchIntake patch, Follows follows) throws IOException {
        LogHead head = head();
        String given = patch.header().id();
        LogHead there = given == null ? null : find(given, head);
        if (there != null) {
            return again(patch, follows, there);
        }
        PatchHeader header = patch.header(given != null ? given : PatchIds.random(), prev(follows, head));
        Path file = Files.createTempFile("jellybridge-", ".patch");
        try {
            ChainedFile written = write(patch, header, place(head), file);
            Known last = given == null && follows.isHead() && head.id() != null
                    ? entry(head.version()) : null;
            if (last != null && written.content().hash().equals(last.hash())) {
                return head; // the same patch once more, which changes nothing
            }
            return send(file, written.header(), follows, head);
        } finally {
            Files.delete(file);
        }
    }

    private ChainedFile write(PatchIntake patch, PatchHeader header, ChainPlace place, Path file) throws IOException {
        if (place != null) {
            return ChainedFile.write(file, name, place, header, patch::copyTo);
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            PatchWriter<byte[]> writer = ChainedFile.writer(out, name);
            ContentHash content = new ContentHash(writer);
            patch.copyTo(content, header);
            writer.close();
            return new ChainedFile(header, content);
        }
    }

    /** A patch comes whose id the log has. */
    private LogHead again(PatchIntake patch, Follows follows, LogHead there) throws IOException {
        Known known = entry(there.version());
        ContentHash content = new ContentHash();
        patch.copyTo(content, there.id(), known.prev());
        if (!follows.allows(known.prev()) || !content.hash().equals(known.hash())) {
            throw LogConflictException.taken(name, there);
        }
        return there;
    }

    private record Known(String prev, String hash) {
    }

    /** Null where no patch is that version. */
    private Known entry(long version) throws IOException {
        try (LogEntries entries = fetch(version, version)) {
            LogEntry entry = entries.next();
            return entry == null ? null : new Known(entry.header().prev(), entry.hash());
        }
    }

    /** @throws IOException another log is where this one was */
    final void requireSame(String opened, String found) throws IOException {
        if (!opened.equals(found)) {
            throw new IOException(name + " was opened as the log " + opened + ", and is the log " + found
                    + " now: another one took its place; open it again if that is right");
        }
    }

    @Override
    public void close() {
        // nothing is held open
    }
}
