package io.jellybridge.codec;

/** How a Jelly-RDF stream holds statements: {@code PhysicalStreamType} of rdf.proto (checklist ). */
public enum PhysicalType {
    /** Triples. */
    TRIPLES(1),
    /** Quads. */
    QUADS(2),
    /** Triples between the start and the end of their graph. */
    GRAPHS(3);

    private final int number;

    PhysicalType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** The type with this enum number, or null when the protocol has none. */
    static PhysicalType of(long number) {
        for (PhysicalType type : values()) {
            if (type.number == number) {
                return type;
            }
        }
        return null;
    }

    /** Whether a logical type goes with this one: graphs and triples with TRIPLES, datasets and quads with the others. */
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
