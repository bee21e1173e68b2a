package io.jellybridge.codec;

import java.util.Arrays;

/** The physical type of a Jelly-RDF stream: {@code PhysicalStreamType} of rdf.proto (checklist ). */
public enum PhysicalType {
    /** A stream of triples. */
    TRIPLES(1),
    /** A stream of quads. */
    QUADS(2),
    /** A stream of triples between the start and the end of their graph. */
    GRAPHS(3);

    private final int number;

    PhysicalType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Returns the type with this enum number, or null if the protocol has none. */
    static PhysicalType of(long number) {
        return Arrays.stream(values()).filter(type -> type.number == number).findFirst().orElse(null);
    }

    /** Checks whether a logical type fits: graphs and triples fit TRIPLES, datasets and quads fit the others. */
    public boolean goesWith(int logicalType) {
        boolean triples = this == TRIPLES;
        return switch (logicalType % 10) {
            case 0 -> logicalType == 0;
            case 1, 3 -> triples;
            case 2, 4 -> !triples;
            default -> false;
        };
    }
}
