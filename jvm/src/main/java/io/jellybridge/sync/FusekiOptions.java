package io.jellybridge.sync;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Where a dataset of a Fuseki server is, and how it is spoken to.
 *
 * @param http      the dataset's URL, who asks, timeouts and attempts
 * @param syncGraph the graph of positions, and of the lease
 */
public record FusekiOptions(HttpOptions http, String syncGraph) {

    /** The settings that {@link #of(String, Map)} takes. */
    public static final Set<String> NAMES = HttpOptions.NAMES;

    /** {@link #of(String, Map)}, without settings. */
    public static FusekiOptions of(String url) {
        return of(url, Map.of());
    }

    /**
     * The options of a dataset.
     *
     * @param url      {@code http://host:3030/ds} or https
     * @param settings those of {@link HttpOptions}
     * @throws IllegalArgumentException the URL is none, or a setting is not known or can't be; no message shows credentials
     */
    public static FusekiOptions of(String url, Map<String, String> settings) {
        HttpOptions.checkNames(settings.keySet(), NAMES, "a Fuseki dataset");
        HttpOptions http = HttpOptions.of(url, settings);
        if (http.base().getRawPath().isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + Redaction.address(url) + "' is no URL of a dataset; write http://host:3030/name");
        }
        return new FusekiOptions(http, SyncTarget.SYNC_GRAPH);
    }

    /** The dataset's URL, without user information. */
    public URI dataset() {
        return http.base();
    }

    public FusekiOptions withTimeout(Duration longest) {
        return new FusekiOptions(http.withTimeout(longest), syncGraph);
    }

    public FusekiOptions withAttempts(int most) {
        return new FusekiOptions(http.withAttempts(most), syncGraph);
    }

    public FusekiOptions withBackoff(Duration first) {
        return new FusekiOptions(http.withBackoff(first), syncGraph);
    }

    public FusekiOptions withSyncGraph(String graph) {
        return new FusekiOptions(http, graph);
    }
}
