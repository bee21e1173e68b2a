package io.jellybridge.checkpoint;

import io.jellybridge.convert.QuadsHash;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.log.Chain;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.StoreLog;
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
 * The beginning of a log with a state: version 1 is a checkpoint and not a patch. The first patch follows its id. Any number
 * of tasks write its files in parallel, each into {@link #folder()}. Files of failed or duplicate tasks are ignored: only the
 * files passed to {@link #commit} count. Until then the log has no version. It begins with the complete state or not at all.
 */
public final class InitialState implements Closeable {
    /** The version of the state. */
    static final long VERSION = 1;

    private final Checkpoints checkpoints;
    private final AtomicFolder written;

    /**
     * Starts writing.
     *
     * @param log the log to begin
     * @throws IllegalStateException the log has versions
     */
    public InitialState(StoreLog log) throws IOException {
        this.checkpoints = new Checkpoints(log);
        checkpoints.requireNoVersion();
        this.written = checkpoints.begin(VERSION);
    }

    /** Returns the folder for the files of {@link PartWriter}s, which need unique names. */
    public Path folder() {
        return written.path();
    }

    /**
     * Commits the files as the beginning of the log.
     *
     * @param parts the files in their order; the quads of each sort after those of the file before it. Files without quads and
     *              prefixes are left out
     * @throws IllegalStateException the log has versions by now, or the files are not in that order
     * @throws IOException           a file is missing, or can't be moved
     */
    public Checkpoint commit(List<CheckpointPart> parts) throws IOException {
        QuadsHash all = new QuadsHash();
        CheckpointPart before = null;
        Files.delete(Files.createTempFile(written.path(), null, null)); // else the folder may count as left by a killed process
        try (AtomicFolder making = checkpoints.begin(VERSION)) {
            List<Checkpoint.Part> listed = new ArrayList<>();
            for (CheckpointPart part : parts.stream().filter(part -> !part.isEmpty()).toList()) {
                if (before != null && part.first() != null && Arrays.compareUnsigned(before.last(), part.first()) >= 0) {
                    throw new IllegalStateException("the quads of two files of a checkpoint overlap; report this");
                }
                String name = checkpoints.partName(listed.size(), part.sha256());
                Files.move(part.path(), making.path().resolve(name));
                listed.add(part.toListed(name));
                all.add(part.quads(), part.hash());
                before = part.last() == null ? before : part;
            }
            Checkpoint made = checkpoints.of(VERSION, UUID.randomUUID().toString(), Instant.now().truncatedTo(ChronoUnit.MILLIS),
                    Chain.NONE, all.quads(), all.hash(), listed).asBeginning();
            checkpoints.commitFirst(made, making);
            return made;
        }
    }

    /** Deletes written files that are not part of the state. */
    @Override
    public void close() throws IOException {
        written.close();
    }
}
