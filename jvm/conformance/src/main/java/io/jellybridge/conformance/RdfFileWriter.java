package io.jellybridge.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.StatementWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.WriteOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a Jelly-RDF file of statements that come one by one, with frames that end where the caller says and nowhere else.
 * In a GRAPHS stream, statements of one graph that follow each other are one graph; none spans frames.
 *
 * <p>Terms are N-Triples text, {@code << s p o >>} included. What the options rule out is refused with a
 * {@link io.jellybridge.codec.FormatException}.
 */
public final class RdfFileWriter implements Closeable {
    private static final WriteOptions WHOLE_FRAMES =
            new WriteOptions(Integer.MAX_VALUE, true, WriteOptions.DEFAULT.maxFrameBytes()).withTerms(TermRules.ANY);

    private final StatementWriter<byte[]> writer;

    RdfFileWriter(Path file, RdfOptions options) throws IOException {
        writer = new StatementWriter<>(
                Files.newOutputStream(file), file.toString(), new Utf8Terms(), options, WHOLE_FRAMES);
    }

    /** @param graph null in a TRIPLES stream, and for the default graph */
    public void statement(String subject, String predicate, String object, String graph) {
        writer.statement(utf8(subject), utf8(predicate), utf8(object), utf8(graph));
    }

    /** Ends the frame, which may be an empty one. */
    public void endFrame() {
        writer.endFrame();
    }

    private static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }

    /** Writes what is left. */
    @Override
    public void close() throws IOException {
        writer.close();
    }
}
