package io.jellybridge.jena.apply;

import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;

/** Patches that report the progress of each reading to a listener, which can cancel it. */
public record WatchedPatches(Patches patches, ProgressListener listener) implements Patches {
    private static final int EVENTS_BETWEEN_LOOKS = 1 << 12;

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
        return new Watched<>(patches.open(terms), listener);
    }

    private static final class Watched<T> implements ForwardingSource<T, T> {
        private final PatchSource<T> source;
        private final ProgressListener listener;
        private int events;

        Watched(PatchSource<T> source, ProgressListener listener) {
            this.source = source;
            this.listener = listener;
        }

        @Override
        public PatchSource<T> source() {
            return source;
        }

        @Override
        public boolean select(Selection<T> statements) {
            return source.select(statements);
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            if (++events % EVENTS_BETWEEN_LOOKS == 0) {
                listener.reading(source.numbers().row() + 1);
            }
            return source.next(handler);
        }
    }
}
