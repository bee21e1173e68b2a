package io.jellybridge.sync;

import io.jellybridge.http.HttpException;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Where a dataset of a server is, and how it is spoken to. */
public sealed interface ServerLocation permits FusekiOptions, SparqlOptions {

    /** What {@link #of} takes; some are of one kind of server alone. */
    List<Option<?>> OPTIONS = OptionTable.join(FusekiOptions.OPTIONS, SparqlOptions.OWN);

    /** Whether a text names a dataset of a server. */
    static boolean isOne(String location) {
        return HttpOptions.isUrl(location) || SparqlOptions.isOne(location);
    }

    /**
     * Reads a location.
     *
     * @param location the URL of a dataset of Fuseki; or {@code sparql:} and the addresses of a store, see
     *                 {@link SparqlOptions#of}
     * @param options  by the names of {@link #OPTIONS}
     * @throws IllegalArgumentException it is none, or an option is not known there or can't be; no message shows credentials
     */
    static ServerLocation of(String location, Map<String, String> options) {
        return SparqlOptions.isOne(location) ? SparqlOptions.of(location, options) : FusekiOptions.of(location, options);
    }

    /** The same, with or without taking the lease of another sync, once. */
    ServerLocation withBreakLease(boolean breaks);

    /** The dataset without its positions; nothing is asked yet, not even whether it is there. */
    OpenDataset dataset();

    /**
     * Opens the dataset, after asking whether it is there.
     *
     * @param positions whether the graph of {@link StoredPosition}s is among the rows, the count and what is dumped
     * @throws HttpException there is no such server, it has no such dataset, or it does not let us in
     */
    OpenDataset open(boolean positions) throws IOException;
}
