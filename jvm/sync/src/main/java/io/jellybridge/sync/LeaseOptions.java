package io.jellybridge.sync;

import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofSeconds;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionValues;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * Options of the {@link Lease} that keeps two syncs apart.
 *
 * @param lasts       the duration of a lease that nobody renews
 * @param longestWait the longest time to wait for the lease of another sync
 * @param breaks      true to take over the lease of another sync, once
 */
public record LeaseOptions(Duration lasts, Duration longestWait, boolean breaks) implements Serializable {
    private static final Option<Duration> WAIT = ofSeconds("leaseWait", 45, "at a Fuseki without our module: how long to wait"
            + " for another sync, see [two syncs at once](#two-syncs-at-once)");
    private static final Option<Boolean> BREAK_LEASE =
            ofFlag("breakLease", false, "there: take the lease of another sync, once");
    private static final Option<Duration> LEASE =
            ofSeconds("lease", 30, "there: how long the lease of a sync that died lasts; shorter than the wait");

    static final List<Option<?>> OPTIONS = List.of(WAIT, BREAK_LEASE, LEASE);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException a value is invalid; the message names it
     */
    public LeaseOptions {
        if (lasts.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(LEASE.name() + "=" + lasts.toMillis() / 1000.0
                    + ": must be at least 1 second, so that it can be renewed");
        }
        if (longestWait.isNegative()) {
            throw new IllegalArgumentException(
                    WAIT.name() + "=" + longestWait.toMillis() / 1000.0 + ": must be at least 0 seconds");
        }
    }

    static LeaseOptions of(OptionValues given) {
        return new LeaseOptions(given.get(LEASE), given.get(WAIT), given.get(BREAK_LEASE));
    }

    LeaseOptions withBreaks(boolean whether) {
        return new LeaseOptions(lasts, longestWait, whether);
    }
}
