package io.jellybridge.sync;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/** Several batches as one, numbered through. */
final class JoinedPatches implements Patches {
    private final List<? extends Patches> parts;

    JoinedPatches(List<? extends Patches> parts) {
        this.parts = parts;
    }

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) {
        return new Joined<>(parts.iterator(), terms);
    }

    private static final class Joined<T> implements PatchSource<T> {
        private final Iterator<? extends Patches> parts;
        private final TermFactory<T> terms;
        private final Numbering<T> numbering = new Numbering<>();
        private PatchSource<T> part;
        private boolean mustBalance;

        Joined(Iterator<? extends Patches> parts, TermFactory<T> terms) {
            this.parts = parts;
            this.terms = terms;
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            numbering.handler = handler;
            while (true) {
                if (part != null) {
                    if (part.next(numbering)) {
                        return true;
                    }
                    close();
                }
                if (!parts.hasNext()) {
                    return false;
                }
                part = parts.next().open(terms);
                balance();
            }
        }

        @Override
        public ChangeCounter numbers() {
            return numbering.numbers;
        }

        @Override
        public void requireBalance() {
            mustBalance = true;
            balance();
        }

        private void balance() {
            if (mustBalance && part != null) {
                part.requireBalance();
            }
        }

        @Override
        public RuntimeException error(String rule, String found, String advice) {
            return part.error(rule, found, advice);
        }

        @Override
        public void close() throws IOException {
            if (part != null) {
                PatchSource<T> open = part;
                part = null;
                open.close();
            }
        }
    }

    /** Counts what it hands on. */
    private static final class Numbering<T> implements PatchHandler<T> {
        private final ChangeCounter numbers = new ChangeCounter();
        private PatchHandler<T> handler;

        @Override
        public void header(byte[] key, T value) {
            numbers.count(Op.H);
            handler.header(key, value);
        }

        @Override
        public void transaction(Op op) {
            numbers.count(op);
            handler.transaction(op);
        }

        @Override
        public void prefix(Op op, byte[] name, T namespace, T graph) {
            numbers.count(op);
            handler.prefix(op, name, namespace, graph);
        }

        @Override
        public void statement(Op op, T subject, T predicate, T object, T graph) {
            numbers.count(op);
            handler.statement(op, subject, predicate, object, graph);
        }

        @Override
        public void endPatch() {
            numbers.countPatchEnd();
            handler.endPatch();
        }
    }
}
