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

    @Override
    public final LogHead append(PatchIntake patch, Follows follows) throws IOException {
        LogHead head = head();
        String given = patch.header().id();
        PatchHeader header = patch.header(given != null ? given : PatchIds.random(), follows.id());
        Path file = Files.createTempFile("jellybridge-", ".patch");
        try {
            ContentHash content = write(patch, header, file);
            if (given == null && follows.isHead() && head.id() != null && content.hash().equals(hashOf(head.version()))) {
                return head; // a repeated patch, which changes nothing
            }
            return send(file, header, follows, head);
        } finally {
            Files.delete(file);
        }
    }

    private ContentHash write(PatchIntake patch, PatchHeader header, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            PatchWriter<byte[]> writer = ChainedFile.writer(out, name);
            ContentHash content = new ContentHash(writer);
            patch.copyTo(content, header);
            writer.close();
            return content;
        }
    }

    /** Returns the hash of a version; null if no patch has it. */
    private String hashOf(long version) throws IOException {
        try (LogEntries entries = fetch(version, version)) {
            LogEntry entry = entries.next();
            return entry == null ? null : entry.hash();
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
