package io.jellybridge.codec;

import io.jellybridge.wire.WireReader;

/** Reads the message of a namespace row: a name, an optional IRI and, in patches, a graph. */
final class NamespaceReader<T> {
    private static final int NAME = 1;
    private static final int VALUE = 2;
    private static final int FIRST_GRAPH = 3;

    private final WireReader wire;
    private final TermReader<T> terms;
    private byte[] name = new byte[0];

    NamespaceReader(WireReader wire, TermReader<T> terms) {
        this.wire = wire;
        this.terms = terms;
    }

    /**
     * Reads the message up to the bound. It only notes the positions of IRI and graph, since they count in this order wherever
     * they stand (P-91).
     *
     * @param lastField 6 in patches, 2 elsewhere
     */
    void readFields(int lastField) {
        terms.findNothing();
        while (!wire.atEnd()) {
            int tag = wire.tag();
            int field = tag >>> 3;
            if (field > lastField || (tag & 7) != WireReader.LENGTH_DELIMITED) {
                wire.skip(tag);
            } else if (field >= FIRST_GRAPH) {
                terms.findTerm(TermReader.GRAPH, field - FIRST_GRAPH);
            } else if (field == NAME) {
                name = wire.string();
            } else if (field == VALUE) {
                terms.findTerm(TermReader.OBJECT, TermReader.IRI);
            }
        }
    }

    byte[] name() {
        return name;
    }

    /** Reads the namespace. Returns null if there is none. */
    T namespace() {
        return terms.hasFound(TermReader.OBJECT) ? terms.readFound(TermReader.OBJECT) : null;
    }
}
