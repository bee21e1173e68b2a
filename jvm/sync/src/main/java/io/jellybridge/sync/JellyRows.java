package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.QuadsProtocol;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NoSuchElementException;

/** All quads of a dataset, from a server with our module. They are in a temporary file, which {@link #close} deletes. */
final class JellyRows implements QuadCursor, RdfHandler<byte[]> {
    private static final ReadOptions LIMITS = ReadOptions.DEFAULT.withMaxFrameBytes(QuadsProtocol.MAX_FRAME_BYTES)
            .withMaxBytes(QuadsProtocol.MAX_FRAME_BYTES, QuadsProtocol.MAX_FRAME_BYTES);

    private final Path file;
    private final URI server;
    private final boolean positions;
    private final RdfReader<byte[]> reader;
    private byte[][] next;
    private long read;
    /** The number of quads according to the end of the response; null before the end. */
    private String all;

    /**
     * Creates a cursor.
     *
     * @param positions true to include the graph of positions
     */
    JellyRows(Path file, URI server, boolean positions) throws IOException {
        this.file = file;
        this.server = server;
        this.positions = positions;
        this.reader = new RdfReader<>(Files.newInputStream(file), server.toString(), new Utf8Terms(), LIMITS);
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
                more = reader.next(this);
            }
            if (next == null && !Long.toString(read).equals(all)) {
                throw cut(null);
            }
        } catch (FormatException e) {
            throw new UncheckedIOException(cut(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return next != null;
    }

    private HttpException cut(FormatException cause) {
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
    public void close() {
        try (reader) {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
