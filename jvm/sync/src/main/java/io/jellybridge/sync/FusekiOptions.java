package io.jellybridge.sync;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.http.Ticker;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Where a dataset of a Fuseki server is, and how it is spoken to.
 *
 * @param http  the dataset's URL, who asks, timeouts and attempts
 * @param lease how syncs are kept apart where the server has not our module
 */
public record FusekiOptions(HttpOptions http, LeaseOptions lease) implements ServerLocation {

    /** What {@link #of(String, Map)} takes. */
    public static final List<Option<?>> OPTIONS = OptionTable.join(HttpOptions.OPTIONS, LeaseOptions.OPTIONS);
    static final OptionTable TABLE = new OptionTable("a Fuseki dataset", OPTIONS, List.of());

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
        return new FusekiOptions(http, LeaseOptions.of(given));
    }

    /** The dataset's URL, without user information. */
    public URI url() {
        return http.base();
    }

    public FusekiOptions withTimeout(Duration longest) {
        return with(http.withTimeout(longest));
    }

    public FusekiOptions withAttempts(int most) {
        return with(http.withAttempts(most));
    }

    public FusekiOptions withTicker(Ticker ticker) {
        return with(http.withTicker(ticker));
    }

    private FusekiOptions with(HttpOptions other) {
        return new FusekiOptions(other, lease);
    }

    public FusekiOptions withLease(Duration duration, Duration longestWait) {
        return new FusekiOptions(http, new LeaseOptions(duration, longestWait, lease.breaks()));
    }

    @Override
    public FusekiOptions withBreakLease(boolean breaks) {
        return new FusekiOptions(http, lease.withBreaks(breaks));
    }

    @Override
    public FusekiDataset dataset() {
        return new FusekiDataset(this);
    }

    @Override
    public FusekiDataset open(boolean positions) throws IOException {
        return FusekiDataset.open(this, positions);
    }

    /** The dataset's URL, without user information. */
    @Override
    public String toString() {
        return url().toString();
    }
}
