package io.jellybridge.codec;

import java.nio.charset.StandardCharsets;

/** The kind of a change row: its letter in RDF Patch and its field in {@code RdfPatchRow} (checklist P-08). */
public enum Op {
    /** A header: a key and a term. */
    H(14),
    /** Begins a transaction. */
    TX(6),
    /** Commits a transaction. */
    TC(7),
    /** Aborts a transaction and undoes its changes. */
    TA(8),
    /** Binds a prefix to a namespace. */
    PA(4),
    /** Removes a prefix. */
    PD(5),
    /** Adds a triple or quad. */
    A(2),
    /** Deletes a triple or quad. */
    D(3);

    private final int field;
    private final byte[] text = name().getBytes(StandardCharsets.US_ASCII);

    Op(int field) {
        this.field = field;
    }

    /** Returns the letters of this kind, in ASCII. The array must not be changed. */
    public byte[] text() {
        return text;
    }

    /** Returns true for a triple or quad, added or deleted. */
    public boolean isStatement() {
        return this == A || this == D;
    }

    /** Returns the field number of this kind in {@code RdfPatchRow}. */
    int field() {
        return field;
    }
}
