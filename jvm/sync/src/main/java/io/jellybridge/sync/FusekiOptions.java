package io.jellybridge.sync;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a dataset of a Fuseki server is, and how it is spoken to.
 *
 * @param http       the dataset's URL, who asks, timeouts and attempts
 * @param lease      how long a {@link Lease} lasts that nobody renews
 * @param leaseWait  how long to wait for a lease of another sync
 * @param breakLease whether to take, once, a lease that another sync holds
 */
public record FusekiOptions(HttpOptions http, Duration lease, Duration leaseWait, boolean breakLease) {
    private static final String LEASE = "lease";
    private static final String WAIT = "leaseWait";
    private static final String BREAK_LEASE = "breakLease";

    /** The settings that {@link #of(String, Map)} takes. */
    public static final Set<String> NAMES = names();

    /** @throws IllegalArgumentException a value that can't be; the message names it */
    public FusekiOptions {
        if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    LEASE + "=" + lease.toMillis() / 1000.0 + ": must be at least 1 second, so that it can be renewed");
        }
        if (leaseWait.isNegative()) {
            throw new IllegalArgumentException(WAIT + "=" + leaseWait.toMillis() / 1000.0 + ": must be at least 0 seconds");
        }
    }

    private static Set<String> names() {
        Set<String> names = new TreeSet<>(HttpOptions.NAMES);
        names.addAll(Set.of(LEASE, WAIT, BREAK_LEASE));
        return Set.copyOf(names);
    }

    /** {@link #of(String, Map)}, without settings. */
    public static FusekiOptions of(String url) {
        return of(url, Map.of());
    }

    /**
     * The options of a dataset, with a lease of 30 s, and a wait of 45 s, which is longer.
     *
     * @param url      {@code http://host:3030/ds} or https
     * @param settings those of {@link HttpOptions}; {@code lease} and {@code leaseWait}, in seconds; {@code breakLease}
     * @throws IllegalArgumentException the URL is none, or a setting is not known or can't be; no message shows credentials
     */
    public static FusekiOptions of(String url, Map<String, String> settings) {
        HttpOptions.checkNames(settings.keySet(), NAMES, "a Fuseki dataset");
        HttpOptions http = HttpOptions.of(url, settings, "URL of a dataset");
        if (http.base().getRawPath().isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + Redaction.address(url) + "' is no URL of a dataset; write http://host:3030/name");
        }
        String breaks = settings.getOrDefault(BREAK_LEASE, "false").strip();
        if (!breaks.equalsIgnoreCase("true") && !breaks.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException(BREAK_LEASE + "=" + breaks + ": must be true or false");
        }
        return new FusekiOptions(http, HttpOptions.seconds(settings, LEASE, 30), HttpOptions.seconds(settings, WAIT, 45),
                Boolean.parseBoolean(breaks));
    }

    /** The dataset's URL, without user information. */
    public URI dataset() {
        return http.base();
    }

    public FusekiOptions withTimeout(Duration longest) {
        return with(http.withTimeout(longest));
    }

    public FusekiOptions withAttempts(int most) {
        return with(http.withAttempts(most));
    }

    public FusekiOptions withBackoff(Duration first) {
        return with(http.withBackoff(first));
    }

    private FusekiOptions with(HttpOptions other) {
        return new FusekiOptions(other, lease, leaseWait, breakLease);
    }

    public FusekiOptions withLease(Duration duration, Duration longestWait) {
        return new FusekiOptions(http, duration, longestWait, breakLease);
    }

    public FusekiOptions withBreakLease(boolean breaks) {
        return new FusekiOptions(http, lease, leaseWait, breaks);
    }

}
