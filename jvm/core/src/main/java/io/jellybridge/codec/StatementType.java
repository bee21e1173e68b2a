package io.jellybridge.codec;

/** Whether statements have a graph: {@code PatchStatementType} of patch.proto (checklist P-30 to P-38). */
public enum StatementType {
    /** Statements are triples; no graph is named anywhere. */
    TRIPLES(1),
    /** Statements are quads; the default graph is named as such. */
    QUADS(2);

    private final int number;

    StatementType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** The type with this enum number, or null when the protocol has none. */
    static StatementType of(long number) {
        for (StatementType type : values()) {
            if (type.number == number) {
                return type;
            }
        }
        return null;
    }
}
