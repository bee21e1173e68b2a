package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.CloseShieldOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file with one patch, in the format of log files: Jelly-Patch of quads, which may have triple terms.
 *
 * @param header  the headers of the patch, with its chain if its place in a log is known
 * @param content the hash of its content
 */
record ChainedFile(PatchHeader header, ContentHash content) {
    private static final PatchOptions OPTIONS = PatchOptions.DEFAULT.withRdfStar(true);
    /** The number of bytes at the beginning that include the headers of the chain. */
    private static final int BEGINNING_BYTES = 1 << 12;

    /** Writes the rows of the file. */
    @FunctionalInterface
    interface Rows {
        void writeTo(PatchHandler<byte[]> file, PatchHeader header) throws IOException;
    }

    /** Returns a writer for such a file. */
    static PatchWriter<byte[]> openWriter(OutputStream out, String name) {
        return new PatchWriter<>(out, name, new Utf8Terms(), OPTIONS, WriteOptions.DEFAULT);
    }

    /**
     * Writes a file and forces it to the disk.
     *
     * @param name  the name of the log in errors
     * @param place the place of the patch; null to keep the chain of the header
     * @param rows  writes the whole patch, with the header that it receives
     */
    static ChainedFile writeFile(Path file, String name, ChainPlace place, PatchHeader header, Rows rows) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            PatchWriter<byte[]> writer = openWriter(new CloseShieldOutputStream(Channels.newOutputStream(channel)), name);
            ContentHash content = new ContentHash(writer);
            PatchHeader written = place == null ? header
                    : header.with(new Chain(place.before(), Chain.placeholder()));
            rows.writeTo(content, written);
            writer.close();
            if (place != null) {
                String own = place.hash(header.id(), header.prev(), content);
                replaceText(file, channel, written.hash(), own);
                written = header.with(new Chain(place.before(), own));
            }
            channel.force(true);
            return new ChainedFile(written, content);
        }
    }

    /** Replaces a text near the beginning by another one of the same length, and renews the checksum of its frame. */
    private static void replaceText(Path file, FileChannel channel, String placeholder, String text) throws IOException {
        ByteBuffer beginning = ByteBuffer.allocate((int) Math.min(channel.size(), BEGINNING_BYTES));
        channel.position(0);
        while (beginning.hasRemaining() && channel.read(beginning) >= 0) {
            // reads on to the end
        }
        int at = new String(beginning.array(), ISO_8859_1).indexOf(placeholder);
        if (at < 0) {
            throw new AssertionError("the header chain is not at the beginning of a patch");
        }
        channel.write(ByteBuffer.wrap(text.getBytes(US_ASCII)), at);
        StreamFrames.Checksum checksum = StreamFrames.computeChecksum(Files.newInputStream(file), at);
        channel.write(ByteBuffer.wrap(checksum.bytes()), checksum.offset());
    }
}
