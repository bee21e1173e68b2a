package io.jellybridge.jena.capture;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.ChainHeaders;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.UUID;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;

/**
 * The stream of one captured file. A patch is encoded as its rows come, once, and kept apart until it is appended to the
 * file or dropped: its first bytes in memory, those that are too many in a hidden file.
 *
 * <p>Each patch has the headers {@code id}, {@code prev} and {@code time}, before its rows. The time is that of the commit,
 * which nobody knows when they are encoded; so a text of its length stands in its place until then.
 */
final class CaptureStream {
    /** Always with milliseconds, be they 0, so that times sort as text does. */
    static final DateTimeFormatter MILLISECONDS = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
    private static final byte[] TIME = "time".getBytes(US_ASCII);
    /** Stands for the time: as long as one, and nowhere else. */
    private static final String NO_TIME =
            UUID.randomUUID().toString().substring(0, MILLISECONDS.format(Instant.EPOCH).length());
    private static final int BYTES_IN_MEMORY = 1 << 20;

    private final Path folder;
    private final CaptureOptions options;
    private final PatchWriter<Node> writer;
    /** What was written of the open patch; null when none is open. */
    private SpillBuffer held;
    private long rowsBefore;

    /** @param folder in which files may be made */
    CaptureStream(Path folder, CaptureOptions options) {
        this.folder = folder;
        this.options = options;
        this.writer = new PatchWriter<>(new Held(), null, new NodeTerms(), options.patchOptions(), options.writeOptions());
    }

    /** Begins a patch. */
    void begin(Node id, Node prev) {
        hold();
        ChainHeaders.write(writer, id, prev);
        writer.header(TIME, NodeFactory.createLiteralDT(NO_TIME, XSDDatatype.XSDdateTime));
    }

    private void hold() {
        held = new SpillBuffer(folder, BYTES_IN_MEMORY);
        rowsBefore = writer.rows();
    }

    boolean hasOpenPatch() {
        return held != null;
    }

    /** Takes the rows of the open patch. */
    PatchHandler<Node> rows() {
        return writer;
    }

    /**
     * Ends the open patch, and appends it.
     *
     * @return how many rows it has
     * @throws IOException it may be there in part; nothing more can be appended then
     */
    long append(OutputStream file) throws IOException {
        writer.endPatch();
        held.replace(NO_TIME.getBytes(US_ASCII), MILLISECONDS.format(Instant.now()).getBytes(US_ASCII));
        writeHeld(file);
        return writer.rows() - rowsBefore;
    }

    private void writeHeld(OutputStream file) throws IOException {
        held.read().transferTo(file);
        held.discard();
        held = null;
    }

    /** Drops the open patch, if there is one. */
    void drop() {
        if (held != null) {
            held.discard();
            held = null;
            writer.dropPatch();
        }
    }

    /** Ends the file: also one without any patch says what it is. */
    void close(OutputStream file) throws IOException {
        drop();
        if (writer.patches() == 0) {
            hold();
            writer.close();
            writeHeld(file);
        }
    }

    /**
     * A new stream, which the open patch alone goes over to.
     *
     * @param before what this stream has appended
     */
    CaptureStream alone(Path before) throws IOException {
        writer.flush();
        CaptureStream next = new CaptureStream(folder, options);
        next.hold();
        try (InputStream all = new SequenceInputStream(Files.newInputStream(before), held.read());
                PatchReader<Node> reader = new PatchReader<>(all, before.toString(), new NodeTerms(),
                        CapturedPatch.READ_OPTIONS)) {
            PatchHandler<Node> ignored = new PatchAdapter<>();
            while (reader.row() + 1 < writer.rows()
                    && reader.next(reader.numbers().patches() < writer.patches() ? ignored : next.writer)) {
                // the new stream takes the rows
            }
        }
        held.discard();
        return next;
    }

    /** Where the writer writes to: what is held. */
    private final class Held extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            held.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            held.write(bytes, offset, length);
        }
    }
}
