package io.jellybridge.sync;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.NumberedEvents;
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
        private final NumberedEvents<T> events = new NumberedEvents<>("batch", this::unbalanced);
        private PatchSource<T> part;
        private boolean mustBalance;

        Joined(Iterator<? extends Patches> parts, TermFactory<T> terms) {
            this.parts = parts;
            this.terms = terms;
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            events.to(handler);
            while (true) {
                if (part != null) {
                    if (part.next(events)) {
                        return true;
                    }
                    close();
                }
                if (!parts.hasNext()) {
                    return false;
                }
                part = parts.next().open(terms);
            }
        }

        @Override
        public ChangeCounter numbers() {
            return events.numbers();
        }

        @Override
        public void requireBalance() {
            mustBalance = true;
        }

        private RuntimeException unbalanced(String rule, String found, String advice) {
            return mustBalance ? part.error(rule, found, advice) : null;
        }

        @Override
        public FormatException error(String rule, String found, String advice) {
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
}
