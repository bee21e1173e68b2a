package io.jellybridge.sync;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.Io;
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
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.ContentHash;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A copy of patches for repeated reading, in memory or, beyond {@value #MAX_IN_MEMORY} bytes, in a temporary file.
 * {@link #close} frees both.
 */
final class PatchSpool implements Patches, Closeable {
    private static final int MAX_IN_MEMORY = 8 << 20;
    private static final int EVENTS_BETWEEN_REPORTS = 1 << 12;

    private final SpillBuffer buffer = new SpillBuffer(Path.of(System.getProperty("java.io.tmpdir")), MAX_IN_MEMORY);

    /** Returns a writer of terms of any kind. */
    static PatchWriter<byte[]> openWriter(OutputStream out, String name) {
        return new PatchWriter<>(out, name, new Utf8Terms(), PatchOptions.DEFAULT.withRdfStar(true)
                .withGeneralizedStatements(true), WriteOptions.DEFAULT.withTerms(TermRules.ANY));
    }

    /** Returns the writer of the copy. It must be closed before the copy is read. */
    PatchWriter<byte[]> writer() {
        return openWriter(buffer, null);
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
                try (PatchSource<byte[]> source = cursor.openPatch(patch)) {
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

    /**
     * Reads a batch and creates its net effect, which the caller closes: the last operation of each quad and each prefix. They
     * keep their order, since a store may treat two literals as one ({@code "042"} and {@code "42"} in TDB2). The quads of the
     * batch are in memory.
     */
    static PatchSpool ofNetEffect(Patches batch) throws IOException {
        Map<Row, Last> rows = new LinkedHashMap<>();
        AppliedRows.read(batch, check -> new AppliedRows<>(check) {
            @Override
            protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
                put(Row.of(name, null, null, null), new Last(op, namespace));
            }

            @Override
            protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                put(Row.of(subject, predicate, object, graph), new Last(op, null));
            }

            private void put(Row row, Last last) {
                rows.remove(row);
                rows.put(row, last);
            }
        });
        return Io.closeOnFailure(new PatchSpool(), effect -> {
            try (PatchWriter<byte[]> writer = effect.writer()) {
                writer.transaction(Op.TX);
                rows.forEach((row, last) -> row.write(last, writer));
                writer.transaction(Op.TC);
            }
            return effect;
        });
    }

    /** The last operation of a quad or a prefix, with the namespace of the prefix. */
    private record Last(Op op, byte[] namespace) {
    }

    /** A quad, or the name of a prefix as its subject. The graph may be null. */
    private record Row(ByteBuffer subject, ByteBuffer predicate, ByteBuffer object, ByteBuffer graph) {

        static Row of(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            return new Row(wrapped(subject), wrapped(predicate), wrapped(object), wrapped(graph));
        }

        private static ByteBuffer wrapped(byte[] term) {
            return term == null ? null : ByteBuffer.wrap(term);
        }

        void write(Last last, PatchWriter<byte[]> writer) {
            if (predicate == null) {
                writer.prefix(last.op, subject.array(), last.namespace, null);
            } else {
                writer.statement(last.op, subject.array(), predicate.array(), object.array(),
                        graph == null ? null : graph.array());
            }
        }
    }

    /** Drops the events before the rest of a patch. */
    private static final class Rest extends ForwardingHandler<byte[]> {

        Rest() {
            setTarget(new PatchAdapter<>());
        }

        void passTo(PatchHandler<byte[]> next) {
            setTarget(next);
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
