package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.StatementFiles;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.structure.BlankTerms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The quads that a Fuseki server has sent at once, without a query: with our module all in Jelly, without it in N-Quads, by the
 * Graph Store Protocol. They are in a temporary file, which {@link #close} deletes.
 */
final class DownloadedRows implements QuadCursor, RdfHandler<byte[]> {
    private static final ReadOptions LIMITS = ReadOptions.DEFAULT.withMaxFrameBytes(QuadsProtocol.MAX_FRAME_BYTES)
            .withMaxBytes(QuadsProtocol.MAX_FRAME_BYTES, QuadsProtocol.MAX_FRAME_BYTES);
    /** The start of a blank node in the text of Jena's writers. */
    private static final String BLANK = "_:B";

    private final Path file;
    private final URI server;
    private final boolean positions;
    private final String version;
    private final StatementSource<byte[]> source;
    /** True if the end of the response says how many quads it has. */
    private final boolean isCounted;
    /** Receives what the source has; this, or what decodes the labels of blank nodes before. */
    private final RdfHandler<byte[]> handler;
    private byte[][] next;
    private long read;
    /** The number of quads according to the end of the response; null before the end. */
    private String all;

    /**
     * Creates a cursor.
     *
     * @param labels decodes the labels of N-Quads; null for Jelly
     */
    private DownloadedRows(Path file, URI server, boolean positions, String version, StatementSource<byte[]> source,
            BlankTerms labels) {
        this.file = file;
        this.server = server;
        this.positions = positions;
        this.version = version;
        this.source = source;
        this.isCounted = labels == null;
        this.handler = labels == null ? this : labels.renameTo(this);
    }

    /**
     * Opens the response of our module.
     *
     * @param positions true to include the graph of positions
     * @param version   the version of the dataset; null if the server did not tell
     */
    static DownloadedRows ofJelly(Path file, URI server, boolean positions, String version) throws IOException {
        RdfReader<byte[]> source = new RdfReader<>(Files.newInputStream(file), server.toString(), new Utf8Terms(), LIMITS);
        return new DownloadedRows(file, server, positions, version, source, null);
    }

    /**
     * Opens N-Quads or N-Triples, which it first reads whole: the text of a server does not show all terms that Jena can store.
     *
     * @param positions true to include the graph of positions
     * @return null if a term can't be told from its text
     */
    static DownloadedRows ofNQuads(Path file, URI server, boolean positions) throws IOException {
        BlankTerms labels = new BlankTerms(DownloadedRows::decodeLabel);
        try (StatementSource<byte[]> text = readNQuads(file, server)) {
            RdfHandler<byte[]> check = labels.renameTo((subject, predicate, object, graph) -> { });
            while (text.next(check)) {
                // the check does the work
            }
        } catch (FormatException | IllegalArgumentException e) {
            return null;
        }
        return new DownloadedRows(file, server, positions, null, readNQuads(file, server), labels);
    }

    private static StatementSource<byte[]> readNQuads(Path file, URI server) throws IOException {
        return StatementFiles.readNQuads(Files.newInputStream(file), server.toString());
    }

    /**
     * Returns the name of a blank node in the store. Jena writes {@code B}, then letters and digits as they are, {@code XX} for
     * {@code X}, and other characters as {@code X} with two hexadecimal digits, or with two such pairs from U+0100 on.
     *
     * @throws IllegalArgumentException it is not such a name, or several names are written so
     */
    private static byte[] decodeLabel(byte[] name) {
        String text = new String(name, UTF_8);
        if (!text.startsWith(BLANK)) {
            throw new IllegalArgumentException(text);
        }
        if (text.indexOf('X') < 0) {
            return ("_:" + text.substring(BLANK.length())).getBytes(UTF_8);
        }
        StringBuilder label = new StringBuilder("_:");
        int code = 0; // of the character before, if it is written by two digits
        for (int i = BLANK.length(); i < text.length(); i++) {
            char next = text.charAt(i);
            if (next != 'X') {
                label.append(next);
                code = 0;
            } else if (text.startsWith("X", i + 1)) {
                label.append(next);
                code = 0;
                i++;
            } else {
                if (code != 0 || i + 2 >= text.length()) {
                    throw new IllegalArgumentException(text);
                }
                code = HexFormat.fromHexDigits(text, i + 1, i + 3);
                label.append((char) code);
                i += 2;
            }
        }
        return label.toString().getBytes(UTF_8);
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        read++;
        if (positions || !Position.isGraph(graph)) {
            next = new byte[][] {subject, predicate, object, graph};
        }
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        byte[] count = metadata.get(QuadsProtocol.QUADS);
        all = count == null ? null : new String(count, US_ASCII);
    }

    /**
     * Returns true if there is another quad.
     *
     * @throws UncheckedIOException of an {@link HttpException}, if the response is cut or was changed
     */
    @Override
    public boolean hasNext() {
        try {
            boolean more = true;
            while (next == null && more) {
                more = source.next(handler);
            }
            if (next == null && isCounted && !Long.toString(read).equals(all)) {
                throw cutOffError(null);
            }
        } catch (FormatException e) {
            throw new UncheckedIOException(cutOffError(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return next != null;
    }

    private HttpException cutOffError(FormatException cause) {
        return new HttpException(server, 200, "the answer ends in the middle, or something changed it on the way; ask again", cause);
    }

    @Override
    public byte[][] next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        byte[][] quad = next;
        next = null;
        return quad;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public void close() {
        try (source) {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
