package io.jellybridge.log;

import java.io.IOException;
import java.util.Objects;

/**
 * The patches of a log as a follower wants them: each was read to its end once, so that it can be applied, is what was
 * appended, and follows the one before it. What can't be read stops the reader, or goes into a {@link Quarantine}. A gap or
 * a fork always stops it.
 */
public final class LogReader implements LogEntries {
    private final LogEntries entries;
    private final Quarantine quarantine;
    private String last;
    /** The hash of the patch before; null: it is not known. */
    private String lastHash;
    /** Whether the id of the patch before is known: it may be one that can't be read. */
    private boolean lastIsKnown;
    private long version;

    /**
     * @param entries    the patches, closed by {@link #close()}
     * @param version    the version of the patch before them, for messages
     * @param after      the id of the patch before them; null: there is none
     * @param quarantine takes poison patches; null: stop at one
     */
    public LogReader(LogEntries entries, long version, String after, Quarantine quarantine) {
        this.entries = entries;
        this.version = version;
        this.last = after;
        this.lastIsKnown = true;
        this.lastHash = version == 0 ? Chain.START : null;
        this.quarantine = quarantine;
    }

    /** As the other, where the hash of the patch before them is known, too; null: it is not. */
    public LogReader(LogEntries entries, long version, String after, String hashBefore, Quarantine quarantine) {
        this(entries, version, after, quarantine);
        this.lastHash = hashBefore != null ? hashBefore : lastHash;
    }

    /** Reads from a version on whose predecessor is not known: the first patch may follow any. */
    public LogReader(LogEntries entries, Quarantine quarantine) {
        this(entries, 0, null, quarantine);
        this.lastIsKnown = false;
        this.lastHash = null;
    }

    /**
     * The next patch that can be applied; null after the last.
     *
     * @throws PoisonPatchException a patch can't be applied, and there is no quarantine
     * @throws BrokenChainException a patch does not follow the one before it
     */
    @Override
    public LogEntry next() throws IOException {
        for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
            RuntimeException fault = fault(entry);
            follow(entry, fault != null);
            if (fault == null) {
                return entry;
            }
            if (quarantine == null) {
                throw new PoisonPatchException(entry.name(), entry.version(), fault);
            }
            quarantine.put(entry, fault);
        }
        return null;
    }

    /** The version of the last patch that was looked at, also one that went into the quarantine. */
    public long version() {
        return version;
    }

    /** Returns the hash of that patch, {@link Chain#own}; null where it can't be read, or has none. */
    public String hash() {
        return lastHash;
    }

    /** The id of that patch; null where it can't be read. */
    public String id() {
        return last;
    }

    /**
     * Why a patch can't be applied: the error of its format, or that it is not what was appended; null when it can.
     *
     * @throws IOException it can't be had
     */
    public static RuntimeException fault(LogEntry entry) throws IOException {
        try {
            EntryCheck.read(entry);
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private void follow(LogEntry entry, boolean poison) throws IOException {
        PatchHeader header = header(entry, poison);
        version = entry.version();
        if (header.id() != null && lastIsKnown && !Objects.equals(header.prev(), last)) {
            throw new BrokenChainException(entry.name(), entry.version(), last, header.prev());
        }
        if (!poison && header.chain() != null && lastHash != null && !header.chain().before().equals(lastHash)) {
            throw BrokenChainException.ofHashes(entry.name(), entry.version(), lastHash, header.chain(),
                    header.prev());
        }
        last = header.id();
        lastIsKnown = last != null;
        lastHash = poison ? null : header.hash();
    }

    private static PatchHeader header(LogEntry entry, boolean poison) throws IOException {
        try {
            return entry.header();
        } catch (RuntimeException e) {
            if (!poison) {
                throw e;
            }
            return new PatchHeader(null, null);
        }
    }

    @Override
    public void close() throws IOException {
        entries.close();
    }
}
