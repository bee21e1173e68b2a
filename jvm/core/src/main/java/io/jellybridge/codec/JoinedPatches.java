package io.jellybridge.codec;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/** Several batches as one, numbered through. */
public final class JoinedPatches implements Patches {
    private final List<Piece> pieces;

    /**
     * A batch, or a piece of one, as {@link WriteOptions#whole} says.
     *
     * @param ends how many of its patches end in it; of a piece whose last patch goes on in the next, all but that
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
        private final NumberedEvents<T> events = new NumberedEvents<>("batch", this::unbalanced);
        /** What is read; null: nothing now. */
        private PatchSource<T> part;
        /** What was read last, whose place errors say. */
        private PatchSource<T> last;
        /** How many more of the part's patches end in it. */
        private long ends;
        private boolean heldBack;
        private boolean mustBalance;

        Joined(Iterator<Piece> pieces, TermFactory<T> terms) {
            this.pieces = pieces;
            this.terms = terms;
            to(events);
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            events.to(handler);
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

        private RuntimeException unbalanced(String rule, String found, String advice) {
            return mustBalance ? last.error(rule, found, advice) : null;
        }

        @Override
        public FormatException error(String rule, String found, String advice) {
            return last.error(rule, found, advice);
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
