package io.jellybridge.sync;

import io.jellybridge.http.HttpException;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The meaning of the default graph in a store, which SPARQL 1.1 leaves open (Query, section 13.1). In most stores it holds the
 * statements of no named graph. In some, such as RDF4J, it is the union of all graphs. A pattern without a graph then matches
 * statements of every graph, and a deletion without a graph deletes them in every graph.
 */
final class DefaultGraph {
    /** The option's value for a store of the first kind. */
    static final String EXCLUSIVE = "exclusive";
    private static final int SAMPLE = 100;
    private static final String HIDDEN = "<urn:hidden>";
    private static final String REMEDY = "set the option defaultGraph to what this store calls what is in no named graph ("
            + "RDF4J: http://www.openrdf.org/schema/sesame#nil), or keep to named graphs";

    private final SparqlClient client;
    /** The option's value; null if not given. */
    private final String option;
    /** True if there is nothing left to find out: the default graph has a name, or is separate from named graphs. */
    private boolean settled;

    DefaultGraph(SparqlClient client, String option) {
        this.client = client;
        this.option = option;
        this.settled = option != null;
    }

    /** Returns the graph to name in queries of the default graph and deletions from it; null to name none. */
    String name() {
        return EXCLUSIVE.equals(option) ? null : option;
    }

    /**
     * Checks, by reading only, that the default graph can be read without a name.
     *
     * @throws HttpException it seems to show the named graphs
     */
    void checkReadable() throws IOException {
        if (settled) {
            return;
        }
        // One request, since others may change the store between two requests.
        List<Map<String, String>> sample = client.select("SELECT ?shown { { SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } LIMIT "
                + SAMPLE + " } BIND(IF(EXISTS { ?s ?p ?o }, <urn:shown>, " + HIDDEN + ") AS ?shown) }");
        if (sample.stream().anyMatch(row -> HIDDEN.equals(row.get("shown")))) {
            settled = true;
        } else if (!sample.isEmpty()) {
            throw sharedGraphError("the first statements of named graphs are in its default graph too, as where that is all that there "
                    + "is", "; where they are there twice indeed, set it to " + EXCLUSIVE);
        } // else there are no statements yet that it could show
    }

    /**
     * Checks that the default graph can be changed without a name. To do so, it writes a mark to the graph of positions.
     *
     * @throws HttpException the mark is missing, or a deletion would also delete it from other graphs
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
                throw client.notMadeError("the mark of a change");
            }
            if (found.stream().anyMatch(row -> row.get("unnamed") != null)) {
                throw sharedGraphError("nothing was done: its default graph is all that there is, so that what is deleted from "
                        + "it would be deleted from "
                        + "named graphs too", "");
            }
        } finally {
            client.update("DELETE WHERE { " + inPositions + "?any } }", true);
        }
        settled = true;
    }

    private HttpException sharedGraphError(String what, String otherwise) {
        return new HttpException(client.updates().uri(), 0, what + "; " + REMEDY + otherwise, null);
    }
}
