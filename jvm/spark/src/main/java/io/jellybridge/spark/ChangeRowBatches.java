package io.jellybridge.spark;

import io.jellybridge.codec.ChangeRowHandler;
import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import java.io.IOException;
import org.apache.spark.unsafe.types.UTF8String;

/** The change rows of one file or of a part of it, in whatever format. */
final class ChangeRowBatches extends FileBatches implements ChangeRowHandler<UTF8String> {
    private final PatchSource<UTF8String> source;
    private final ChangeRows<UTF8String> events;
    private final PushedFilter filter;
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
     * @param filter    which rows are wanted; null for all
     * @param sound     how far the file is to be read
     */
    ChangeRowBatches(PatchSource<UTF8String> source, String file, int[] positions, RowBatch rows, PushedFilter filter,
            WholeTransactions sound) {
        super(source, file, rows);
        this.filter = filter;
        this.source = source;
        this.events = new ChangeRows<>(source, this);
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
        if (sound.fault() != null && source.numbers().row() + 1 >= sound.rows()) {
            throw sound.fault();
        }
        return source.next(events);
    }

    @Override
    public void row(long patchNumber, long txNumber, long number, Op kind, UTF8String s, UTF8String p, UTF8String o,
            UTF8String g, byte[] key, UTF8String v) {
        if (filter != null && !filter.accepts(kind, p, g)) {
            return;
        }
        rows.number(patch, patchNumber);
        rows.number(tx, txNumber);
        rows.number(rowNumber, number);
        rows.text(op, PushedFilter.text(kind));
        rows.text(subject, s);
        rows.text(predicate, p);
        rows.text(object, o);
        rows.text(graph, g);
        rows.text(name, key == null ? null : UTF8String.fromBytes(key));
        rows.text(value, v);
        rows.endRow();
    }
}
