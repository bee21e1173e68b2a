package io.jellybridge.sync;

import static io.jellybridge.options.Option.flag;
import static io.jellybridge.options.Option.seconds;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Where a dataset of a Fuseki server is, and how it is spoken to.
 *
 * @param http       the dataset's URL, who asks, timeouts and attempts
 * @param lease      how long a {@link Lease} lasts that nobody renews
 * @param leaseWait  how long to wait for a lease of another sync
 * @param breakLease whether to take, once, a lease that another sync holds
 */
public record FusekiOptions(HttpOptions http, Duration lease, Duration leaseWait, boolean breakLease) {
    private static final Option<Duration> WAIT = seconds("leaseWait", 45, "at a Fuseki without our module: how long to wait"
            + " for another sync, see [two syncs at once](#two-syncs-at-once)");
    private static final Option<Boolean> BREAK_LEASE =
            flag("breakLease", false, "there: take the lease of another sync, once");
    private static final Option<Duration> LEASE =
            seconds("lease", 30, "there: how long the lease of a sync that died lasts; shorter than the wait");

    /** What {@link #of(String, Map)} takes. */
    public static final List<Option<?>> OPTIONS =
            OptionTable.join(HttpOptions.OPTIONS, List.of(WAIT, BREAK_LEASE, LEASE));
    static final OptionTable TABLE = new OptionTable("a Fuseki dataset", OPTIONS, List.of());

    /** @throws IllegalArgumentException a value that can't be; the message names it */
    public FusekiOptions {
        if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(LEASE.name() + "=" + lease.toMillis() / 1000.0
                    + ": must be at least 1 second, so that it can be renewed");
        }
        if (leaseWait.isNegative()) {
            throw new IllegalArgumentException(
                    WAIT.name() + "=" + leaseWait.toMillis() / 1000.0 + ": must be at least 0 seconds");
        }
    }

    /** {@link #of(String, Map)}, without options. */
    public static FusekiOptions of(String url) {
        return of(url, Map.of());
    }

    /**
     * The options of a dataset.
     *
     * @param url     {@code http://host:3030/ds} or https
     * @param options by the names of {@link #OPTIONS}
     * @throws IllegalArgumentException the URL is none, or an option is not known or can't be; no message shows credentials
     */
    public static FusekiOptions of(String url, Map<String, String> options) {
        OptionValues given = TABLE.values(options);
        HttpOptions http = HttpOptions.of(url, given.of(OptionTable.names(HttpOptions.OPTIONS)), "URL of a dataset");
        if (http.base().getRawPath().isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + Redaction.address(url) + "' is no URL of a dataset; write http://host:3030/name");
        }
        return new FusekiOptions(http, given.get(LEASE), given.get(WAIT), given.get(BREAK_LEASE));
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
