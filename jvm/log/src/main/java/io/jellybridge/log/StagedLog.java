package io.jellybridge.log;

import io.jellybridge.codec.PatchWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A base class of remote logs. It writes each patch to a local file and checks it completely before it sends it. */
abstract class StagedLog implements PatchLog {
    private final String name;

    StagedLog(String name) {
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    /** Sends a patch in a file. Returns its place in the log. */
    abstract LogHead send(Path patch, PatchHeader header, Follows follows, LogHead head) throws IOException;

    /** Returns the id of the patch before the one to send; null if the log adds it, as our servers do after their head. */
    String prev(Follows follows, LogHead head) {
        return follows.id();
    }

    /** Returns the place of a patch after the head; null if the server adds the chain, or there is none. */
    ChainPlace place(LogHead head) {
        return null;
    }

    /**
     * Finds a patch by its id. Returns null if the log has none. Also returns null if the log itself detects the id on sending
     * and compares the rows, as our servers do.
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
                return head; // a repeated patch, which changes nothing
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

    /** Handles a patch whose id is in the log already. */
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

    /** Returns the known facts about a version; null if no patch has it. */
    private Known entry(long version) throws IOException {
        try (LogEntries entries = fetch(version, version)) {
            LogEntry entry = entries.next();
            return entry == null ? null : new Known(entry.header().prev(), entry.hash());
        }
    }

    /**
     * Checks that the address still has the same log.
     *
     * @throws IOException it has another log
     */
    final void requireSame(String opened, String found) throws IOException {
        if (!opened.equals(found)) {
            throw new IOException(name + " was opened as the log " + opened + ", and is the log " + found
                    + " now: another one took its place; open it again if that is right");
        }
    }

    @Override
    public void close() {
        // nothing is open
    }
}
