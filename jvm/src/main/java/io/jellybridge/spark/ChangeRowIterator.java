package io.jellybridge.spark;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The change rows of one file, in whatever format. */
final class ChangeRowIterator extends FileRows implements PatchHandler<byte[]> {
    private static final byte[][] OP_TEXTS = Arrays.stream(Op.values())
            .map(op -> op.name().getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);

    private final PatchSource<byte[]> source;
    private final ChangeCounter numbers;
    private final WholeTransactions sound;
    private final int patch;
    private final int tx;
    private final int rowNumber;
    private final int op;
    private final int subject;
    private final int predicate;
    private final int object;
    private final int graph;
    private final int name;
    private final int value;

    /**
     * @param source    the file
     * @param file      what errors call it
     * @param positions where each {@link ChangeColumn} stands in the rows; -1 = left out
     * @param width     how many columns the rows have
     * @param sound     how far the file is to be read
     */
    ChangeRowIterator(PatchSource<byte[]> source, String file, int[] positions, int width, WholeTransactions sound) {
        super(source, file, width);
        this.source = source;
        this.numbers = source.numbers();
        this.sound = sound;
        this.patch = positions[ChangeColumn.PATCH.ordinal()];
        this.tx = positions[ChangeColumn.TX.ordinal()];
        this.rowNumber = positions[ChangeColumn.ROW.ordinal()];
        this.op = positions[ChangeColumn.OP.ordinal()];
        this.subject = positions[ChangeColumn.SUBJECT.ordinal()];
        this.predicate = positions[ChangeColumn.PREDICATE.ordinal()];
        this.object = positions[ChangeColumn.OBJECT.ordinal()];
        this.graph = positions[ChangeColumn.GRAPH.ordinal()];
        this.name = positions[ChangeColumn.NAME.ordinal()];
        this.value = positions[ChangeColumn.VALUE.ordinal()];
    }

    @Override
    boolean readOn() throws IOException {
        if (sound.fault() != null && numbers.row() + 1 >= sound.rows()) {
            throw sound.fault();
        }
        return source.next(this);
    }

    @Override
    public void statement(Op kind, byte[] s, byte[] p, byte[] o, byte[] g) {
        fill(kind, s, p, o, g, null, null);
    }

    @Override
    public void prefix(Op kind, byte[] prefix, byte[] namespace, byte[] g) {
        fill(kind, null, null, null, g, prefix, namespace);
    }

    @Override
    public void header(byte[] key, byte[] v) {
        fill(Op.H, null, null, null, null, key, v);
    }

    @Override
    public void transaction(Op kind) {
        fill(kind, null, null, null, null, null, null);
    }

    @Override
    public void endPatch() {
        // shows in the number of the next row's patch
    }

    private void fill(Op kind, byte[] s, byte[] p, byte[] o, byte[] g, byte[] key, byte[] v) {
        startRow();
        writeNumber(patch, numbers.patch());
        writeNumber(tx, numbers.tx());
        writeNumber(rowNumber, numbers.row());
        writeText(op, OP_TEXTS[kind.ordinal()]);
        writeText(subject, s);
        writeText(predicate, p);
        writeText(object, o);
        writeText(graph, g);
        writeText(name, key);
        writeText(value, v);
    }
}
