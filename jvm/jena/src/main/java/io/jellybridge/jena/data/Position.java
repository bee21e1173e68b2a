package io.jellybridge.jena.data;

import io.jellybridge.codec.Utf8Terms;
import java.util.Arrays;
import java.util.Objects;

/**
 * The position of a dataset in the stream of patches that it follows.
 *
 * @param id      the id of the last patch or a substitute for it: an IRI or a literal in canonical N-Triples
 * @param applied a text about that patch when it was applied, which only the follower that wrote it reads; null if unknown
 */
public record Position(String id, String applied) {
    /** Defined here rather than in StoredPosition, so that code that only compares text needs no Jena. */
    private static final byte[] GRAPH = Utf8Terms.toTerm(StoredPosition.GRAPH);

    public Position {
        Objects.requireNonNull(id, "id");
    }

    /** Checks whether a graph, a canonical term in UTF-8 or null, is the graph of positions. */
    public static boolean isGraph(byte[] graph) {
        return Arrays.equals(graph, GRAPH);
    }

    /** Creates a position with an id only. Null becomes null. */
    public static Position of(String id) {
        return id == null ? null : new Position(id, null);
    }

    /** Returns the id of a position. Null becomes null. */
    public static String idOf(Position position) {
        return position == null ? null : position.id();
    }

    /** Checks whether the found position is this one. If this one has no text, only the ids are compared. */
    public boolean isAt(Position found) {
        return found != null && id.equals(found.id) && (applied == null || applied.equals(found.applied));
    }
}
