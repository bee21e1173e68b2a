package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.files.CloseShieldOutputStream;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.ContentHash;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;

/**
 * A writer for one file of a checkpoint. It accepts sorted quads and skips duplicates. It also skips the graph of positions,
 * which is not data. Not thread-safe.
 */
public final class PartWriter implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;
    /** The size at which a file is full. One Spark task reads a file. */
    private static final long FULL_BYTES = 16 << 20;
    private static final int QUADS_BETWEEN_LOOKS = 1 << 10;

    private final Path file;
    private final FileChannel channel;
    private final MessageDigest digest = ContentHash.newSha256();
    private final BufferedOutputStream out;
    private final RdfWriter<byte[]> writer;
    private final boolean hasPrefixes;
    private final QuadsHash written = new QuadsHash();
    private CanonicalQuad first;
    private CanonicalQuad last;

    /**
     * Creates a file.
     *
     * @param file     the file to create
     * @param prefixes the namespaces, as terms, by their names
     * @param terms    the rules for accepted terms
     */
    public PartWriter(Path file, Map<String, byte[]> prefixes, TermRules terms) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.out = new BufferedOutputStream(
                new DigestOutputStream(Channels.newOutputStream(channel), digest), BUFFER_BYTES);
        this.writer = new RdfWriter<>(new CloseShieldOutputStream(out), file.toString(), new Utf8Terms(), optionsFor(prefixes),
                WriteOptions.DEFAULT.withTerms(terms));
        this.hasPrefixes = !prefixes.isEmpty();
        prefixes.forEach((name, namespace) -> writer.namespace(name.getBytes(UTF_8), namespace));
    }

    /** Returns the stream options: quads that may have triple terms, and the prefixes if there are any. */
    static RdfOptions optionsFor(Map<String, byte[]> prefixes) {
        return RdfOptions.DEFAULT.withRdfStar(true).withNamespaceDeclarations(!prefixes.isEmpty());
    }

    /**
     * Writes a quad, unless it equals the previous one.
     *
     * @throws FormatException          its terms can't be a statement of RDF
     * @throws IllegalArgumentException it sorts before the previous quad
     */
    public void add(CanonicalQuad quad) {
        int order = last == null ? -1 : CanonicalQuad.BY_LINE.compare(last, quad);
        if (order > 0) {
            throw new IllegalArgumentException(quad.text() + " came behind " + last.text()
                    + "; quads must be in the order of their lines");
        }
        if (order == 0 || Position.isGraph(quad.graph())) {
            return;
        }
        writer.statement(quad.subject(), quad.predicate(), quad.object(), quad.graph());
        written.add(quad);
        first = first == null ? quad : first;
        last = quad;
    }

    /** Returns true if the next quads should go to another file. */
    boolean isFull() throws IOException {
        return written.quads() > 0 && written.quads() % QUADS_BETWEEN_LOOKS == 0 && channel.position() >= FULL_BYTES;
    }

    /** Completes the file and forces it to the disk. */
    public CheckpointPart end() throws IOException {
        writer.close();
        out.flush();
        channel.force(true);
        long bytes = channel.position();
        channel.close();
        return new CheckpointPart(file.toString(), written.quads(), written.hash(), bytes,
                HexFormat.of().formatHex(digest.digest()), toLine(first), toLine(last), first == null && !hasPrefixes);
    }

    private static byte[] toLine(CanonicalQuad quad) {
        return quad == null ? null : quad.line();
    }

    /** Closes the file, without completing it. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
