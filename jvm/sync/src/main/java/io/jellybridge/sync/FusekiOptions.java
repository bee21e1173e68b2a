package io.jellybridge.sync;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The address and the options of a dataset of a Fuseki server.
 *
 * @param http  the dataset's URL, the credentials, timeouts and attempts
 * @param lease the options that keep syncs apart at a server without our module
 */
public record FusekiOptions(HttpOptions http, LeaseOptions lease) implements ServerLocation {

    /** The options of {@link #of(String, Map)}. */
    public static final List<Option<?>> OPTIONS = OptionTable.join(HttpOptions.OPTIONS, LeaseOptions.OPTIONS);
    static final OptionTable TABLE = new OptionTable("a Fuseki dataset", OPTIONS, List.of());

    /** Returns {@link #of(String, Map)} without options. */
    public static FusekiOptions of(String url) {
        return of(url, Map.of());
    }

    /**
     * Parses the URL and the options of a dataset.
     *
     * @param url     {@code http://host:3030/ds} or https
     * @param options the options, by the names of {@link #OPTIONS}
     * @throws IllegalArgumentException the URL is invalid, or an option is unknown or invalid; no message shows credentials
     */
    public static FusekiOptions of(String url, Map<String, String> options) {
        OptionValues given = TABLE.parseValues(options);
        HttpOptions http = HttpOptions.of(url, given.of(OptionTable.names(HttpOptions.OPTIONS)), "URL of a dataset");
        if (http.base().getRawPath().isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + Redaction.redactAddress(url) + "' is no URL of a dataset; write http://host:3030/name");
        }
        return new FusekiOptions(http, LeaseOptions.of(given));
    }

    /** Returns the dataset's URL, without user information. */
    public URI url() {
        return http.base();
    }

    FusekiOptions withHttp(UnaryOperator<HttpOptions> change) {
        return new FusekiOptions(change.apply(http), lease);
    }

    FusekiOptions withLease(LeaseOptions other) {
        return new FusekiOptions(http, other);
    }

    @Override
    public FusekiOptions withBreakLease(boolean breaks) {
        return withLease(lease.withBreaks(breaks));
    }

    @Override
    public FusekiDataset dataset() {
        return new FusekiDataset(this);
    }

    @Override
    public FusekiDataset open(boolean positions) throws IOException {
        return FusekiDataset.open(this, positions);
    }

    /** Returns the dataset's URL, without user information. */
    @Override
    public String toString() {
        return url().toString();
    }
}
