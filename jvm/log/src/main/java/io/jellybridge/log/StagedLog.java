package io.jellybridge.log;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What logs elsewhere have in common: a patch is written to a file here, whole and checked, before it is sent. */
abstract class StagedLog implements PatchLog {
    /** The options of the files: quads, in which triple terms may occur. */
    private static final PatchOptions OPTIONS = PatchOptions.DEFAULT.withRdfStar(true);

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
            ContentHash content = write(patch, header, file);
            Known last = given == null && follows.isHead() && head.id() != null
                    ? entry(head.version()) : null;
            if (last != null && content.hash().equals(last.hash())) {
                return head; // the same patch once more, which changes nothing
            }
            return send(file, header, follows, head);
        } finally {
            Files.delete(file);
        }
    }

    private ContentHash write(PatchIntake patch, PatchHeader header, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            PatchWriter<byte[]> writer = new PatchWriter<>(out, name, new Utf8Terms(), OPTIONS, WriteOptions.DEFAULT);
            ContentHash content = new ContentHash(writer);
            patch.copyTo(content, header);
            writer.close();
            return content;
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

    @Override
    public void close() {
        // nothing is held open
    }
}
