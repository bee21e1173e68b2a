package io.jellybridge.checkpoint;

import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Chain;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.StoreLog;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Verifies a log by reading all of it. Each patch must follow the one before it and be the appended patch. Each checkpoint
 * must be complete, and equal the checkpoint before it with the patches between them applied. Changes nothing. Not
 * thread-safe.
 */
public final class LogVerification {
    private final StoreLog log;
    private final Checkpoints checkpoints;
    private final ProgressListener progress;
    private final List<Fault> faults = new ArrayList<>();
    private long patches;

    /** The kind of a fault. */
    public enum Kind {
        /** A patch or a checkpoint can't be read. */
        DAMAGED,
        /** A patch does not follow the one before it. */
        FORK,
        /** A patch is not the appended one, according to its header {@code chain}. */
        HASH,
        /** A checkpoint is not the result of the patches. */
        REPLAY
    }

    /**
     * A fault.
     *
     * @param file  the faulty file, in the log's folder
     * @param found a description, as a clause
     */
    public record Fault(Kind kind, long version, String file, String found) {
    }

    /**
     * The result of a verification.
     *
     * @param patches     the number of patches that were read
     * @param checkpoints the number of checkpoints
     */
    public record Report(long patches, long checkpoints, List<Fault> faults) {
    }

    private LogVerification(StoreLog log, ProgressListener progress) {
        this.log = log;
        this.checkpoints = new Checkpoints(log);
        this.progress = progress;
    }

    /** Verifies a log. */
    public static Report of(StoreLog log, ProgressListener progress) throws IOException {
        log.requireOneObjectPerVersion();
        LogVerification verification = new LogVerification(log, progress);
        verification.readPatches();
        verification.readCheckpoints();
        return new Report(verification.patches, verification.checkpoints.versions().size(), verification.faults);
    }

    private void addFault(Kind kind, long version, String file, String found) {
        String folder = log.name() + "/";
        faults.add(new Fault(kind, version, file.startsWith(folder) ? file.substring(folder.length()) : file, found));
    }

    // --- patches

    private void readPatches() throws IOException {
        // Only a checkpoint knows which patch the first one follows.
        PatchHeader last = checkpoints.headerAt(log.first() - 1);
        boolean isKnown = last != null || log.first() == 1;
        try (LogEntries entries = log.fetch(log.first(), Long.MAX_VALUE)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                patches++;
                progress.reading(patches);
                PatchHeader header = readPatch(entry);
                if (header != null && isKnown) {
                    comparePatch(entry, header, last);
                }
                last = header;
                isKnown = header != null;
            }
        }
    }

    /**
     * Compares a patch with the one before it.
     *
     * @param last null for the first patch
     */
    private void comparePatch(LogEntry entry, PatchHeader header, PatchHeader last) {
        String id = last == null ? null : last.id();
        String hash = last == null ? Chain.START : last.hash();
        if (!Objects.equals(header.prev(), id)) {
            addFault(Kind.FORK, entry.version(), entry.name(), "it follows "
                    + (header.prev() == null ? "no patch" : "patch " + header.prev())
                    + ", but the patch before it is " + (id == null ? "none" : id));
        } else if (header.chain() != null && !header.chain().before().equals(hash)) {
            addFault(Kind.FORK, entry.version(), entry.name(), "it was appended behind the hash " + header.chain().before()
                    + ", but the patch before it has the hash " + hash);
        }
    }

    /** Reads a patch and returns its headers, or null if it is unreadable, not what was appended, or was pruned meanwhile. */
    private PatchHeader readPatch(LogEntry entry) throws IOException {
        try {
            return EntryCheck.read(entry).header();
        } catch (IOException | RuntimeException e) {
            if (e instanceof FileNotFoundException && entry.version() < log.first()) {
                patches--;
                return null;
            }
            boolean isOther = e instanceof FormatException fault && fault.rule().equals(EntryCheck.CHAIN);
            addFault(isOther ? Kind.HASH : Kind.DAMAGED, entry.version(), entry.name(), e.getMessage());
            return null;
        }
    }

    // --- checkpoints

    private void readCheckpoints() throws IOException {
        Checkpoint before = null;
        for (long version : checkpoints.versions()) {
            Checkpoint checkpoint = readCheckpoint(version);
            if (checkpoint != null) {
                if (hasPatchesBehind(before)) {
                    replayPatches(before, checkpoint);
                }
                before = checkpoint;
            }
        }
    }

    /** Returns true if none behind a checkpoint was pruned. */
    private boolean hasPatchesBehind(Checkpoint before) throws IOException {
        return log.first() <= (before == null ? 1 : before.version() + 1);
    }

    /** Reads a checkpoint; null if it can't be read, or was pruned meanwhile. */
    private Checkpoint readCheckpoint(long version) throws IOException {
        String name = Checkpoint.folderOf(version);
        try {
            Checkpoint checkpoint = checkpoints.read(version);
            if (checkpoint != null) {
                CheckpointFiles.check(checkpoint, progress);
            }
            return checkpoint;
        } catch (IOException | RuntimeException e) {
            if (version >= log.first() - 1) {
                addFault(Kind.DAMAGED, version, name, e.getMessage());
            }
            return null;
        }
    }

    private void replayPatches(Checkpoint before, Checkpoint checkpoint) throws IOException {
        String from = before == null ? "the patches" : "the checkpoint of version " + before.version() + " and the patches";
        String name = Checkpoint.folderOf(checkpoint.version());
        try (State state = State.of(log, before, checkpoint.version(), progress);
                CheckpointQuads quads = new CheckpointQuads(checkpoint)) {
            QuadsHash hash = new QuadsHash().addAll(state.quads());
            if (hash.quads() != checkpoint.quads() || !hash.hash().equals(checkpoint.hash())) {
                addFault(Kind.REPLAY, checkpoint.version(), name, from + " come to " + hash.quads() + " quads of the hash "
                        + hash.hash() + ", and it has " + checkpoint.quads() + " of the hash " + checkpoint.hash());
            } else if (!areEqual(state.prefixes(), quads.prefixes())) {
                addFault(Kind.REPLAY, checkpoint.version(), name, from + " come to other prefixes than it has");
            }
        } catch (IOException | RuntimeException e) {
            if (!hasPatchesBehind(before)) {
                return; // they were pruned meanwhile
            }
            if (e instanceof IOException) {
                throw e;
            }
            addFault(Kind.REPLAY, checkpoint.version(), name, from + " can't be read: " + e.getMessage());
        }
    }

    private static boolean areEqual(SortedMap<String, byte[]> one, SortedMap<String, byte[]> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream().allMatch(entry -> Arrays.equals(entry.getValue(), other.get(entry.getKey())));
    }
}
