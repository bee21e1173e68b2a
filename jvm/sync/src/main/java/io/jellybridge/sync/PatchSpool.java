package io.jellybridge.sync;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.ContentHash;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * A copy of patches for repeated reading, in memory or, beyond {@value #MAX_IN_MEMORY} bytes, in a temporary file.
 * {@link #close} frees both.
 */
final class PatchSpool implements Patches, Closeable {
    private static final int MAX_IN_MEMORY = 8 << 20;
    private static final int EVENTS_BETWEEN_REPORTS = 1 << 12;

    private final SpillBuffer buffer = new SpillBuffer(Path.of(System.getProperty("java.io.tmpdir")), MAX_IN_MEMORY);

    /** Returns a writer of terms of any kind. */
    static PatchWriter<byte[]> writer(OutputStream out, String name) {
        return new PatchWriter<>(out, name, new Utf8Terms(), PatchOptions.DEFAULT.withRdfStar(true)
                .withGeneralizedStatements(true), WriteOptions.DEFAULT.withTerms(TermRules.ANY));
    }

    /** Returns the writer of the copy. It must be closed before the copy is read. */
    PatchWriter<byte[]> writer() {
        return writer(buffer, null);
    }

    /**
     * Copies the patches of a batch, without the rows that were applied before.
     *
     * @return the content of the last patch
     * @throws RuntimeException a patch is invalid, with the place in its file
     */
    SyncPatch.Content copy(List<SyncPatch> batch, FilePatches.Cursor cursor, ProgressListener progress) throws IOException {
        ContentHash content = new ContentHash();
        long events = 0;
        try (PatchWriter<byte[]> writer = writer()) {
            for (int i = 0; i < batch.size(); i++) {
                SyncPatch patch = batch.get(i);
                Rest rest = new Rest();
                content = new ContentHash(rest);
                PatchHandler<byte[]> copy = i == batch.size() - 1 || patch.applied() > 0 ? content : writer;
                try (PatchSource<byte[]> source = cursor.open(patch)) {
                    boolean more = true;
                    while (more) {
                        if (content.rows() == patch.applied()) {
                            rest.passTo(writer);
                        }
                        more = source.next(copy);
                        if (++events % EVENTS_BETWEEN_REPORTS == 0) {
                            progress.reading(writer.rows());
                        }
                    }
                }
            }
        }
        return new SyncPatch.Content(content.rows(), content.hash());
    }

    /** Drops the events before the rest of a patch. */
    private static final class Rest extends ForwardingHandler<byte[]> {

        Rest() {
            to(new PatchAdapter<>());
        }

        void passTo(PatchHandler<byte[]> next) {
            to(next);
        }
    }

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
        return new PatchReader<>(buffer.read(), null, terms, ReadOptions.DEFAULT);
    }

    @Override
    public void close() {
        buffer.discard();
    }
}
