package io.jellybridge.spark;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import java.io.InputStream;

/**
 * How far a file is sound. Under {@code ignoreCorruptFiles} Spark keeps the rows that came before the fault, and half a
 * transaction is worse than none; so the file is walked once, without making terms, before its rows are handed out.
 *
 * @param rows  so many rows are whole transactions and, outside of transactions, whole patches
 * @param fault what is wrong after them; null when nothing is, and then {@code rows} is no limit
 */
record WholeTransactions(long rows, PatchFormatException fault) {

    /** Of a file that was not walked. */
    static final WholeTransactions UNCHECKED = new WholeTransactions(Long.MAX_VALUE, null);

    /** Walks the stream and closes it. */
    static WholeTransactions of(InputStream in, String file, ReadOptions options) throws IOException {
        try (PatchReader<Object> reader = new PatchReader<>(in, file, new NoTerms(), options)) {
            Walk walk = new Walk(reader);
            try {
                reader.readAll(walk);
                return UNCHECKED;
            } catch (PatchFormatException e) {
                return new WholeTransactions(walk.wholeRows, e);
            }
        }
    }

    private static final class Walk implements PatchHandler<Object> {
        private final PatchReader<Object> reader;
        private long wholeRows;

        Walk(PatchReader<Object> reader) {
            this.reader = reader;
        }

        @Override
        public void transaction(Op op) {
            if (op != Op.TX) {
                wholeRows = reader.row() + 1;
            }
        }

        @Override
        public void endPatch() {
            if (reader.tx() < 0) {
                wholeRows = reader.row() + 1;
            }
        }

        @Override
        public void header(byte[] key, Object value) {
            // no boundary
        }

        @Override
        public void prefix(Op op, byte[] name, Object namespace, Object graph) {
            // no boundary
        }

        @Override
        public void statement(Op op, Object subject, Object predicate, Object object, Object graph) {
            // no boundary
        }
    }

    /** Terms that nobody looks at. */
    private static final class NoTerms implements TermFactory<Object> {
        private static final Object TERM = new Object();

        @Override
        public Object iri(byte[] prefix, byte[] name) {
            return TERM;
        }

        @Override
        public Object blankNode(byte[] bytes, int offset, int length) {
            return TERM;
        }

        @Override
        public Object literal(byte[] bytes, int offset, int length) {
            return TERM;
        }

        @Override
        public Object langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
            return TERM;
        }

        @Override
        public Object typedLiteral(byte[] bytes, int offset, int length, Object datatype) {
            return TERM;
        }

        @Override
        public Object tripleTerm(Object subject, Object predicate, Object object) {
            return TERM;
        }

        @Override
        public Object defaultGraph() {
            return TERM;
        }
    }
}
