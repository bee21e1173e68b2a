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

/** The address and the options of a dataset of a server. */
public sealed interface ServerLocation permits FusekiOptions, SparqlOptions {

    /** The accepted option names. Some apply to one kind of server only. */
    List<Option<?>> OPTIONS = OptionTable.join(FusekiOptions.OPTIONS, SparqlOptions.OWN);

    /** Returns true if a text is the location of a dataset of a server. */
    static boolean isOne(String location) {
        return HttpOptions.isUrl(location) || SparqlOptions.isOne(location);
    }

    /**
     * Parses a location and its options.
     *
     * @param location the URL of a dataset of Fuseki; or {@code sparql:} and the addresses of a store, see
     *                 {@link SparqlOptions#of}
     * @param options  the options, by the names of {@link #OPTIONS}
     * @throws IllegalArgumentException the location is invalid, or an option is unknown or invalid there; no message shows
     *                                  credentials
     */
    static ServerLocation of(String location, Map<String, String> options) {
        return SparqlOptions.isOne(location) ? SparqlOptions.of(location, options) : FusekiOptions.of(location, options);
    }

    /** Returns the same location, with or without permission to take over the lease of another sync, once. */
    ServerLocation withBreakLease(boolean breaks);

    /** Returns the dataset without its positions. It sends no request yet, so the dataset may not exist. */
    OpenDataset dataset();

    /**
     * Opens the dataset, and checks that it exists.
     *
     * @param positions true to include the graph of {@link StoredPosition}s in the rows, the count and dumps
     * @throws HttpException the server or its dataset does not exist, or access is denied
     */
    OpenDataset open(boolean positions) throws IOException;
}
