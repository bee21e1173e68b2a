package io.jellybridge.codec;

/**
 * The kind of a change row, by its letter in RDF Patch and its field in {@code RdfPatchRow} (checklist P-08).
 */
public enum Op {
    /** A header: a key and a term. */
    H(14),
    /** A transaction begins. */
    TX(6),
    /** A transaction is committed. */
    TC(7),
    /** A transaction is aborted: what it changed is undone. */
    TA(8),
    /** A prefix is bound to a namespace. */
    PA(4),
    /** A prefix is unbound. */
    PD(5),
    /** A triple or quad is added. */
    A(2),
    /** A triple or quad is deleted. */
    D(3);

    private final int field;

    Op(int field) {
        this.field = field;
    }

    /** Whether it is of a triple or quad. */
    public boolean isStatement() {
        return this == A || this == D;
    }

    /** The field number of this row kind in {@code RdfPatchRow}. */
    int field() {
        return field;
    }
}
