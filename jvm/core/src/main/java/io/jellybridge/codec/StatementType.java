package io.jellybridge.codec;

import java.util.Arrays;

/** The statement type of a stream, triples or quads: {@code PatchStatementType} of patch.proto (checklist P-30 to P-38). */
public enum StatementType {
    /** A stream of triples, without any graphs. */
    TRIPLES(1),
    /** A stream of quads, in which the default graph is named as such. */
    QUADS(2);

    private final int number;

    StatementType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Returns the type with this enum number, or null if the protocol has none. */
    static StatementType of(long number) {
        return Arrays.stream(values()).filter(type -> type.number == number).findFirst().orElse(null);
    }
}
