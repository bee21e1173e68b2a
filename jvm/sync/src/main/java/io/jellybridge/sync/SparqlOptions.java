package io.jellybridge.sync;

import static io.jellybridge.options.Option.ofLarge;
import static io.jellybridge.options.Option.ofNumber;
import static io.jellybridge.options.Option.ofText;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The address and the options of a store with the SPARQL 1.1 Protocol.
 *
 * @param updates      the address for updates, the credentials, timeouts and attempts
 * @param queries      the address for queries
 * @param lease        the options that keep syncs apart whose step takes several requests
 * @param requestRows  the largest number of statements in a request
 * @param requestBytes the largest size of a request, without its last statement
 * @param defaultGraph the name of the default graph, see {@link DefaultGraph}; null to find out if it needs one
 * @param skolemBase   the start of the IRIs that replace blank nodes, see {@link SkolemTerms}
 */
public record SparqlOptions(HttpOptions updates, HttpOptions queries, LeaseOptions lease, int requestRows,
        long requestBytes, String defaultGraph, String skolemBase) implements ServerLocation {
    private static final String SCHEME = "sparql:";
    private static final String QUERY = "?query=";
    private static final String WHAT = "address of a SPARQL store";
    private static final String FORM = "; write sparql:http://host/update?query=http://host/query";

    private static final Option<Integer> REQUEST_ROWS =
            ofNumber("requestRows", 5000, 1, "how many statements go into one request at most");
    private static final Option<Long> REQUEST_BYTES = ofLarge("requestBytes", 1L << 20, 1,
            "how many bytes of statements go into one request at most, or one statement; a store that says 413 gets less");
    private static final Option<String> DEFAULT_GRAPH = ofText("defaultGraph", "an IRI, or `exclusive`", null,
            "what the store calls its [default graph](#the-default-graph), where a pattern without a graph goes for all of them");
    private static final Option<String> SKOLEM_BASE = ofText("skolemBase", "an IRI that ends with `/`",
            "https://jellybridge.invalid/.well-known/genid/",
            "what the IRIs begin with that stand for [blank nodes](#blank-nodes) there");

    /** The options that a Fuseki does not have. */
    static final List<Option<?>> OWN = List.of(REQUEST_ROWS, REQUEST_BYTES, DEFAULT_GRAPH, SKOLEM_BASE);
    static final OptionTable TABLE =
            new OptionTable("a SPARQL store", OptionTable.join(FusekiOptions.OPTIONS, OWN), List.of());

    static boolean isOne(String location) {
        return location.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /**
     * Parses the location and the options of a store.
     *
     * @param location {@code sparql:UPDATE?query=QUERY}: the URL for updates, and the URL for queries, which may be relative
     *                 to the first. Without the second, one address takes both
     * @param options  the options, by the names of {@link #TABLE}
     * @throws IllegalArgumentException the location is invalid, or an option is unknown or invalid; no message shows
     *                                  credentials
     */
    public static SparqlOptions of(String location, Map<String, String> options) {
        OptionValues given = TABLE.parseValues(options);
        Map<String, String> http = given.of(OptionTable.names(HttpOptions.OPTIONS));
        String[] addresses = location.substring(SCHEME.length()).split("\\?", 2);
        HttpOptions updates = HttpOptions.of(addresses[0], http, WHAT);
        HttpOptions queries = updates;
        if (addresses.length > 1) {
            queries = queryOptions(updates, queryAddress(location), http);
        }
        return new SparqlOptions(updates, queries, LeaseOptions.of(given), given.get(REQUEST_ROWS),
                given.get(REQUEST_BYTES), defaultGraph(given.get(DEFAULT_GRAPH)), skolemBase(given.get(SKOLEM_BASE)));
    }

    private static String queryAddress(String location) {
        String query = location.substring(location.indexOf('?'));
        if (!query.startsWith(QUERY) || query.length() == QUERY.length()) {
            throw noLocationError(location);
        }
        String address = query.substring(QUERY.length());
        return address.matches("(?i)https?%3a.*") ? URLDecoder.decode(address.replace("+", "%2B"), UTF_8) : address;
    }

    private static IllegalArgumentException noLocationError(String location) {
        return new IllegalArgumentException("'" + Redaction.redactAddress(location) + "' is no " + WHAT + FORM);
    }

    private static HttpOptions queryOptions(HttpOptions updates, String address, Map<String, String> options) {
        String url = HttpOptions.isUrl(address) ? address : resolveAddress(updates.base(), address);
        HttpOptions own = HttpOptions.of(url, options, WHAT);
        boolean namesUser = !Redaction.redactAddress(url).equals(url);
        // Otherwise the credentials of the first address are also sent to the same server.
        return namesUser || !updates.isSameServer(own.base()) ? own : updates.withBase(own.base());
    }

    private static String resolveAddress(URI updates, String address) {
        try {
            return updates.resolve(address).toString();
        } catch (IllegalArgumentException e) {
            throw noLocationError(SCHEME + updates + QUERY + address);
        }
    }

    private static boolean isIri(String text) {
        return text.matches("[A-Za-z][A-Za-z0-9+.-]*:[^\\x00-\\x20<>\"{}|^`\\\\]+");
    }

    private static String defaultGraph(String name) {
        if (name != null && !name.equals(DefaultGraph.EXCLUSIVE) && !isIri(name)) {
            throw DEFAULT_GRAPH.refusalError(name, TABLE.of());
        }
        return name;
    }

    private static String skolemBase(String base) {
        if (!base.endsWith("/") || !isIri(base)) {
            throw SKOLEM_BASE.refusalError(base, TABLE.of());
        }
        return base;
    }

    SparqlOptions withHttp(UnaryOperator<HttpOptions> change) {
        return new SparqlOptions(change.apply(updates), change.apply(queries), lease, requestRows, requestBytes, defaultGraph,
                skolemBase);
    }

    SparqlOptions withLease(LeaseOptions other) {
        return new SparqlOptions(updates, queries, other, requestRows, requestBytes, defaultGraph, skolemBase);
    }

    @Override
    public SparqlOptions withBreakLease(boolean breaks) {
        return withLease(lease.withBreaks(breaks));
    }

    @Override
    public SparqlDataset dataset() {
        return new SparqlDataset(this, false);
    }

    @Override
    public SparqlDataset open(boolean positions) throws IOException {
        return SparqlDataset.open(this, positions);
    }

    /** Returns the location, without user information. */
    @Override
    public String toString() {
        return SCHEME + updates.base() + (queries.equals(updates) ? "" : QUERY + queries.base());
    }
}
