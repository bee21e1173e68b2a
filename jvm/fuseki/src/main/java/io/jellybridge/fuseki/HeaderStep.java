package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;

/** A step that depends on the headers of the patches of a request. They are collected while the patches are checked. */
abstract class HeaderStep implements PatchApplier.Step {
    private boolean heard;

    /** Returns the source. On the first call, it is wrapped to collect the headers. */
    final PatchSource<Node> listen(PatchSource<Node> source) {
        if (heard) {
            return source;
        }
        heard = true;
        return new Listener(source);
    }

    /** Receives a header of a patch. */
    abstract void header(byte[] key, Node value, PatchSource<Node> source);

    /** Receives the end of a patch. */
    void endPatch(PatchSource<Node> source) {
        // for a subclass that combines the headers of a patch
    }

    private final class Listener extends ForwardingHandler<Node> implements ForwardingSource<Node, Node> {
        private final PatchSource<Node> source;

        Listener(PatchSource<Node> source) {
            this.source = source;
        }

        @Override
        public PatchSource<Node> source() {
            return source;
        }

        @Override
        public boolean next(PatchHandler<Node> events) throws IOException {
            setTarget(events);
            return source.next(this);
        }

        @Override
        public void header(byte[] key, Node value) {
            HeaderStep.this.header(key, value, source);
            super.header(key, value);
        }

        @Override
        public void endPatch() {
            HeaderStep.this.endPatch(source);
            super.endPatch();
        }
    }

    /** The step that the parameters of a request define, with the notes in the headers. There may be many notes. */
    static final class OfParameters extends HeaderStep {
        private static final byte[] NOTE = PatchProtocol.NOTE.getBytes(UTF_8);

        private final PositionUpdate advance;
        private final DatasetGraph data;
        private final List<String> notes = new ArrayList<>();

        /**
         * Creates a step.
         *
         * @param data the dataset of which the {@link DatasetVersion} is checked; null if it has none
         */
        OfParameters(PositionUpdate advance, DatasetGraph data) {
            this.advance = advance;
            this.data = data;
        }

        @Override
        void header(byte[] key, Node value, PatchSource<Node> source) {
            if (Arrays.equals(key, NOTE)) {
                if (!value.isLiteral()) {
                    throw source.newError("header", value + " as header " + PatchProtocol.NOTE, "write a literal");
                }
                notes.add(value.getLiteralLexicalForm());
            }
        }

        @Override
        public void before(DatasetGraph dataset) {
            advance.before(dataset);
            if (advance.version() != null) {
                advance.checkVersion(data == null ? null : DatasetVersion.of(data));
            }
        }

        @Override
        public void after(DatasetGraph dataset) {
            new PositionUpdate(advance.key(), advance.expected(), advance.next(), notes).after(dataset);
        }
    }

    /** Thrown if the patches were applied before, so that nothing is left to do. */
    static final class AppliedBeforeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AppliedBeforeException() {
            super("applied before", null, false, false);
        }
    }

    /**
     * The step that the headers {@code id} and {@code prev} define, from the first one's {@code prev} to the last one's {@code
     * id}. Either all patches of a body have an id or none has. Each patch but the first has the id of the one before it as its
     * {@code prev}. Without ids there is no step.
     */
    static final class OfChain extends HeaderStep {
        private final StoredPosition position = new StoredPosition(PatchProtocol.LOG_KEY);
        private final IdHeaders<String> ids = new IdHeaders<>();
        private boolean first = true;
        private String expected;
        private String next;

        /** Returns the key of the step; null if there is no step. */
        String key() {
            return next == null ? null : PatchProtocol.LOG_KEY;
        }

        /** Returns the position after the step; null if there is no step. */
        String next() {
            return next;
        }

        @Override
        void header(byte[] key, Node value, PatchSource<Node> source) {
            String name = IdHeaders.nameOf(key);
            if (name == null) {
                return;
            }
            if (ids.has(name)) {
                throw source.newError("header", "a second header " + name + " in a patch", "write one");
            }
            if (!value.isURI() && !value.isLiteral()) {
                throw source.newError("header", value + " as header " + name,
                        "write an IRI such as <urn:uuid:...>, or a literal");
            }
            ids.put(name, StoredPosition.toCanonical(value));
        }

        @Override
        void endPatch(PatchSource<Node> source) {
            String id = ids.id();
            String prev = ids.prev();
            if (id == null && prev != null) {
                throw source.newError("header", "a patch with a header prev and without an id", "write both, or none");
            }
            if (id != null && id.equals(prev)) {
                throw source.newError("header", "a patch with " + id + " as id and as prev", "give each patch an id of its own");
            }
            if (first) {
                expected = prev;
            } else if (!Objects.equals(next, prev)) {
                throw source.newError("header", "a patch with " + (prev == null ? "no prev" : prev + " as prev")
                        + " after one with " + (next == null ? "no id" : next + " as id"),
                        "send patches in the order of their chain");
            }
            first = false;
            next = id;
            ids.clear();
        }

        @Override
        public void before(DatasetGraph dataset) {
            if (next == null) {
                return;
            }
            Position found = position.find(dataset);
            if (next.equals(Position.idOf(found))) {
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
    }
}
