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
 * How far a file is sound. Under {@code ignoreCorruptFiles} Spark keeps the rows that came before the fault, and
 * half a transaction is worse than none; so the file is walked once, without making terms, before its rows are
 * handed out.
 *
 * @param rows  so many rows are whole transactions and, outside of transactions, whole patches
 * @param fault what is wrong after them; null when nothing is, and then {@code rows} is no limit
 */
record WholeTransactions(long rows, RuntimeException fault) {

    /** Of a file that was not walked. */
    static final WholeTransactions UNCHECKED = new WholeTransactions(Long.MAX_VALUE, null);

    /**
     * Walks a file, to its end or first fault. A file whose bytes can't be read to their end, as one that is compressed and
     * cut, has a fault too.
     *
     * @param source opens the file, in its format
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
