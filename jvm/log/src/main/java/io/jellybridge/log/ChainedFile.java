package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.CloseShieldOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file with one patch, in the form in which logs keep them: Jelly-Patch of quads, in which triple terms may occur.
 *
 * @param header  what the patch says of itself, with its chain where it is to stand in a log
 * @param content what it says
 */
record ChainedFile(PatchHeader header, ContentHash content) {
    private static final PatchOptions OPTIONS = PatchOptions.DEFAULT.withRdfStar(true);
    /** The headers of the chain are within so many bytes of the beginning. */
    private static final int BEGINNING_BYTES = 1 << 12;

    /** Hands over what is to be in the file. */
    @FunctionalInterface
    interface Rows {
        void writeTo(PatchHandler<byte[]> file, PatchHeader header) throws IOException;
    }

    /** A writer of such a file. */
    static PatchWriter<byte[]> writer(OutputStream out, String name) {
        return new PatchWriter<>(out, name, new Utf8Terms(), OPTIONS, WriteOptions.DEFAULT);
    }

    /**
     * Writes a file, and forces it to the disk.
     *
     * @param name  what errors call the log
     * @param place where the patch is to stand; null: it gets no other chain than that of the header
     * @param rows  hands over all of the patch, with the header that it is given
     */
    static ChainedFile write(Path file, String name, ChainPlace place, PatchHeader header, Rows rows) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            PatchWriter<byte[]> writer = writer(new CloseShieldOutputStream(Channels.newOutputStream(channel)), name);
            ContentHash content = new ContentHash(writer);
            PatchHeader written = place == null ? header
                    : header.with(new Chain(place.before(), Chain.placeholder()));
            rows.writeTo(content, written);
            writer.close();
            if (place != null) {
                String own = place.hash(header.id(), header.prev(), content);
                replace(channel, written.hash(), own);
                written = header.with(new Chain(place.before(), own));
            }
            channel.force(true);
            return new ChainedFile(written, content);
        }
    }

    /** Puts a text in the place of another one of the same length, which is near the beginning. */
    private static void replace(FileChannel channel, String placeholder, String text) throws IOException {
        ByteBuffer beginning = ByteBuffer.allocate((int) Math.min(channel.size(), BEGINNING_BYTES));
        channel.position(0);
        while (beginning.hasRemaining() && channel.read(beginning) >= 0) {
            // on to the end
        }
        int at = new String(beginning.array(), ISO_8859_1).indexOf(placeholder);
        if (at < 0) {
            throw new AssertionError("the header chain is not at the beginning of a patch");
        }
        channel.write(ByteBuffer.wrap(text.getBytes(US_ASCII)), at);
    }
}
