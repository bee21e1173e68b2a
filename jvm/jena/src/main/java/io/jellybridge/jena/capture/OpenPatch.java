package io.jellybridge.jena.capture;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.Chain;
import io.jellybridge.log.ChainPlace;
import io.jellybridge.log.ContentHash;
import io.jellybridge.log.PatchTimes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;

/**
 * The patch of an open transaction, encoded as a stream of its own while its rows arrive. Its first bytes are in memory, the
 * rest in a hidden file, until it is appended to a log or dropped.
 *
 * <p>Its rows follow the headers {@code id}, {@code prev}, {@code time} and, in a log, {@code chain}. The time is that of the
 * commit, and the hash in the chain is that of all rows. A placeholder of the same length stands for each until then.
 */
final class OpenPatch {
    /** The placeholder for the time. It has the length of a time, and occurs nowhere else. */
    private static final String NO_TIME =
            UUID.randomUUID().toString().substring(0, PatchTimes.MILLISECONDS.format(Instant.EPOCH).length());
    private static final int BYTES_IN_MEMORY = 1 << 20;

    private final Node id;
    private final Node prev;
    private final ChainPlace place;
    /** Its own hash, or what stands for it; null: it is of no log. */
    private String hash;
    private final SpillBuffer bytes;
    private final PatchWriter<Node> writer;

    /**
     * Creates a patch.
     *
     * @param folder the folder for the hidden file
     * @param prev   the id of the patch before; null for the first patch
     * @param place  its place in a log; null without a log
     */
    OpenPatch(Path folder, Node id, Node prev, ChainPlace place, CaptureOptions options) {
        this.id = id;
        this.prev = prev;
        this.place = place;
        this.bytes = new SpillBuffer(folder, BYTES_IN_MEMORY);
        this.writer = new PatchWriter<>(bytes, null, new NodeTerms(), CaptureOptions.STREAM, options.writeOptions());
        IdHeaders.write(writer, id, prev);
        PatchTimes.write(writer, NodeFactory.createLiteralDT(NO_TIME, XSDDatatype.XSDdateTime));
        if (place != null) {
            hash = Chain.placeholder();
            Chain.write(writer, NodeFactory.createLiteralString(new Chain(place.before(), hash).text()));
        }
    }

    Node id() {
        return id;
    }

    /** Returns the handler for the rows. */
    PatchHandler<Node> rows() {
        return writer;
    }

    /** Ends the patch and returns its bytes, which exist until it is dropped. */
    InputStream end() throws IOException {
        writer.close();
        replaceHeader(NO_TIME, PatchTimes.MILLISECONDS.format(Instant.now()));
        if (place != null) {
            String placeholder = hash;
            hash = readHash();
            replaceHeader(placeholder, hash);
        }
        return bytes.read();
    }

    /** Replaces a text of the headers by one of the same length, and renews the checksum of its frame. */
    private void replaceHeader(String placeholder, String text) throws IOException {
        int position = bytes.replace(placeholder.getBytes(US_ASCII), text.getBytes(US_ASCII));
        StreamFrames.Checksum checksum = StreamFrames.computeChecksum(bytes.read(), position);
        bytes.overwrite(checksum.offset(), checksum.bytes());
    }

    /** Reads the rows as every reader of the log will. */
    private String readHash() throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = new PatchReader<>(bytes.read(), id.getURI(), new Utf8Terms(), ReadOptions.DEFAULT)) {
            patch.readAll(content);
        }
        return place.hash(id.getURI(), prev == null ? null : prev.getURI(), content);
    }

    /** Returns its own hash in the chain of a log. Call it after {@link #end}. */
    String hash() {
        return hash;
    }

    /** Returns the number of its rows, including headers. */
    long rowCount() {
        return writer.rows();
    }

    /** Deletes its bytes. */
    void drop() {
        bytes.discard();
    }
}
