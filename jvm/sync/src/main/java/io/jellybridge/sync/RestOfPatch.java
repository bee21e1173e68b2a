package io.jellybridge.sync;

import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;

/**
 * The rows of a patch that follow those already applied. Such a patch has grown since, for example as text without {@code Z}.
 * Its content is that of the whole patch, which the dataset has afterwards.
 *
 * @param applied the number of applied rows, including headers
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

    /** A source that skips the first rows. */
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
