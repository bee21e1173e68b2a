package io.jellybridge.sync;

import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;

/**
 * The rows of a patch behind those that a dataset has applied: of one that went on since, as text does without {@code Z}.
 * Its content is that of the whole patch, which is what the dataset has then.
 *
 * @param applied how many rows, headers too
 */
public record RestOfPatch(SyncPatch patch, long applied) implements ForwardingPatch {

    @Override
    public long rows() {
        return patch.rows() - applied;
    }

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
        return new Rest<>(patch.open(terms), applied);
    }

    /** Passes over the first rows. */
    private static final class Rest<T> implements ForwardingSource<T, T> {
        private final PatchSource<T> source;
        private long left;

        Rest(PatchSource<T> source, long left) {
            this.source = source;
            this.left = left;
        }

        @Override
        public PatchSource<T> source() {
            return source;
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            for (; left > 0; left--) {
                if (!source.next(new PatchAdapter<>())) {
                    return false;
                }
            }
            return source.next(handler);
        }
    }
}
