package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.log.Checkpoint;
import java.io.Closeable;
import java.io.IOException;
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
        try {
            advance(); // which also reads the prefixes
        } catch (IOException | RuntimeException e) {
            stream.close();
            throw e;
        }
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
            throw checkpoint.isNot(read.quads(), read.hash());
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
                throw stream.error("checkpoint", "a quad that is not behind the one before it", "make the checkpoint anew");
            }
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
