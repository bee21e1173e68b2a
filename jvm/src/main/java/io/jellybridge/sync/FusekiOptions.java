package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Set;

/**
 * Where a dataset of a Fuseki server is, and how it is spoken to.
 *
 * @param dataset        the dataset's URL, without user information
 * @param authorization  the header {@code Authorization}; null: none
 * @param connectTimeout how long to wait for a connection
 * @param timeout        how long to wait for an answer, all of it; a large patch takes its time
 * @param attempts       how often a request is sent at most
 * @param backoff        how long to wait before the second attempt; twice as long before each that follows, at most 10 s
 * @param syncGraph      the graph of positions, and of the lease
 */
public record FusekiOptions(
        URI dataset,
        String authorization,
        Duration connectTimeout,
        Duration timeout,
        int attempts,
        Duration backoff,
        String syncGraph) {

    private static final Set<String> NAMES = Set.of("user", "password", "token", "connectTimeout", "timeout", "attempts");

    /** @throws IllegalArgumentException a value that can't be; the message names it */
    public FusekiOptions {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts=" + attempts + ": must be at least 1");
        }
        checkPositive("connectTimeout", connectTimeout);
        checkPositive("timeout", timeout);
    }

    private static void checkPositive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(name + "=" + duration.toMillis() / 1000.0 + ": must be more than 0 seconds");
        }
    }

    /** Whether a location is one of a server. */
    public static boolean isUrl(String location) {
        return location.startsWith("http://") || location.startsWith("https://");
    }

    /**
     * The options of a dataset, with 10 s to connect, 10 minutes to answer, and 5 attempts.
     *
     * @param url {@code http://host:3030/ds} or https; {@code user:password@} before the host is for basic authentication
     * @throws IllegalArgumentException it is no such URL
     */
    public static FusekiOptions of(String url) {
        return of(url, Map.of());
    }

    /**
     * The options of a dataset.
     *
     * @param settings {@code user} and {@code password}, or {@code token} (bearer); {@code connectTimeout} and {@code
     *                 timeout}, in seconds; {@code attempts}
     * @throws IllegalArgumentException the URL is none, or a setting is not known or can't be, or a password has no user
     */
    public static FusekiOptions of(String url, Map<String, String> settings) {
        for (String name : settings.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("'" + name + "' is no option of a Fuseki dataset; these are: "
                        + String.join(", ", NAMES.stream().sorted().toList()));
            }
        }
        URI given = parse(url);
        return new FusekiOptions(withoutUser(given), authorization(given, settings),
                seconds(settings, "connectTimeout", 10), seconds(settings, "timeout", 600),
                Math.toIntExact(number(settings, "attempts", 5)), Duration.ofMillis(200), SyncTarget.SYNC_GRAPH);
    }

    private static URI parse(String url) {
        try {
            URI uri = new URI(url);
            String path = uri.getPath();
            boolean dataset = isUrl(url) && uri.getHost() != null && path != null && path.length() > 1
                    && uri.getQuery() == null && uri.getFragment() == null;
            if (dataset) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // the message below says it
        }
        throw new IllegalArgumentException("'" + hidePassword(url) + "' is no URL of a dataset; "
                + "write http://host:3030/name");
    }

    private static String hidePassword(String url) {
        return url.replaceFirst("//[^/@]*@", "//");
    }

    private static URI withoutUser(URI uri) {
        String path = uri.getRawPath().endsWith("/") ? uri.getRawPath().substring(0, uri.getRawPath().length() - 1)
                : uri.getRawPath();
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return URI.create(uri.getScheme() + "://" + uri.getHost() + port + path);
    }

    private static String authorization(URI uri, Map<String, String> settings) {
        if (settings.containsKey("password") && !settings.containsKey("user")) {
            throw new IllegalArgumentException("the option 'password' goes with the option 'user'; give both");
        }
        if (settings.containsKey("token")) {
            return "Bearer " + settings.get("token");
        }
        String user = uri.getUserInfo();
        if (settings.containsKey("user")) {
            user = settings.get("user") + ":" + settings.getOrDefault("password", "");
        }
        return user == null ? null : "Basic " + Base64.getEncoder().encodeToString(user.getBytes(UTF_8));
    }

    private static Duration seconds(Map<String, String> settings, String name, long otherwise) {
        try {
            String value = settings.get(name);
            return value == null
                    ? Duration.ofSeconds(otherwise)
                    : Duration.ofMillis((long) (Double.parseDouble(value) * 1000));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + settings.get(name) + ": must be a number of seconds", e);
        }
    }

    private static long number(Map<String, String> settings, String name, long otherwise) {
        try {
            return settings.containsKey(name) ? Integer.parseInt(settings.get(name)) : otherwise;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + settings.get(name) + ": must be a number", e);
        }
    }

    public FusekiOptions withTimeout(Duration longest) {
        return new FusekiOptions(dataset, authorization, connectTimeout, longest, attempts, backoff, syncGraph);
    }

    public FusekiOptions withAttempts(int most) {
        return new FusekiOptions(dataset, authorization, connectTimeout, timeout, most, backoff, syncGraph);
    }

    public FusekiOptions withBackoff(Duration first) {
        return new FusekiOptions(dataset, authorization, connectTimeout, timeout, attempts, first, syncGraph);
    }

    public FusekiOptions withSyncGraph(String graph) {
        return new FusekiOptions(dataset, authorization, connectTimeout, timeout, attempts, backoff, graph);
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "FusekiOptions[" + dataset + (authorization == null ? "" : ", with credentials") + "]";
    }
}
