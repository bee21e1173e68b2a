package io.jellybridge.spark;

import static io.jellybridge.spark.ChangeColumn.GRAPH;
import static io.jellybridge.spark.ChangeColumn.NAME;
import static io.jellybridge.spark.ChangeColumn.OBJECT;
import static io.jellybridge.spark.ChangeColumn.OP;
import static io.jellybridge.spark.ChangeColumn.PATCH;
import static io.jellybridge.spark.ChangeColumn.PREDICATE;
import static io.jellybridge.spark.ChangeColumn.ROW;
import static io.jellybridge.spark.ChangeColumn.SUBJECT;
import static io.jellybridge.spark.ChangeColumn.TX;
import static io.jellybridge.spark.ChangeColumn.VALUE;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.ChangeRows.ChangeRowHandler;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.spark.ChangeFileFormat.ChangeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.unsafe.types.UTF8String;

/** The change rows of a file or a split, as batches. Works for every format. */
final class ChangeRowBatches extends FileBatches implements ChangeRowHandler<UTF8String> {
    private final PatchSource<UTF8String> source;
    private final ChangeRows<UTF8String> events;
    private final PushedFilter filter;
    private final boolean selected;
    private final WholeTransactions sound;

    /**
     * @param source   the file
     * @param file     the file's name in errors
     * @param filter   the filter for rows; null for all rows
     * @param selected true if the source filters the statements
     * @param sound    the rows to read
     */
    ChangeRowBatches(PatchSource<UTF8String> source, String file, RowBatch rows, PushedFilter filter, boolean selected,
            WholeTransactions sound) {
        super(source, file, rows, source.skippedRows());
        this.filter = filter;
        this.selected = selected;
        this.source = source;
        this.events = new ChangeRows<>(source, this);
        this.sound = sound;
    }

    @Override
    boolean readOn() throws IOException {
        if (sound.fault() != null && source.numbers().row() + 1 >= sound.rows()) {
            throw sound.fault();
        }
        return source.next(events);
    }

    @Override
    public void row(long patch, long tx, long number, Op kind, UTF8String s, UTF8String p, UTF8String o, UTF8String g,
            byte[] key, UTF8String v) {
        boolean filtered = filter == null || selected && kind.isStatement();
        if (!filtered && !filter.isAccepted(kind, p, g)) {
            return;
        }
        rows.setNumber(PATCH.ordinal(), patch);
        rows.setNumber(TX.ordinal(), tx);
        rows.setNumber(ROW.ordinal(), number);
        rows.setText(OP.ordinal(), ChangeColumn.toText(kind));
        rows.setText(SUBJECT.ordinal(), s);
        rows.setText(PREDICATE.ordinal(), p);
        rows.setText(OBJECT.ordinal(), o);
        rows.setText(GRAPH.ordinal(), g);
        rows.setText(NAME.ordinal(), UTF8String.fromBytes(key));
        rows.setText(VALUE.ordinal(), v);
        rows.endRow();
    }

    /**
     * The number of sound rows of a file. With {@code ignoreCorruptFiles} Spark keeps the rows before a fault, but half a
     * transaction is worse than none. So the file is scanned once before its rows are returned.
     *
     * @param rows  the number of rows in complete transactions and, outside of transactions, in complete patches
     * @param fault the fault after them; null if there is none, and {@code rows} is no limit then
     */
    record WholeTransactions(long rows, RuntimeException fault) {

        /** The result for a file that was not scanned. */
        static final WholeTransactions UNCHECKED = new WholeTransactions(Long.MAX_VALUE, null);

        /**
         * Scans a file to its end or its first fault. Bytes that can't be read, as in a truncated compressed file, are a fault too.
         *
         * @param source opens the file in its format
         */
        static WholeTransactions of(ChangeSource source, Path path, Configuration hadoop) throws IOException {
            try (PatchSource<UTF8String> changes = source.open(path, hadoop, new SparkTerms())) {
                Walk walk = new Walk(changes.numbers());
                try {
                    changes.readAll(walk);
                    return UNCHECKED;
                } catch (FormatException e) {
                    return new WholeTransactions(walk.wholeRows, e);
                } catch (IOException e) {
                    return new WholeTransactions(walk.wholeRows,
                            new UncheckedIOException("can't read " + path + ": " + e.getMessage(), e));
                }
            }
        }

        private static final class Walk extends PatchAdapter<UTF8String> {
            private final ChangeCounter numbers;
            private long wholeRows;

            Walk(ChangeCounter numbers) {
                this.numbers = numbers;
            }

            @Override
            public void transaction(Op op) {
                if (op != Op.TX) {
                    wholeRows = numbers.row() + 1;
                }
            }

            @Override
            public void endPatch() {
                if (numbers.tx() < 0) {
                    wholeRows = numbers.row() + 1;
                }
            }
        }
    }
}
