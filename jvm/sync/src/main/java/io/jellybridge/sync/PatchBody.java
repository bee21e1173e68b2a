package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.TermSource;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * The rows of one request, in a temporary file, so that they can be sent again. {@link #close} deletes the file. Jelly-Patch
 * is compressed. Text is not, since Fuseki would not accept it. Headers are for a server that reads them, and transactions for
 * one that supports {@code TA}.
 *
 * @param <T> the type of a term
 */
final class PatchBody<T> extends ForwardingHandler<T> implements Closeable {
    private static final String TEXT_BEGINS = "TX .\n";

    private final Path file;
    private final Closeable output;
    private boolean empty = true;
    private boolean finished;

    PatchBody(boolean jelly, TermSource<T> terms) throws IOException {
        file = Files.createTempFile("jellybridge-", jelly ? ".jellyp.gz" : ".rdfp");
        OutputStream out = Files.newOutputStream(file);
        if (jelly) {
            PatchWriter<T> patch = new PatchWriter<>(new GZIPOutputStream(out, 1 << 16), null, terms,
                    PatchOptions.DEFAULT.withRdfStar(true), WriteOptions.DEFAULT);
            setTarget(patch);
            output = patch;
        } else {
            // The transaction stays open: the rows that end it are sent after the file.
            out.write(TEXT_BEGINS.getBytes(US_ASCII));
            // The reader is Jena, which takes tokens of any size.
            RdfPatchWriteOptions options =
                    RdfPatchWriteOptions.DEFAULT.withMarks(false).withMaxTokenBytes(Integer.MAX_VALUE);
            RdfPatchWriter<T> text = new RdfPatchWriter<>(out, null, terms, options);
            setTarget(text);
            output = text;
        }
    }

    @Override
    protected void afterRow(Op op) {
        empty &= op == Op.H;
    }

    /** Returns true if nothing was written, apart from headers. */
    boolean isEmpty() {
        return empty;
    }

    /** Completes the file and returns it. */
    Path finish() throws IOException {
        if (!finished) {
            finished = true;
            output.close();
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        try {
            finish();
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
