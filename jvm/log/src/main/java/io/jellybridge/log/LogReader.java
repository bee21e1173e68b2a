package io.jellybridge.log;

import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;

/**
 * The patches of a log for a follower. Each patch was read completely once: it can be applied, is the one that was appended,
 * and follows the patch before it. A patch that can't be read stops the reader or goes to a {@link Quarantine}. A gap or a
 * fork always stops it.
 */
public final class LogReader implements LogEntries {
    private final LogEntries entries;
    private final Quarantine quarantine;
    private String last;
    /** The hash of the patch before; null if unknown. */
    private String lastHash;
    /** True if the id of the patch before is known. It is unknown if that patch can't be read. */
    private boolean lastIsKnown;

    /** Receives patches that can't be applied, so that a reader can skip them. */
    @FunctionalInterface
    public interface Quarantine {

        /**
         * Receives a patch.
         *
         * @param patch  the patch; its bytes may be unreadable
         * @param reason the fault and its place
         */
        void put(LogEntry patch, RuntimeException reason) throws IOException;
    }

    /**
     * Creates a reader.
     *
     * @param entries    the patches, which {@link #close()} closes
     * @param version    the version of the patch before them; 0 if there is none
     * @param after      the id of that patch; null if there is none
     * @param hashBefore the hash of that patch, {@link Chain#own}; null if it is unknown
     * @param quarantine receives patches that can't be applied; null to stop at one
     */
    public LogReader(LogEntries entries, long version, String after, String hashBefore, Quarantine quarantine) {
        this.entries = entries;
        this.last = after;
        this.lastIsKnown = true;
        this.lastHash = version == 0 ? Chain.START : hashBefore;
        this.quarantine = quarantine;
    }

    /** Creates a reader without knowing the patch before. The first patch may follow any. */
    public LogReader(LogEntries entries, Quarantine quarantine) {
        this(entries, 0, null, null, quarantine);
        this.lastIsKnown = false;
        this.lastHash = null;
    }

    /**
     * Returns the next patch that can be applied; null after the last.
     *
     * @throws PoisonPatchException a patch can't be applied, and there is no quarantine
     * @throws BrokenChainException a patch does not follow the one before it
     */
    @Override
    public LogEntry next() throws IOException {
        return next(entry -> new PatchAdapter<>());
    }

    /**
     * Returns the next patch as {@link #next()} does, after passing its rows to a handler. The handler also gets rows of a
     * patch of which the rest turns out to be damaged.
     *
     * @param targets returns the handler for the rows of a patch, including the headers that the log gave it
     */
    public LogEntry next(Function<LogEntry, PatchHandler<byte[]>> targets) throws IOException {
        for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
            RuntimeException fault = findFault(entry, targets.apply(entry));
            followChain(entry, fault != null);
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

    /**
     * Returns the reason why a patch can't be applied: the error of its format, or that it is not the appended patch. Returns
     * null if it can be applied.
     *
     * @throws IOException the patch is not available
     */
    public static RuntimeException findFault(LogEntry entry) throws IOException {
        return findFault(entry, new PatchAdapter<>());
    }

    private static RuntimeException findFault(LogEntry entry, PatchHandler<byte[]> target) throws IOException {
        try {
            EntryCheck.read(entry, target);
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private void followChain(LogEntry entry, boolean poison) throws IOException {
        PatchHeader header = readHeader(entry, poison);
        if (header.id() != null && lastIsKnown && !Objects.equals(header.prev(), last)) {
            throw new BrokenChainException(entry.name(), entry.version(), last, header.prev());
        }
        if (!poison) {
            BrokenChainException.requireBehind(entry.name(), entry.version(), lastHash, header.chain());
        }
        last = header.id();
        lastIsKnown = last != null;
        lastHash = poison ? null : header.hash();
    }

    private static PatchHeader readHeader(LogEntry entry, boolean poison) throws IOException {
        try {
            return entry.header();
        } catch (RuntimeException e) {
            if (!poison) {
                throw e;
            }
            return PatchHeader.UNKNOWN;
        }
    }

    @Override
    public void close() throws IOException {
        entries.close();
    }
}
