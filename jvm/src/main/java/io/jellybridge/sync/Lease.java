package io.jellybridge.sync;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Keeps two syncs apart at a Fuseki without our module, which compares no positions. A lease is two quads in the graph of
 * positions: the token of its holder, and when it ends, by the clock of the server.
 *
 * <ol>
 *   <li>One SPARQL Update takes it, if it is free, ended, or the caller's already; a query then tells whose it is.
 *   <li>The holder compares the position, and sends the patch. Its last rows delete the lease, so that it ends in the
 *       transaction that sets the new position.
 *   <li>Before it sends a patch again the holder takes the lease again. This waits for the transaction of the first try,
 *       if that is still running: Fuseki has one writer at a time.
 * </ol>
 *
 * <p>Its limit: a request that was sent whole, and whose transaction begins only after the holder gave it up and the lease
 * ended, is applied nevertheless; something between client and server that holds requests back could do that. The key has
 * two positions then, and the next sync says so. With the module, which compares positions in the transaction, it can't
 * happen.
 */
final class Lease {
    private static final String NAME = "<urn:jellybridge:lease>";
    private static final String TOKEN = "<urn:jellybridge:token>";
    private static final String EXPIRES = "<urn:jellybridge:expires>";
    /** How much longer than a request a lease is. */
    private static final Duration MARGIN = Duration.ofSeconds(60);

    private final FusekiClient client;
    private final String graph;
    private final String token = "\"" + UUID.randomUUID() + "\"";
    private String expires;

    Lease(FusekiClient client) {
        this.client = client;
        this.graph = "<" + client.options().syncGraph() + ">";
    }

    /**
     * Takes the lease, or prolongs it.
     *
     * @throws SyncLeaseException another one holds it
     */
    void take() throws IOException {
        long seconds = client.options().http().timeout().plus(MARGIN).toSeconds();
        client.update("""
                PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
                DELETE { GRAPH %1$s { %2$s %3$s ?token ; %4$s ?expires } }
                INSERT { GRAPH %1$s { %2$s %3$s %5$s ; %4$s ?new } }
                WHERE {
                  OPTIONAL { GRAPH %1$s { %2$s %3$s ?token ; %4$s ?expires } }
                  FILTER (!bound(?token) || ?token = %5$s || ?expires < now())
                  BIND (now() + "PT%6$dS"^^xsd:dayTimeDuration AS ?new)
                }""".formatted(graph, NAME, TOKEN, EXPIRES, token, seconds), true);
        List<Map<String, String>> held = client.select("SELECT ?token ?expires { GRAPH %s { %s %s ?token ; %s ?expires } }"
                .formatted(graph, NAME, TOKEN, EXPIRES));
        expires = held.isEmpty() ? null : held.get(0).get("expires");
        if (held.size() != 1 || !token.equals(held.get(0).get("token"))) {
            throw new SyncLeaseException(client.options().dataset().toString(), expires);
        }
    }

    /** The rows of RDF Patch text that end it. */
    String ends() {
        return "D %2$s %3$s %5$s %1$s .\nD %2$s %4$s %6$s %1$s .\n".formatted(graph, NAME, TOKEN, EXPIRES, token, expires);
    }

    /** Ends it, if it is still held. */
    void release() throws IOException {
        client.update("DELETE WHERE { GRAPH %s { %s %s %s ; %s ?expires } }".formatted(graph, NAME, TOKEN, token, EXPIRES),
                true);
    }
}
