package io.jellybridge.sync;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.Op;
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
        ContentHash last = new ContentHash();
        long events = 0;
        try (PatchWriter<byte[]> writer = writer()) {
            for (int i = 0; i < batch.size(); i++) {
                PatchHandler<byte[]> whole = i == batch.size() - 1 ? last : new PatchAdapter<>();
                Copy copy = new Copy(whole, writer, batch.get(i).applied());
                try (PatchSource<byte[]> patch = cursor.open(batch.get(i))) {
                    while (patch.next(copy)) {
                        if (++events % EVENTS_BETWEEN_REPORTS == 0) {
                            progress.reading(writer.rows());
                        }
                    }
                }
            }
        }
        return new SyncPatch.Content(last.rows(), last.hash());
    }

    /** Passes all events to one handler, and those after the first rows to another. */
    private static final class Copy extends ForwardingHandler<byte[]> {
        private final PatchHandler<byte[]> rest;
        private long before;

        Copy(PatchHandler<byte[]> whole, PatchHandler<byte[]> rest, long before) {
            to(whole);
            this.rest = rest;
            this.before = before;
        }

        @Override
        protected void afterRow(Op op) {
            before--;
        }

        @Override
        public void header(byte[] key, byte[] value) {
            super.header(key, value);
            if (before < 0) {
                rest.header(key, value);
            }
        }

        @Override
        public void transaction(Op op) {
            super.transaction(op);
            if (before < 0) {
                rest.transaction(op);
            }
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            super.prefix(op, name, namespace, graph);
            if (before < 0) {
                rest.prefix(op, name, namespace, graph);
            }
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            super.statement(op, subject, predicate, object, graph);
            if (before < 0) {
                rest.statement(op, subject, predicate, object, graph);
            }
        }

        @Override
        public void endPatch() {
            rest.endPatch();
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
