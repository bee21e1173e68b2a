package io.jellybridge.jena.capture;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.ChainHeaders;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.jena.nodes.NodeTerms;
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
 * The patch of a transaction that is under way: a stream of its own, encoded as its rows come. Its first bytes are in
 * memory, those that are too many in a hidden file, until it is appended to a log or dropped.
 *
 * <p>It has the headers {@code id}, {@code prev} and {@code time}, before its rows. The time is that of the commit, which
 * nobody knows when they are encoded; so a text of its length stands in its place until then.
 */
final class OpenPatch {
    /** Stands for the time: as long as one, and nowhere else. */
    private static final String NO_TIME =
            UUID.randomUUID().toString().substring(0, PatchTimes.MILLISECONDS.format(Instant.EPOCH).length());
    private static final int BYTES_IN_MEMORY = 1 << 20;

    private final Node id;
    private final SpillBuffer bytes;
    private final PatchWriter<Node> writer;

    /**
     * @param folder in which files may be made
     * @param prev   null: it is the first
     */
    OpenPatch(Path folder, Node id, Node prev, CaptureOptions options) {
        this.id = id;
        this.bytes = new SpillBuffer(folder, BYTES_IN_MEMORY);
        this.writer = new PatchWriter<>(bytes, null, new NodeTerms(), options.patchOptions(), options.writeOptions());
        ChainHeaders.write(writer, id, prev);
        PatchTimes.write(writer, NodeFactory.createLiteralDT(NO_TIME, XSDDatatype.XSDdateTime));
    }

    Node id() {
        return id;
    }

    /** Takes the rows. */
    PatchHandler<Node> rows() {
        return writer;
    }

    /** Ends it; its bytes, which are there until it is dropped. */
    InputStream end() throws IOException {
        writer.close();
        bytes.replace(NO_TIME.getBytes(US_ASCII), PatchTimes.MILLISECONDS.format(Instant.now()).getBytes(US_ASCII));
        return bytes.read();
    }

    /** How many rows it has, headers too. */
    long rowCount() {
        return writer.rows();
    }

    /** Leaves nothing of it outside of a log. */
    void drop() {
        bytes.discard();
    }
}
