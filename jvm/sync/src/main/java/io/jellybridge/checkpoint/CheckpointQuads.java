package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.PartFile;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The quads of a checkpoint, in order and without duplicates. At the end it compares their number and hash with those of the
 * checkpoint, and throws an error if they differ. Not thread-safe.
 */
final class CheckpointQuads implements Items<CanonicalQuad>, Closeable {
    private final Checkpoint checkpoint;
    private final CheckpointStream<byte[]> stream;
    private final SortedMap<String, byte[]> prefixes = new TreeMap<>();
    private final QuadsHash read = new QuadsHash();
    /** The last returned quad, and the next one. */
    private CanonicalQuad last;
    private CanonicalQuad next;

    CheckpointQuads(Checkpoint checkpoint) throws IOException {
        this.checkpoint = checkpoint;
        this.stream = new CheckpointStream<>(checkpoint, new Utf8Terms());
        Io.closeOnFailure(stream, opened -> {
            advance(); // which also reads the prefixes
            return this;
        });
    }

    /** Returns the namespaces, as terms, by their names. */
    SortedMap<String, byte[]> prefixes() {
        return prefixes;
    }

    @Override
    public CanonicalQuad next() throws IOException {
        last = next;
        if (last != null) {
            advance();
        }
        return last;
    }

    private void advance() throws IOException {
        next = null;
        while (next == null && stream.next(new Events())) {
            // the event handler stores the next quad
        }
        if (next != null) {
            read.add(next);
        } else if (read.quads() != checkpoint.quads() || !read.hash().equals(checkpoint.hash())) {
            throw checkpoint.otherStateError(read.quads(), read.hash());
        }
    }

    private final class Events implements RdfHandler<byte[]> {

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            prefixes.put(new String(name, UTF_8), namespace);
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            next = new CanonicalQuad(subject, predicate, object, graph);
            if (last != null && CanonicalQuad.BY_LINE.compare(last, next) >= 0) {
                throw stream.newError("checkpoint", "a quad that is not behind the one before it", "make the checkpoint anew");
            }
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }

    /**
     * A reader of the files of a checkpoint, one after the other. Not thread-safe.
     *
     * @param <T> the type of a term
     */
    static final class CheckpointStream<T> implements Closeable {
        private final LogStore store;
        private final Iterator<PartFile> parts;
        private final TermFactory<T> terms;
        private String file;
        private RdfReader<T> reader;

        CheckpointStream(Checkpoint checkpoint, TermFactory<T> terms) throws IOException {
            this.file = checkpoint.name();
            this.store = checkpoint.store();
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
                reader = new RdfReader<>(new BufferedInputStream(part.open(store), 1 << 16), file, terms, ReadOptions.DEFAULT);
            }
            return true;
        }

        /** Returns an error at the current place, see {@link io.jellybridge.codec.PatchSource#newError}. */
        FormatException newError(String rule, String found, String advice) {
            return reader == null ? FormatException.inText(rule, file, 0, 0, -1, found, advice)
                    : reader.newError(rule, found, advice);
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
}
