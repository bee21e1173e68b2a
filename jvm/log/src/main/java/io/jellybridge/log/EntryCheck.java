package io.jellybridge.log;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a whole patch, and rejects a patch that can't be in a log. */
public final class EntryCheck {
    /**
     * The header of a placeholder for a lost patch, see {@link LogRepair#insertPlaceholder}. Its value is the reason why the patch
     * was lost.
     */
    static final byte[] LOST = "lost".getBytes(StandardCharsets.US_ASCII);

    /** The rule for a patch that is not the one that was appended. */
    public static final String CHAIN = "chain";

    private EntryCheck() {
    }

    /**
     * Checks a patch.
     *
     * @return its headers; the id is not null
     * @throws RuntimeException the error of the patch's format, or of {@link CheckedPatch}
     */
    static PatchHeader checkPatch(PatchSource<byte[]> source) throws IOException {
        return checkPatch(source, new PatchAdapter<>());
    }

    /** Checks a patch as {@link #checkPatch(PatchSource)} does, and passes it to the target. */
    static PatchHeader checkPatch(PatchSource<byte[]> source, PatchHandler<byte[]> target) throws IOException {
        CheckedPatch patch = CheckedPatch.next(source);
        if (patch == null) {
            throw source.newError("patch-log", "there is no patch", "get the patch again from where it was written");
        }
        PatchHeader header = patch.header();
        if (header.id() == null) {
            throw source.newError("patch-log", "the patch has no header id", "append it through the log, which gives it one");
        }
        if (header.id().equals(header.prev())) {
            throw source.newError("patch-log", "the patch follows itself", "give it an id of its own");
        }
        patch.copyTo(new Refusing(source, target), header);
        if (CheckedPatch.next(source) != null) {
            throw source.newError("patch-log", "a second patch in the place of one", "append each patch by itself");
        }
        return header;
    }

    /**
     * Checks a patch of a log, and that it is the one that was appended.
     *
     * @param log     the log's id; null if its patches have no header {@code chain}
     * @param version the version of the patch
     */
    static PatchHeader checkPatch(PatchSource<byte[]> source, ContentHash content, String log, long version) throws IOException {
        PatchHeader header = checkPatch(source, content);
        if (log != null) {
            requireAppended(source, header, content, log, version);
        }
        return header;
    }

    /**
     * Passes a patch of a log to a target, and compares it at its end with the appended patch. It was checked before that the
     * patch can be applied.
     *
     * @param header the headers of the patch
     */
    public static void readAppended(PatchSource<byte[]> source, PatchHandler<byte[]> target, PatchHeader header, String log,
            long version) throws IOException {
        ContentHash content = new ContentHash(target);
        source.readAll(content);
        requireAppended(source, header, content, log, version);
    }

    private static void requireAppended(PatchSource<byte[]> source, PatchHeader header, ContentHash content, String log,
            long version) {
        if (header.chain() == null) {
            throw source.newError(CHAIN, "the patch has no header chain, or one that is none", "append it through the log, which"
                    + " gives it one");
        }
        ChainPlace place = new ChainPlace(log, version, header.chain().before());
        String hash = place.hash(header.id(), header.prev(), content);
        if (!hash.equals(header.hash())) {
            throw source.newError(CHAIN, "the patch is not what was appended as version " + version + " of the log " + log
                    + ": as it is here it has the hash " + hash + ", and its header chain says " + header.hash(),
                    "see whether its file was damaged, replaced, or is of another log or version, and get it from a backup");
        }
    }

    /**
     * The content of a patch.
     *
     * @param hash the hash, see {@link LogEntry#hash}
     * @param rows the number of rows, including headers
     */
    public record Content(PatchHeader header, String hash, long rows) {
    }

    /**
     * Reads a whole patch, even if its content is known, and compares it with the appended patch.
     *
     * @throws RuntimeException the patch can't be read, or can't be in a log (the error of its format)
     */
    public static Content read(LogEntry entry) throws IOException {
        return read(entry, new PatchAdapter<>());
    }

    /** Reads a patch as {@link #read(LogEntry)} does, and passes its rows to a target. */
    static Content read(LogEntry entry, PatchHandler<byte[]> target) throws IOException {
        ContentHash content = new ContentHash(target);
        try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
            PatchHeader header = checkPatch(patch, content, entry.log(), entry.version());
            return new Content(header, content.hash(), content.rows());
        }
    }

    /** A handler that passes a patch on, and rejects a placeholder. */
    private static final class Refusing extends ForwardingHandler<byte[]> {
        private final PatchSource<byte[]> source;

        Refusing(PatchSource<byte[]> source, PatchHandler<byte[]> target) {
            this.source = source;
            setTarget(target);
        }

        @Override
        public void header(byte[] key, byte[] value) {
            if (isLost(key)) {
                throw lossError(source, value);
            }
            super.header(key, value);
        }
    }

    /** Returns true if the key is that of a placeholder for a lost patch. */
    public static boolean isLost(byte[] key) {
        return Arrays.equals(key, LOST);
    }

    /** Returns the error for such a placeholder, whose header has the given value. */
    public static RuntimeException lossError(PatchSource<?> source, byte[] value) {
        return source.newError("patch-log", "the patch was lost, and this stands in its place: "
                + new String(value, StandardCharsets.UTF_8), "append the lost changes anew, if they are known");
    }
}
