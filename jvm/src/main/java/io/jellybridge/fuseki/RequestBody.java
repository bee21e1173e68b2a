package io.jellybridge.fuseki;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.jena.NodeTerms;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPInputStream;
import org.apache.jena.graph.Node;

/** The body of a request, in a temporary file, which goes with this. */
final class RequestBody implements Closeable {
    /** What errors of the body's format call it. */
    static final String NAME = "request body";

    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private final boolean jelly;

    private RequestBody(Path file, boolean jelly) {
        this.file = file;
        this.jelly = jelly;
    }

    /** @throws IOException the body was cut off, or is not the gzip that it claims to be */
    static RequestBody read(InputStream in, boolean gzip, boolean jelly) throws IOException {
        Path file = Files.createTempFile("jellybridge-", ".patch");
        RequestBody body = new RequestBody(file, jelly);
        try {
            Files.copy(gzip ? new GZIPInputStream(in, BUFFER_BYTES) : in, file, StandardCopyOption.REPLACE_EXISTING);
            return body;
        } catch (IOException | RuntimeException e) {
            body.close();
            throw e;
        }
    }

    /** Opens the body of a request. */
    @FunctionalInterface
    interface Opening {
        InputStream open() throws IOException;
    }

    /**
     * Reads a body that is refused to its end. The server would close the connection otherwise: a client that still sends
     * loses the answer, and one that is through loses its next request.
     */
    static void skipRest(Opening body) {
        try {
            body.open().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // It was cut off: there is nobody to lose the answer.
        }
    }

    PatchSource<Node> open() throws IOException {
        InputStream in = Files.newInputStream(file);
        return jelly
                ? new PatchReader<>(in, NAME, new NodeTerms(), ReadOptions.DEFAULT)
                : new RdfPatchReader<>(in, NAME, new NodeTerms(), RdfPatchReadOptions.DEFAULT);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
