package io.jellybridge.fuseki;

import static io.jellybridge.options.Option.ofSeconds;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.FusekiConfigException;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;

/**
 * Makes datasets of a server follow the logs that the system property {@value #PROPERTY} names. It has pairs of a dataset's name
 * and the address of a log: {@code /ds=http://primary:3030/$/patch-logs/ds}. For options see {@link FollowOptions}.
 */
final class FollowingDatasets {
    static final String PROPERTY = "jellybridge.follow";
    static final NamedDatasets<FollowingDataset> NAMED = new NamedDatasets<>(PROPERTY, FollowingDataset.class,
            FollowingDataset::endFollowing, "follow a log", "LOG");

    private FollowingDatasets() {
    }

    /**
     * Replaces the datasets of a server that is being built.
     *
     * @throws FusekiConfigException a dataset can't follow a log, or could be changed by others; then none follows
     */
    static void followLogs(DataAccessPointRegistry services) {
        NAMED.wrapAll(services, () -> {
            FollowOptions options = FollowOptions.of(NAMED.options());
            NAMED.parseNames().forEach((name, log) -> {
                NAMED.wrap(services, name, base -> FollowingDataset.open(base, log, options));
                Fuseki.serverLog.info("jellybridge: {} follows the log {}", name, Redaction.redactAddress(log));
            });
            services.accessPoints().forEach(service -> NAMED.requireOneWay(services, service));
        });
    }

    /** Returns true if the property names this dataset. */
    static boolean areNamed(String dataset) {
        return NAMED.parseNames().containsKey(DataAccessPoint.canonical(dataset));
    }

    /**
     * The options of a {@link FollowingDataset}. As system properties they begin with {@code jellybridge.follow.}, have hyphens,
     * and apply to each dataset that {@link FollowingDatasets#PROPERTY} names. As properties of an assembler description they
     * apply to one dataset.
     *
     * @param poll   the longest pause between two requests for new versions
     * @param server the options of the log's server
     */
    record FollowOptions(Duration poll, Map<String, String> server) {
        private static final Option<Duration> POLL_SECONDS =
                ofSeconds("pollSeconds", 1, "the longest pause until a log that can't wait is asked for new versions again");
        private static final Duration SHORTEST_POLL = Duration.ofMillis(1);

        static final OptionTable TABLE = new OptionTable("a following dataset",
                OptionTable.join(List.of(POLL_SECONDS), HttpOptions.OPTIONS), List.of());

        /**
         * Checks the pause.
         *
         * @throws IllegalArgumentException it is none
         */
        FollowOptions {
            if (poll.compareTo(SHORTEST_POLL) < 0) {
                throw new IllegalArgumentException(
                        POLL_SECONDS.name() + "=" + poll.toMillis() / 1000.0 + ": must be at least 0.001 seconds");
            }
        }

        /**
         * Parses options.
         *
         * @param given the values by name
         * @throws IllegalArgumentException a name is unknown, or a value is invalid
         */
        static FollowOptions of(Map<String, String> given) {
            OptionValues values = TABLE.parseValues(given);
            return new FollowOptions(values.get(POLL_SECONDS), values.of(OptionTable.names(HttpOptions.OPTIONS)));
        }
    }
}
