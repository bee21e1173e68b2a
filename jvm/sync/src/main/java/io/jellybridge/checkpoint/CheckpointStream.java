package io.jellybridge.checkpoint;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PartFile;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;

/**
 * A reader of the files of a checkpoint, one after the other. Not thread-safe.
 *
 * @param <T> the type of a term
 */
final class CheckpointStream<T> implements Closeable {
    private final Iterator<PartFile> parts;
    private final TermFactory<T> terms;
    private String file;
    private RdfReader<T> reader;

    CheckpointStream(Checkpoint checkpoint, TermFactory<T> terms) throws IOException {
        this.file = checkpoint.name();
        this.parts = checkpoint.files().iterator();
        this.terms = terms;
    }

    /** Reads the next event. Returns false at the end. */
    boolean next(RdfHandler<T> handler) throws IOException {
        while (reader == null || !reader.next(handler)) {
            close();
            if (!parts.hasNext()) {
                return false;
            }
            PartFile part = parts.next();
            file = part.name();
            reader = new RdfReader<>(new BufferedInputStream(part.open(), 1 << 16), file, terms, ReadOptions.DEFAULT);
        }
        return true;
    }

    /** Returns an error at the current place, see {@link io.jellybridge.codec.PatchSource#error}. */
    FormatException error(String rule, String found, String advice) {
        return reader == null ? FormatException.inText(rule, file, 0, 0, -1, found, advice)
                : reader.error(rule, found, advice);
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            RdfReader<T> open = reader;
            reader = null;
            open.close();
        }
    }
}
