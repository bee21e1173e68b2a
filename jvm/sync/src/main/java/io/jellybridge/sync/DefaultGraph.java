package io.jellybridge.sync;

import io.jellybridge.http.HttpException;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a store takes the default graph for, which SPARQL 1.1 leaves to it (Query, section 13.1): to most it is what is in no
 * named graph; to some, such as RDF4J, it is all that there is. There a pattern that names no graph finds what is in any of
 * them, and what it is told to delete it deletes in all.
 */
final class DefaultGraph {
    /** The option's word for a store of the first kind. */
    static final String EXCLUSIVE = "exclusive";
    private static final int SAMPLE = 100;
    private static final String HIDDEN = "<urn:hidden>";
    private static final String REMEDY = "set the option defaultGraph to what this store calls what is in no named graph ("
            + "RDF4J: http://www.openrdf.org/schema/sesame#nil), or keep to named graphs";

    private final SparqlClient client;
    /** null: it was not said. */
    private final String option;
    /** Whether there is nothing to look for any more: it has a name, or is the store's own. */
    private boolean settled;

    DefaultGraph(SparqlClient client, String option) {
        this.client = client;
        this.option = option;
        this.settled = option != null;
    }

    /** By what it is named where something is asked of it, or deleted from it; null: by nothing. */
    String name() {
        return EXCLUSIVE.equals(option) ? null : option;
    }

    /**
     * Looks, by reading alone, whether it may be read without a name.
     *
     * @throws HttpException it seems to show the named graphs
     */
    void checkReadable() throws IOException {
        if (settled) {
            return;
        }
        // One request, since others may change the store between two.
        List<Map<String, String>> sample = client.select("SELECT ?shown { { SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } LIMIT "
                + SAMPLE + " } BIND(IF(EXISTS { ?s ?p ?o }, <urn:shown>, " + HIDDEN + ") AS ?shown) }");
        if (sample.stream().anyMatch(row -> HIDDEN.equals(row.get("shown")))) {
            settled = true;
        } else if (!sample.isEmpty()) {
            throw shared("the first statements of named graphs are in its default graph too, as where that is all that there "
                    + "is", "; where they are there twice indeed, set it to " + EXCLUSIVE);
        } // else there is nothing yet that it could show
    }

    /**
     * Finds out whether it may be changed without a name. A mark is put into the graph of positions for this.
     *
     * @throws HttpException the mark is not there; or what is deleted from it would be deleted from other graphs too
     */
    void checkChangeable() throws IOException {
        if (settled) {
            return;
        }
        String mark = "<urn:jellybridge:mark:%s> <%s> ".formatted(UUID.randomUUID(), StoredPosition.PREDICATE);
        String inPositions = "GRAPH <" + StoredPosition.GRAPH + "> { " + mark;
        client.update("INSERT DATA { " + inPositions + "\"0\" } }", true);
        try {
            List<Map<String, String>> found =
                    client.select("SELECT * { { " + inPositions + "?named } } UNION { " + mark + "?unnamed } }");
            if (found.stream().noneMatch(row -> row.get("named") != null)) {
                throw client.notMade("the mark of a change");
            }
            if (found.stream().anyMatch(row -> row.get("unnamed") != null)) {
                throw shared("nothing was done: its default graph is all that there is, so that what is deleted from it would be deleted from "
                        + "named graphs too", "");
            }
        } finally {
            client.update("DELETE WHERE { " + inPositions + "?any } }", true);
        }
        settled = true;
    }

    private HttpException shared(String what, String otherwise) {
        return new HttpException(client.updates().uri(), 0, what + "; " + REMEDY + otherwise, null);
    }
}
