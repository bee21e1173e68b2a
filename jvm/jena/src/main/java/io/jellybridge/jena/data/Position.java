package io.jellybridge.jena.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Objects;

/**
 * Where a dataset stands in what it follows.
 *
 * @param id      the id of the last patch, or what stands for it: an IRI or a literal in canonical N-Triples
 * @param applied what that patch was when it was applied: a text of who applied it, kept beside the id, and read by nobody
 *                else; null where nothing is known of it
 */
public record Position(String id, String applied) {
    /** Here, and not with the rest of what is stored, so that who only compares text needs nothing of Jena's. */
    private static final byte[] GRAPH = ("<" + StoredPosition.GRAPH + ">").getBytes(UTF_8);

    public Position {
        Objects.requireNonNull(id, "id");
    }

    /** Whether a graph is that of all positions, as a canonical term in UTF-8; null is none. */
    public static boolean isGraph(byte[] graph) {
        return Arrays.equals(graph, GRAPH);
    }

    /** A position of which the id alone is known; null for null. */
    public static Position of(String id) {
        return id == null ? null : new Position(id, null);
    }

    /** The id of a position; null for null. */
    public static String id(Position position) {
        return position == null ? null : position.id();
    }

    /** Whether what was found is this, as far as this says: without a text, the id alone counts. */
    public boolean isAt(Position found) {
        return found != null && id.equals(found.id) && (applied == null || applied.equals(found.applied));
    }
}
