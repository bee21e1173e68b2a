package io.jellybridge.checkpoint;

import io.jellybridge.convert.QuadsHash;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.log.Chain;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * The beginning of a log with a state: version 1 is a checkpoint, and no patch; its id is what the first patch follows. Any
 * number of tasks write its files side by side, each into {@link #folder()}, where what a task leaves that failed, or came
 * second, is no part of it: the files that {@link #commit} is told of are. The log has no version until then, and begins
 * with all of it, or not at all.
 */
public final class LogBeginning implements Closeable {
    /** The version. */
    static final long VERSION = 1;

    private final FolderLog log;
    private final Checkpoints checkpoints;
    private final AtomicFolder written;

    /**
     * @param log where it is to begin
     * @throws IllegalStateException the log has versions
     */
    public LogBeginning(FolderLog log) throws IOException {
        this.log = log;
        this.checkpoints = new Checkpoints(log);
        checkpoints.requireNoVersion();
        this.written = checkpoints.begin(VERSION);
    }

    /** Where {@link PartWriter}s put files, under names that occur once. */
    public Path folder() {
        return written.path();
    }

    /**
     * Has the log begin with what was written.
     *
     * @param parts the files in their order, the quads of each behind those of the one before it; those without any, or
     *              prefixes, are left out
     * @throws IllegalStateException the log has versions by now, or the files are not in that order
     * @throws IOException           a file is not there, or can't be moved
     */
    public Checkpoint commit(List<CheckpointPart> parts) throws IOException {
        QuadsHash all = new QuadsHash();
        CheckpointPart before = null;
        try (AtomicFolder making = checkpoints.begin(VERSION)) {
            List<Checkpoint.Part> listed = new ArrayList<>();
            for (CheckpointPart part : parts.stream().filter(part -> !part.isEmpty()).toList()) {
                if (before != null && part.first() != null && Arrays.compareUnsigned(before.last(), part.first()) >= 0) {
                    throw new IllegalStateException("the quads of two files of a checkpoint overlap; report this");
                }
                Files.move(part.path(), making.path().resolve(Checkpoint.part(listed.size())));
                listed.add(part.listed());
                all.add(part.quads(), part.hash());
                before = part.last() == null ? before : part;
            }
            Checkpoint made = new Checkpoint(making.target().toString(), making.target(), log.id(), VERSION,
                    UUID.randomUUID().toString(), Instant.now().truncatedTo(ChronoUnit.MILLIS),
                    Chain.NONE, all.quads(), all.hash(), listed).asBeginning();
            made.write(making.path());
            checkpoints.commitFirst(making);
            return made;
        }
    }

    /** Takes away what was written and is no part of it. */
    @Override
    public void close() throws IOException {
        written.close();
    }
}
