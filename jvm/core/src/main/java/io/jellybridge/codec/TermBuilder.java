package io.jellybridge.codec;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Makes terms of one kind from terms of another. For one thread.
 *
 * @param <A> what a term is that comes in
 * @param <B> what a term is that goes out
 */
public final class TermBuilder<A, B> {
    private static final byte[] NO_PREFIX = new byte[0];

    private final TermSource<A> from;
    private final TermFactory<B> to;
    private final Visitor visitor = new Visitor();

    public TermBuilder(TermSource<A> from, TermFactory<B> to) {
        this.from = from;
        this.to = to;
    }

    /** The same term; null stays null. */
    public B translate(A term) {
        if (term == null) {
            return null;
        }
        visitor.open.clear();
        visitor.done = null;
        from.visit(term, visitor);
        return visitor.done;
    }

    private final class Visitor implements TermVisitor {
        /** The terms so far of each triple term that is not whole, the innermost one first. */
        private final Deque<List<B>> open = new ArrayDeque<>();
        private B done;

        private void add(B term) {
            if (open.isEmpty()) {
                done = term;
            } else {
                open.peek().add(term);
            }
        }

        private B makeIri(byte[] bytes, int offset, int length) {
            return to.iri(NO_PREFIX, Arrays.copyOfRange(bytes, offset, offset + length));
        }

        @Override
        public void iri(byte[] bytes, int offset, int length) {
            add(makeIri(bytes, offset, length));
        }

        @Override
        public void blankNode(byte[] bytes, int offset, int length) {
            add(to.blankNode(bytes, offset, length));
        }

        @Override
        public void literal(byte[] bytes, int offset, int length) {
            add(to.literal(bytes, offset, length));
        }

        @Override
        public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
            byte[] both = Arrays.copyOfRange(bytes, offset, offset + length + langLength);
            System.arraycopy(lang, langOffset, both, length, langLength);
            add(to.langLiteral(both, 0, length, length, langLength));
        }

        @Override
        public void typedLiteral(
                byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset, int datatypeLength) {
            add(to.typedLiteral(bytes, offset, length, makeIri(datatype, datatypeOffset, datatypeLength)));
        }

        @Override
        public void startTriple() {
            open.push(new ArrayList<>(3));
        }

        @Override
        public void endTriple() {
            List<B> terms = open.pop();
            add(to.tripleTerm(terms.get(0), terms.get(1), terms.get(2)));
        }

        @Override
        public void defaultGraph() {
            add(to.defaultGraph());
        }
    }
}
