package io.jellybridge.sync;

import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads the {@link StoredPosition}s of a dataset by SPARQL. */
final class SparqlPositions {
    private final SparqlClient client;

    SparqlPositions(SparqlClient client) {
        this.client = client;
    }

    /** Reads a position, see {@link io.jellybridge.jena.dataset.OpenDataset#stand}. */
    Position stand(String key) throws IOException {
        return stored(key).position();
    }

    /**
     * The stored data of a position.
     *
     * @param applied the texts beside the position, as terms. There may be some without a position
     */
    record Stored(Position position, List<String> applied) {
    }

    Stored stored(String key) throws IOException {
        List<Map<String, String>> found = client.select("""
                SELECT ?position ?applied {
                  GRAPH <%1$s> { { <%2$s> <%3$s> ?position } UNION { <%2$s> <%4$s> ?applied } }
                } LIMIT 4""".formatted(
                StoredPosition.GRAPH, escaped(key), StoredPosition.PREDICATE, StoredPosition.APPLIED));
        List<String> ids = terms(found, "position");
        List<String> applied = terms(found, "applied");
        if (ids.size() > 1 || !ids.isEmpty() && applied.size() > 1) {
            throw StoredPosition.several(key);
        }
        return new Stored(ids.isEmpty() ? null
                : new Position(ids.get(0), applied.isEmpty() ? null : StoredPosition.text(applied.get(0))), applied);
    }

    private static List<String> terms(List<Map<String, String>> rows, String name) {
        return rows.stream().map(row -> row.get(name)).filter(Objects::nonNull).toList();
    }

    /** Reads the notes of a key, see {@link io.jellybridge.jena.dataset.OpenDataset#notes}. */
    List<String> notes(String key) throws IOException {
        return terms(client.select("SELECT ?note { GRAPH <%s> { <%s> <%s> ?note } }"
                .formatted(StoredPosition.GRAPH, escaped(key), StoredPosition.NOTE)), "note")
                .stream().map(StoredPosition::text).toList();
    }

    /** Returns the key, escaped for SPARQL and RDF Patch. */
    static String escaped(String key) {
        return new StoredPosition(key).key();
    }
}
