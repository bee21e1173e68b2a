package io.jellybridge.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Converts change rows, whose texts are UTF-8, to the events of a {@link PatchHandler}. The op selects the event and the
 * columns that it needs. A new patch number ends the patch before. The handler checks the values of the columns.
 */
public final class ChangeRowSink {
    /** The row number of rows that have none. */
    public static final long NO_ROW = -1;

    private static final Op[] OPS = Op.values();

    private final PatchHandler<byte[]> handler;
    private long lastPatch;
    private long lastRow = NO_ROW;
    private boolean started;

    public ChangeRowSink(PatchHandler<byte[]> handler) {
        this.handler = handler;
    }

    /**
     * Handles one row. It ignores columns that the op does not need. A text is null if the column is.
     *
     * @param patch the number of the row's patch
     * @param row   the row's number, greater than that of the row before in its patch; or {@link #NO_ROW}
     * @throws IllegalArgumentException the op is unknown, a name is missing, or the rows are not in the order of their numbers
     */
    public void row(long patch, long row, byte[] op, byte[] subject, byte[] predicate, byte[] object, byte[] graph,
            byte[] name, byte[] value) {
        Op kind = kindOf(op);
        if (name == null && (kind == Op.H || kind == Op.PA || kind == Op.PD)) {
            throw new IllegalArgumentException("a row with op " + kind + " has no name; give it the "
                    + (kind == Op.H ? "header's key" : "prefix, without colon"));
        }
        checkOrder(patch, row);
        if (started && patch != lastPatch) {
            handler.endPatch();
        }
        started = true;
        lastPatch = patch;
        lastRow = row;
        switch (kind) {
            case H -> handler.header(name, value);
            case TX, TC, TA -> handler.transaction(kind);
            case PA, PD -> handler.prefix(kind, name, value, graph);
            case A, D -> handler.statement(kind, subject, predicate, object, graph);
        }
    }

    private void checkOrder(long patch, long row) {
        if (!started || patch > lastPatch || patch == lastPatch && (row > lastRow || row == NO_ROW)) {
            return;
        }
        boolean same = patch == lastPatch && row == lastRow;
        String found = (same ? "two rows have" : "rows are out of order:")
                + " patch " + patch + (row == NO_ROW ? "" : ", row " + row)
                + (same ? "" : " after patch " + lastPatch + (lastRow == NO_ROW ? "" : ", row " + lastRow))
                + "; sort by patch and row, in one partition, and give the patches of several files numbers of their own, "
                + "as jellybridge.number_patches does";
        throw same ? new SamePlaceException(found) : new IllegalArgumentException(found);
    }

    /** Thrown when two rows have the same patch and row number, as rows of several files may have. */
    public static final class SamePlaceException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private SamePlaceException(String message) {
            super(message);
        }
    }

    private static Op kindOf(byte[] op) {
        for (int i = OPS.length - 1; i >= 0; i--) { // nearly all rows are statements, which come last
            if (Arrays.equals(OPS[i].text(), op)) {
                return OPS[i];
            }
        }
        String text = op == null ? "null" : '"' + new String(op, StandardCharsets.UTF_8) + '"';
        throw new IllegalArgumentException("a row has op " + text + "; it must be one of " + Arrays.toString(OPS));
    }
}
