package io.jellybridge.log;

import io.jellybridge.codec.Io;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Finds versions of a log. Version 0 is the log before its first patch. */
public final class LogVersions {

    private LogVersions() {
    }

    /**
     * Parses a version: its number, or the id of its patch.
     *
     * @throws IllegalArgumentException the log has no such version
     */
    public static long of(PatchLog log, String text) throws IOException {
        try {
            return requireVersion(log, Long.parseLong(text.trim()));
        } catch (NumberFormatException e) {
            if (!PatchIds.canParse(text.trim())) {
                throw new IllegalArgumentException("'" + text + "' is no version; it must be a number, or the UUID of a patch");
            }
            return withId(log, text.trim());
        }
    }

    /** Parses the number of a version, which need not be there; -1 if the text is none. */
    public static long parseVersion(String text) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }

    /**
     * Checks that a log has a version, and returns it.
     *
     * @throws IllegalArgumentException it does not have it
     */
    public static long requireVersion(PatchLog log, long version) throws IOException {
        long head = log.head().version();
        if (version < 0 || version > head) {
            throw new IllegalArgumentException(
                    log.name() + " has no version " + version + "; its head is version " + head);
        }
        return version;
    }

    /**
     * Returns the version of the patch with an id, with or without {@code urn:uuid:} before it.
     *
     * @throws IllegalArgumentException there is none, or the text is not an id
     */
    public static long withId(PatchLog log, String text) throws IOException {
        String id = PatchIds.parseId(text);
        long version = findVersion(log, id);
        if (version == 0) {
            throw new IllegalArgumentException(log.name() + " has no patch " + id);
        }
        return version;
    }

    /** Returns the version of the patch with an id, a term in canonical N-Triples; 0 if there is none. */
    public static long withTerm(PatchLog log, String term) throws IOException {
        String id = PatchIds.of(term.getBytes(StandardCharsets.UTF_8));
        return id == null ? 0 : findVersion(log, id);
    }

    private static long findVersion(PatchLog log, String id) throws IOException {
        long version = log.versionWith(id);
        if (version > 0) {
            return version;
        }
        Checkpoint base = log.findCheckpoint(log.first() - 1);
        return base != null && id.equals(base.id()) ? base.version() : 0;
    }

    /**
     * Returns the headers of the patch of a version; null if there is none, or it can't be read. Reading the patch itself
     * throws the error.
     */
    public static PatchHeader headerOf(PatchLog log, long version) throws IOException {
        try {
            return readHeader(log, version);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /**
     * Returns what the oldest patch of a log says of the one before it: its id and its hash. Returns null if there is no patch, or
     * it can't be read.
     */
    public static PatchHeader headerBefore(PatchLog log, long first) throws IOException {
        PatchHeader after = headerOf(log, first);
        return after == null || after.id() == null ? null : new PatchHeader(after.prev(), null, null,
                after.chain() == null ? null : new Chain(Chain.START, after.chain().before()));
    }

    /** Reads the headers of the patch of a version; null if there is none. */
    public static PatchHeader readHeader(PatchLog log, long version) throws IOException {
        return readPatch(log, version, entry -> entry == null ? null : entry.header());
    }

    /**
     * Reads the patch of a version.
     *
     * @param read reads the patch, which is null if there is none, and which is closed afterwards
     */
    public static <R> R readPatch(PatchLog log, long version, Io.Function<LogEntry, R> read) throws IOException {
        try (LogEntries entries = log.fetch(version, version)) {
            return read.apply(entries.next());
        }
    }
}
