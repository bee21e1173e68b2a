package io.jellybridge.codec;

/**
 * The logical types of a Jelly-RDF stream that {@code LogicalStreamType} of rdf.proto names (checklist ). Others are
 * possible; their base type is the number modulo 10.
 */
public enum LogicalType {
    UNSPECIFIED(0),
    FLAT_TRIPLES(1),
    FLAT_QUADS(2),
    /** A stream whose frames are graphs. */
    GRAPHS(3),
    /** A stream whose frames are datasets. */
    DATASETS(4),
    /** A stream whose frames are graphs about one subject each. */
    SUBJECT_GRAPHS(13),
    /** A stream whose frames are datasets with one named graph each. */
    NAMED_GRAPHS(14),
    /** A stream like {@link #NAMED_GRAPHS}, with a time for each frame. */
    TIMESTAMPED_NAMED_GRAPHS(114);

    private final int number;

    LogicalType(int number) {
        this.number = number;
    }

    /** Returns the number on the wire. */
    public int number() {
        return number;
    }

    /** Returns the flat type for a physical type. */
    public static LogicalType toFlat(PhysicalType physical) {
        return physical == PhysicalType.TRIPLES ? FLAT_TRIPLES : FLAT_QUADS;
    }
}
