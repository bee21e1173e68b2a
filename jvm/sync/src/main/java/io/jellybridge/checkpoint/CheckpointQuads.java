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
 * The quads of a checkpoint, in their order, each once. Where the last was read, they were those of which the checkpoint has
 * the number and the hash, or it was an error. For one thread.
 */
final class CheckpointQuads implements Items<CanonicalQuad>, Closeable {
    private final Checkpoint checkpoint;
    private final CheckpointStream<byte[]> stream;
    private final SortedMap<String, byte[]> prefixes = new TreeMap<>();
    private final QuadsHash read = new QuadsHash();
    /** What was handed over last, and what comes next. */
    private CanonicalQuad last;
    private CanonicalQuad next;

    CheckpointQuads(Checkpoint checkpoint) throws IOException {
        this.checkpoint = checkpoint;
        this.stream = new CheckpointStream<>(checkpoint, new Utf8Terms());
        try {
            advance(); // and so past the prefixes
        } catch (IOException | RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    /** The namespaces, as terms, by their names. */
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
            // the events keep what comes
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
