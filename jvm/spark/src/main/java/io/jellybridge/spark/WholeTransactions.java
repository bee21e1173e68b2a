package io.jellybridge.spark;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.NoTerms;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The number of sound rows of a file. With {@code ignoreCorruptFiles} Spark keeps the rows before a fault, but half a
 * transaction is worse than none. So the file is scanned once, without creating terms, before its rows are returned.
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
        try (PatchSource<Object> changes = source.open(path, hadoop, new NoTerms())) {
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

    private static final class Walk extends PatchAdapter<Object> {
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
