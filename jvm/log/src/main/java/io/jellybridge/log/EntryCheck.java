package io.jellybridge.log;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a patch to its end, and refuses what can't stand in a log. */
public final class EntryCheck {
    /** The header of a stand-in, see {@link FolderLog#putStandIn}: its value says why the patch in its place was lost. */
    static final byte[] LOST = "lost".getBytes(StandardCharsets.US_ASCII);

    /** The rule that a patch breaks which is not what was appended. */
    public static final String CHAIN = "chain";

    private EntryCheck() {
    }

    /**
     * @return what the patch says of itself; its id is not null
     * @throws RuntimeException the error of the patch's format, or of {@link PatchIntake}
     */
    static PatchHeader check(PatchSource<byte[]> source) throws IOException {
        return check(source, new PatchAdapter<>());
    }

    /** As {@link #check(PatchSource)}; the target gets the patch. */
    static PatchHeader check(PatchSource<byte[]> source, PatchHandler<byte[]> target) throws IOException {
        PatchIntake patch = PatchIntake.next(source);
        if (patch == null) {
            throw source.error("patch-log", "there is no patch", "get the patch again from where it was written");
        }
        PatchHeader header = patch.header();
        if (header.id() == null) {
            throw source.error("patch-log", "the patch has no header id", "append it through the log, which gives it one");
        }
        if (header.id().equals(header.prev())) {
            throw source.error("patch-log", "the patch follows itself", "give it an id of its own");
        }
        patch.copyTo(new Refusing(source, target), header);
        if (PatchIntake.next(source) != null) {
            throw source.error("patch-log", "a second patch in the place of one", "append each patch by itself");
        }
        return header;
    }

    /**
     * Checks a patch of a log, and that it is what was appended to it.
     *
     * @param log     the log's id; null: its patches have no header {@code chain}
     * @param version the patch's there
     */
    static PatchHeader check(PatchSource<byte[]> source, ContentHash content, String log, long version) throws IOException {
        PatchHeader header = check(source, content);
        if (log != null) {
            requireAppended(source, header, content, log, version);
        }
        return header;
    }

    /**
     * Hands over a patch of a log that was seen to be no poison, and compares it with what was appended when it has ended.
     *
     * @param header what the patch says of itself
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
            throw source.error(CHAIN, "the patch has no header chain, or one that is none", "append it through the log, which"
                    + " gives it one");
        }
        ChainPlace place = new ChainPlace(log, version, header.chain().before());
        String hash = place.hash(header.id(), header.prev(), content);
        if (!hash.equals(header.hash())) {
            throw source.error(CHAIN, "the patch is not what was appended as version " + version + " of the log " + log
                    + ": as it is here it has the hash " + hash + ", and its header chain says " + header.hash(),
                    "see whether its file was damaged, replaced, or is of another log or version, and get it from a backup");
        }
    }

    /**
     * What a patch says.
     *
     * @param hash see {@link LogEntry#hash}
     * @param rows how many there are, headers too
     */
    public record Content(PatchHeader header, String hash, long rows) {
    }

    /**
     * Reads a patch to its end, whatever is known of it, and compares it with what was appended.
     *
     * @throws RuntimeException the patch can't be read, or can't stand in a log: the error of its format
     */
    public static Content read(LogEntry entry) throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
            PatchHeader header = check(patch, content, entry.log(), entry.version());
            return new Content(header, content.hash(), content.rows());
        }
    }

    /** Hands a patch on that is no stand-in. */
    private static final class Refusing extends ForwardingHandler<byte[]> {
        private final PatchSource<byte[]> source;

        Refusing(PatchSource<byte[]> source, PatchHandler<byte[]> target) {
            this.source = source;
            to(target);
        }

        @Override
        public void header(byte[] key, byte[] value) {
            if (isLost(key)) {
                throw lost(source, value);
            }
            super.header(key, value);
        }
    }

    /** Whether a header is that of a stand-in for a patch that was lost, by its key. */
    public static boolean isLost(byte[] key) {
        return Arrays.equals(key, LOST);
    }

    /** The error of such a stand-in, whose header has that value. */
    public static RuntimeException lost(PatchSource<byte[]> source, byte[] value) {
        return source.error("patch-log", "the patch was lost, and this stands in its place: "
                + new String(value, StandardCharsets.UTF_8), "append the lost changes anew, if they are known");
    }
}
