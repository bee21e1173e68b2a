package io.jellybridge.codec;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/** Joins several batches into one and numbers their patches consecutively. */
public final class JoinedPatches implements Patches {
    private final List<Piece> pieces;

    /**
     * A batch, or a piece of one; see {@link WriteOptions#whole}.
     *
     * @param ends the number of patches that end in it; the last patch of a piece may continue in the next piece
     */
    public record Piece(Patches patches, long ends) {
    }

    private JoinedPatches(List<Piece> pieces) {
        this.pieces = pieces;
    }

    public static JoinedPatches of(List<? extends Patches> batches) {
        return ofPieces(batches.stream().map(batch -> new Piece(batch, Long.MAX_VALUE)).toList());
    }

    public static JoinedPatches ofPieces(List<Piece> pieces) {
        return new JoinedPatches(List.copyOf(pieces));
    }

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) {
        return new Joined<>(pieces.iterator(), terms);
    }

    private static final class Joined<T> extends ForwardingHandler<T> implements PatchSource<T> {
        private final Iterator<Piece> pieces;
        private final TermFactory<T> terms;
        private final NumberedEvents<T> events = new NumberedEvents<>("batch", this::unbalancedError);
        /** The current part; null before the first and between two parts. */
        private PatchSource<T> part;
        /** The part that was read last, whose position errors give. */
        private PatchSource<T> last;
        /** The number of patches that still end in the current part. */
        private long ends;
        private boolean heldBack;
        private boolean mustBalance;

        Joined(Iterator<Piece> pieces, TermFactory<T> terms) {
            this.pieces = pieces;
            this.terms = terms;
            setTarget(events);
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            events.setTarget(handler);
            while (true) {
                if (part != null) {
                    heldBack = false;
                    if (!part.next(this)) {
                        close();
                    } else if (!heldBack) {
                        return true;
                    }
                } else if (pieces.hasNext()) {
                    Piece piece = pieces.next();
                    ends = piece.ends();
                    part = piece.patches().open(terms);
                    last = part;
                } else {
                    return events.endStream();
                }
            }
        }

        @Override
        public void endPatch() {
            heldBack = ends == 0;
            if (!heldBack) {
                ends--;
                events.endPatch();
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

        private RuntimeException unbalancedError(String rule, String found, String advice) {
            return mustBalance ? last.newError(rule, found, advice) : null;
        }

        @Override
        public FormatException newError(String rule, String found, String advice) {
            return last.newError(rule, found, advice);
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
