package io.jellybridge.jena.data;

import java.util.NoSuchElementException;

/** A cursor over the selected quads of another cursor, up to the limit. */
public final class SelectedQuads implements QuadCursor {
    private final QuadCursor quads;
    private final QuadSelection selection;
    private long left;
    private byte[][] next;

    private SelectedQuads(QuadCursor quads, QuadSelection selection) {
        this.quads = quads;
        this.selection = selection;
        this.left = selection.limit();
    }

    public static QuadCursor of(QuadCursor quads, QuadSelection selection) {
        return selection.equals(QuadSelection.ALL) ? quads : new SelectedQuads(quads, selection);
    }

    @Override
    public boolean hasNext() {
        while (next == null && left > 0 && quads.hasNext()) {
            byte[][] quad = quads.next();
            next = selection.takes(quad) ? quad : null;
        }
        return next != null;
    }

    @Override
    public byte[][] next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        byte[][] quad = next;
        next = null;
        left--;
        return quad;
    }

    @Override
    public void close() {
        quads.close();
    }
}
