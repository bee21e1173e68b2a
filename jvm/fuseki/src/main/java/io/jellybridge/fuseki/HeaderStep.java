package io.jellybridge.fuseki;

import io.jellybridge.codec.ChainHeaders;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.util.Objects;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * The step that the headers {@code id} and {@code prev} of patches define, from the first one's {@code prev} to the last one's
 * {@code id}. The headers are collected while the patches are checked. Either all patches of a body have an id or none has.
 * Each patch but the first has the id of the one before it as its {@code prev}. Without ids there is no step.
 */
final class HeaderStep implements PatchApplier.Step {

    /** Thrown if the patches were applied before, so that nothing is left to do. */
    static final class AppliedBeforeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AppliedBeforeException() {
            super("applied before", null, false, false);
        }
    }

    private final StoredPosition position;
    private boolean heard;
    private String expected;
    private String next;

    HeaderStep(StoredPosition position) {
        this.position = position;
    }

    /** Returns the key of the step; null if there is no step. */
    String key() {
        return next == null ? null : PatchProtocol.LOG_KEY;
    }

    /** Returns the position after the step; null if there is no step. */
    String next() {
        return next;
    }

    /** Returns the source. On the first call, it is wrapped to collect the headers. */
    PatchSource<Node> listen(PatchSource<Node> source) {
        if (heard) {
            return source;
        }
        heard = true;
        return new Listener(source);
    }

    @Override
    public void before(DatasetGraph dataset) {
        if (next == null) {
            return;
        }
        Position found = position.find(dataset);
        if (next.equals(Position.id(found))) {
            throw new AppliedBeforeException();
        }
        new PositionUpdate(PatchProtocol.LOG_KEY, expected, next).check(found);
    }

    @Override
    public void after(DatasetGraph dataset) {
        if (next != null) {
            position.set(dataset, next);
        }
    }

    /** A listener that collects the ids. */
    private final class Listener extends HeaderListener {
        private final ChainHeaders<String> chain = new ChainHeaders<>();
        private boolean first = true;

        Listener(PatchSource<Node> source) {
            super(source);
        }

        @Override
        public void header(byte[] key, Node value) {
            String name = ChainHeaders.name(key);
            if (name != null) {
                chain.put(name, checked(name, value));
            }
            super.header(key, value);
        }

        private String checked(String name, Node value) {
            if (chain.has(name)) {
                throw error("header", "a second header " + name + " in a patch", "write one");
            }
            if (!value.isURI() && !value.isLiteral()) {
                throw error("header", value + " as header " + name, "write an IRI such as <urn:uuid:...>, or a literal");
            }
            return StoredPosition.canonical(value);
        }

        @Override
        public void endPatch() {
            String id = chain.id();
            String prev = chain.prev();
            if (id == null && prev != null) {
                throw error("header", "a patch with a header prev and without an id", "write both, or none");
            }
            if (id != null && id.equals(prev)) {
                throw error("header", "a patch with " + id + " as id and as prev", "give each patch an id of its own");
            }
            if (first) {
                expected = prev;
            } else if (!Objects.equals(next, prev)) {
                throw error("header", "a patch with " + (prev == null ? "no prev" : prev + " as prev") + " after one with "
                        + (next == null ? "no id" : next + " as id"), "send patches in the order of their chain");
            }
            first = false;
            next = id;
            chain.clear();
            super.endPatch();
        }
    }
}
