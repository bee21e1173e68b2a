package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.files.ExternalSorter.Form;
import io.jellybridge.files.ExternalSorter.Items;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;

/** A quad whose terms are canonical N-Triples in UTF-8. The graph is null for the default graph. */
public record CanonicalQuad(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
    private static final int OBJECT_OVERHEAD = 32;
    private static final byte[] NOTHING = {};
    /** Compares quads by graph, subject, predicate and object, as bytes. The default graph comes first. */
    static final Comparator<CanonicalQuad> BY_GRAPH = Comparator
            .comparing(CanonicalQuad::graph, Comparator.<byte[]>nullsFirst(Arrays::compareUnsigned))
            .thenComparing(CanonicalQuad::subject, Arrays::compareUnsigned)
            .thenComparing(CanonicalQuad::predicate, Arrays::compareUnsigned)
            .thenComparing(CanonicalQuad::object, Arrays::compareUnsigned);

    /** Compares quads by the bytes of their {@linkplain #line() lines}. */
    public static final Comparator<CanonicalQuad> BY_LINE = (one, other) -> {
        int order = compareInLine(one.subject, other.subject, one, other);
        order = order != 0 ? order : compareInLine(one.predicate, other.predicate, one, other);
        order = order != 0 ? order : compareInLine(one.object, other.object, one, other);
        return order != 0 ? order : compareInLine(nullToEmpty(one.graph), nullToEmpty(other.graph), one, other);
    };

    /** The serializer for sorting. */
    public static final Form<CanonicalQuad> FORM = new Form<>() {

        @Override
        public long sizeOf(CanonicalQuad quad) {
            return 5L * OBJECT_OVERHEAD + quad.object.length + quad.subject.length + quad.predicate.length
                    + (quad.graph == null ? 0 : quad.graph.length);
        }

        @Override
        public void write(CanonicalQuad quad, DataOutput out) throws IOException {
            for (byte[] term : new byte[][] {quad.subject, quad.predicate, quad.object, quad.graph}) {
                out.writeInt(term == null ? -1 : term.length);
                if (term != null) {
                    out.write(term);
                }
            }
        }

        @Override
        public CanonicalQuad read(DataInput in) throws IOException {
            byte[] subject = readTerm(in);
            return new CanonicalQuad(subject, readTerm(in), readTerm(in), readTerm(in));
        }
    };

    private static byte[] readTerm(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        byte[] term = new byte[length];
        in.readFully(term);
        return term;
    }

    /**
     * Compares a term of two quads whose lines are the same before it. If one term is a prefix of the other, the text after it
     * is compared.
     */
    private static int compareInLine(byte[] a, byte[] b, CanonicalQuad one, CanonicalQuad other) {
        int at = a == b ? -1 : Arrays.mismatch(a, b);
        if (at < 0) {
            return 0;
        }
        return at < a.length && at < b.length
                ? Byte.compareUnsigned(a[at], b[at]) : Arrays.compareUnsigned(one.line(), other.line());
    }

    private static byte[] nullToEmpty(byte[] graph) {
        return graph == null ? NOTHING : graph;
    }

    /** Passes all quads to a handler. */
    public static void sendAll(Items<CanonicalQuad> quads, RdfHandler<byte[]> handler) throws IOException {
        quads.forEach(quad -> handler.statement(quad.subject, quad.predicate, quad.object, quad.graph));
    }

    /** Returns the quad as a line of canonical N-Quads, without the line end. */
    public byte[] line() {
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        for (byte[] term : new byte[][] {subject, predicate, object, graph}) {
            if (term != null) {
                line.writeBytes(term);
                line.write(' ');
            }
        }
        line.write('.');
        return line.toByteArray();
    }

    /** Returns the {@linkplain #line() line} as text. */
    public String text() {
        return new String(line(), UTF_8);
    }
}
