package io.jellybridge.fuseki;

import io.jellybridge.codec.Io;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.function.ToDoubleFunction;
import org.apache.jena.fuseki.metrics.MetricsProvider;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;

/** Adds the states of recorded and following datasets to the metrics of Fuseki, which has them at {@code /$/metrics}. */
final class DatasetMetrics {
    private static final String LOG = "jellybridge.log.";
    private static final String FOLLOWER = "jellybridge.follower.";

    private DatasetMetrics() {
    }

    static void addTo(MetricsProvider provider, DataAccessPointRegistry services) {
        MeterRegistry registry = provider.getMeterRegistry();
        if (registry == null) {
            return;
        }
        for (DatasetStatus dataset : DatasetStatus.listAll(services)) {
            if (dataset.logged() != null) {
                addGauge(registry, dataset, LOG + "version", status -> status.logged().version());
                addGauge(registry, dataset, LOG + "bytes", DatasetStatus::logBytes);
                addGauge(registry, dataset, LOG + "healthy", status -> status.isRecordingHealthy() ? 1 : 0);
                addCounter(registry, dataset, LOG + "captured.patches", status -> status.logged().patches());
            }
            if (dataset.following() != null) {
                addGauge(registry, dataset, FOLLOWER + "version", status -> status.following().version());
                addGauge(registry, dataset, FOLLOWER + "head", DatasetStatus::head);
                addGauge(registry, dataset, FOLLOWER + "lag.patches", DatasetStatus::patchesBehind);
                addGauge(registry, dataset, FOLLOWER + "lag.seconds", status -> status.following().secondsBehind());
                addGauge(registry, dataset, FOLLOWER + "healthy", status -> status.isFollowerHealthy() ? 1 : 0);
                addGauge(registry, dataset, FOLLOWER + "last.error.seconds", status -> status.following().state().errorTime() == null
                        ? 0 : status.following().state().errorTime().toEpochMilli() / 1000.0);
                addCounter(registry, dataset, FOLLOWER + "applied.patches", status -> status.following().state().patches());
            }
        }
    }

    private static void addGauge(MeterRegistry registry, DatasetStatus dataset, String name,
            Io.Function<DatasetStatus, Number> reading) {
        Gauge.builder(name, dataset, valueOf(reading)).tag("dataset", dataset.name()).strongReference(true).register(registry);
    }

    private static void addCounter(MeterRegistry registry, DatasetStatus dataset, String name,
            Io.Function<DatasetStatus, Number> reading) {
        // Kept by the gauges, which hold the status.
        FunctionCounter.builder(name, dataset, valueOf(reading)).tag("dataset", dataset.name()).register(registry);
    }

    private static ToDoubleFunction<DatasetStatus> valueOf(Io.Function<DatasetStatus, Number> reading) {
        return status -> {
            try {
                Number value = reading.apply(status);
                return value == null ? Double.NaN : value.doubleValue();
            } catch (IOException | RuntimeException e) {
                return Double.NaN;
            }
        };
    }
}
