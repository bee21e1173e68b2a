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
import io.jellybridge.files.FileSlice;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A local file that becomes an object of a log. It has one patch or several, each a stream of its own, in the format of log
 * files: Jelly-Patch of quads, which may have triple terms.
 */
final class ChainedFile implements Closeable {
    private static final PatchOptions OPTIONS = PatchOptions.DEFAULT.withRdfStar(true);
    /** The number of bytes at the beginning of a patch that include the headers of the chain. */
    private static final int BEGINNING_BYTES = 1 << 12;

    private final Path file;
    private final String name;
    private final WriteOptions ofFirst;
    private final FileChannel channel;
    /** The offset of the end of the last complete patch. */
    private long size;

    /**
     * Creates a file, or replaces one.
     *
     * @param name    the name of the log in errors
     * @param several true if it may get several patches
     */
    ChainedFile(Path file, String name, boolean several) throws IOException {
        this.file = file;
        this.name = name;
        this.ofFirst = several ? WriteOptions.DEFAULT.withCount() : WriteOptions.DEFAULT;
        this.channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    /**
     * A patch in the file.
     *
     * @param header  the headers of the patch, with its chain if its place in a log is known
     * @param content the hash of its content
     */
    record Written(PatchHeader header, ContentHash content, long offset, long length) {
    }

    /** Writes the rows of a patch. */
    @FunctionalInterface
    interface Rows {
        void writeTo(PatchHandler<byte[]> file, PatchHeader header) throws IOException;
    }

    /** Returns a writer for a patch. */
    static PatchWriter<byte[]> openWriter(OutputStream out, String name) {
        return openWriter(out, name, WriteOptions.DEFAULT);
    }

    private static PatchWriter<byte[]> openWriter(OutputStream out, String name, WriteOptions options) {
        return new PatchWriter<>(out, name, new Utf8Terms(), OPTIONS, options);
    }

    /** Writes a file with one patch, as {@link #append} does, and forces it to the disk. */
    static Written writeFile(Path file, String name, ChainPlace place, PatchHeader header, Rows rows) throws IOException {
        try (ChainedFile made = new ChainedFile(file, name, false)) {
            Written written = made.append(place, header, rows);
            made.force(1);
            return written;
        }
    }

    /** Returns the number of bytes of the complete patches. */
    long size() {
        return size;
    }

    /**
     * Appends a patch. After an error, the file has the patches before it.
     *
     * @param place the place of the patch; null to keep the chain of the header
     * @param rows  writes the whole patch, with the header that it receives
     */
    Written append(ChainPlace place, PatchHeader header, Rows rows) throws IOException {
        boolean done = false;
        try {
            channel.position(size);
            PatchWriter<byte[]> writer = openWriter(new CloseShieldOutputStream(Channels.newOutputStream(channel)), name,
                    size == 0 ? ofFirst : WriteOptions.DEFAULT);
            ContentHash content = new ContentHash(writer);
            PatchHeader written = place == null ? header
                    : header.with(new Chain(place.before(), Chain.placeholder()));
            rows.writeTo(content, written);
            writer.close();
            if (place != null) {
                String own = place.hash(header.id(), header.prev(), content);
                replaceText(written.hash(), own);
                written = header.with(new Chain(place.before(), own));
            }
            Written patch = new Written(written, content, size, channel.size() - size);
            size = channel.size();
            done = true;
            return patch;
        } finally {
            if (!done) {
                channel.truncate(size);
            }
        }
    }

    /** Removes the last patch. */
    void takeBack(Written last) throws IOException {
        size = last.offset();
        channel.truncate(size);
    }

    /** States the number of patches, and forces the file to the disk. */
    void force(int patches) throws IOException {
        if (patches > 1) {
            stateCount(file, channel, patches);
        }
        channel.force(true);
    }

    /** Changes the number of patches that a file states, if it states one. */
    static void stateCount(Path file, FileChannel channel, int patches) throws IOException {
        long at = StreamFrames.placeOfCount(open(file, 0, channel.size()));
        if (at >= 0) {
            channel.write(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(patches).flip(), at);
            renewChecksum(file, channel, 0, at);
        }
    }

    /** Replaces a text near the beginning of the last patch by another one of the same length. */
    private void replaceText(String placeholder, String text) throws IOException {
        ByteBuffer beginning = ByteBuffer.allocate((int) Math.min(channel.size() - size, BEGINNING_BYTES));
        channel.position(size);
        while (beginning.hasRemaining() && channel.read(beginning) >= 0) {
            // reads on to the end
        }
        int at = new String(beginning.array(), ISO_8859_1).indexOf(placeholder);
        if (at < 0) {
            throw new AssertionError("the header chain is not at the beginning of a patch");
        }
        channel.write(ByteBuffer.wrap(text.getBytes(US_ASCII)), size + at);
        renewChecksum(file, channel, size, at);
    }

    /** Renews the checksum of the frame with a byte of the stream that begins at an offset. */
    private static void renewChecksum(Path file, FileChannel channel, long start, long changed) throws IOException {
        StreamFrames.Checksum checksum =
                StreamFrames.computeChecksum(open(file, start, channel.size() - start), changed);
        channel.write(ByteBuffer.wrap(checksum.bytes()), start + checksum.offset());
    }

    private static InputStream open(Path file, long offset, long length) throws IOException {
        return new FileSlice(file, offset, length).open();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
