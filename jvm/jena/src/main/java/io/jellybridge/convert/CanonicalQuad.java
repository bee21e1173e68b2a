package io.jellybridge.convert;

import io.jellybridge.files.ExternalSorter.Form;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;

/** A quad, each term as canonical N-Triples in UTF-8; the graph is null for the default graph. */
public record CanonicalQuad(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
    private static final int OBJECT_OVERHEAD = 32;
    private static final byte[] NOTHING = {};

    /** By graph, subject, predicate and object, by the bytes of their text; the default graph first. */
    static final Comparator<CanonicalQuad> BY_GRAPH = (one, other) -> {
        int order = compare(one.graph, other.graph);
        order = order != 0 ? order : compare(one.subject, other.subject);
        order = order != 0 ? order : compare(one.predicate, other.predicate);
        return order != 0 ? order : compare(one.object, other.object);
    };

    /** By the bytes of their {@linkplain #line() lines}. */
    public static final Comparator<CanonicalQuad> BY_LINE = (one, other) -> {
        int order = compareInLine(one.subject, other.subject, one, other);
        order = order != 0 ? order : compareInLine(one.predicate, other.predicate, one, other);
        order = order != 0 ? order : compareInLine(one.object, other.object, one, other);
        return order != 0 ? order : compareInLine(orNothing(one.graph), orNothing(other.graph), one, other);
    };

    /** As it is kept by who sorts many. */
    public static final Form<CanonicalQuad> FORM = new Form<>() {

        @Override
        public long bytes(CanonicalQuad quad) {
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
            byte[] subject = term(in);
            return new CanonicalQuad(subject, term(in), term(in), term(in));
        }
    };

    /** It as one byte string, the same for the same quad. */
    byte[] packed() {
        byte[] named = orNothing(graph);
        ByteBuffer packed = ByteBuffer.allocate(
                4 * Integer.BYTES + subject.length + predicate.length + object.length + named.length);
        packed.putInt(subject.length).putInt(predicate.length).putInt(object.length).putInt(graph == null ? -1 : named.length);
        return packed.put(subject).put(predicate).put(object).put(named).array();
    }

    /** The quad of a {@linkplain #packed byte string}. */
    static CanonicalQuad unpacked(byte[] bytes, int offset) {
        ByteBuffer packed = ByteBuffer.wrap(bytes).position(offset);
        byte[][] terms = new byte[4][];
        for (int i = 0; i < terms.length; i++) {
            int length = packed.getInt();
            terms[i] = length < 0 ? null : new byte[length];
        }
        for (byte[] term : terms) {
            if (term != null) {
                packed.get(term);
            }
        }
        return new CanonicalQuad(terms[0], terms[1], terms[2], terms[3]);
    }

    private static byte[] term(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        byte[] term = new byte[length];
        in.readFully(term);
        return term;
    }

    /** Null is less than all else. */
    private static int compare(byte[] a, byte[] b) {
        return a == b ? 0 : Arrays.compareUnsigned(a, b);
    }

    /** Compares a term of two quads whose lines are the same before it; where one ends, what follows it counts. */
    private static int compareInLine(byte[] a, byte[] b, CanonicalQuad one, CanonicalQuad other) {
        int at = a == b ? -1 : Arrays.mismatch(a, b);
        if (at < 0) {
            return 0;
        }
        return at < a.length && at < b.length
                ? Byte.compareUnsigned(a[at], b[at]) : Arrays.compareUnsigned(one.line(), other.line());
    }

    private static byte[] orNothing(byte[] graph) {
        return graph == null ? NOTHING : graph;
    }

    /** The quad as a line of canonical N-Quads, without the line's end. */
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
}
