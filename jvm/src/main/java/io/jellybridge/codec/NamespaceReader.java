package io.jellybridge.codec;

import io.jellybridge.wire.WireReader;

/** Reads the message of a namespace row: a name, an IRI that may be missing and, in patches, a graph. */
final class NamespaceReader<T> {
    private static final int NAME = 1;
    private static final int VALUE = 2;
    private static final int FIRST_GRAPH = 3;

    private final WireReader wire;
    private final TermReader<T> terms;
    private byte[] name = new byte[0];
    private int valueStart;
    private int valueEnd = -1;

    NamespaceReader(WireReader wire, TermReader<T> terms) {
        this.wire = wire;
        this.terms = terms;
    }

    /**
     * Reads the message up to the bound; finds value and graph without reading them, since they count in this order
     * wherever they stand (P-91).
     *
     * @param lastField 6 in patches, 2 elsewhere
     */
    void readFields(int lastField) {
        terms.clearGraph();
        while (!wire.atEnd()) {
            int tag = wire.tag();
            int field = tag >>> 3;
            if (field > lastField || (tag & 7) != WireReader.LENGTH_DELIMITED) {
                wire.skip(tag);
            } else if (field >= FIRST_GRAPH) {
                terms.foundGraph(field - FIRST_GRAPH);
            } else if (field == NAME) {
                name = TermReader.readString(wire);
            } else if (field == VALUE) {
                int length = wire.length();
                valueStart = wire.position();
                valueEnd = valueStart + length;
                wire.skipBytes(length);
            }
        }
    }

    byte[] name() {
        return name;
    }

    /** Reads the namespace; null when there is none. */
    T namespace() {
        if (valueEnd < 0) {
            return null;
        }
        wire.window(valueStart, valueEnd);
        return terms.readIri();
    }
}
