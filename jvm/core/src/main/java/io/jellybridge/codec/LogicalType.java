package io.jellybridge.codec;

/**
 * What a Jelly-RDF stream is a stream of: the logical types that {@code LogicalStreamType} of rdf.proto names
 * (checklist ). Others are possible; their base type is the number modulo 10.
 */
public enum LogicalType {
    UNSPECIFIED(0),
    FLAT_TRIPLES(1),
    FLAT_QUADS(2),
    /** A frame is a graph. */
    GRAPHS(3),
    /** A frame is a dataset. */
    DATASETS(4),
    /** A frame is a graph about one subject. */
    SUBJECT_GRAPHS(13),
    /** A frame is a dataset of one named graph. */
    NAMED_GRAPHS(14),
    /** As {@link #NAMED_GRAPHS}, with the time of each. */
    TIMESTAMPED_NAMED_GRAPHS(114);

    private final int number;

    LogicalType(int number) {
        this.number = number;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** The flat type that goes with a physical one. */
    public static LogicalType flat(PhysicalType physical) {
        return physical == PhysicalType.TRIPLES ? FLAT_TRIPLES : FLAT_QUADS;
    }
}
