package io.jellybridge.fuseki;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.Io;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.fuseki.FusekiConfigException;
import org.apache.jena.fuseki.access.DataAccessCtl;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.compose.Dyadic;
import org.apache.jena.graph.compose.Polyadic;
import org.apache.jena.reasoner.InfGraph;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphCollection;
import org.apache.jena.sparql.core.DatasetGraphOne;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.GraphView;
import org.apache.jena.sparql.graph.GraphWrapper;

/**
 * The datasets of a server that a system property names, each with its log: {@code /ds=LOG,/other=LOG}. Their options are the
 * properties whose names begin with that of this one, and a dot.
 *
 * @param property the name of the property
 * @param type     the class that wraps each of these datasets
 * @param end      ends the work of such a dataset
 * @param purpose  the reason why they are wrapped, after "can't", for messages
 * @param value    a word for their logs, for messages
 */
record NamedDatasets<T extends DatasetGraphWrapper>(String property, Class<T> type, Consumer<T> end, String purpose,
        String value) {
    private static final Set<Operation> CHANGES = Set.of(Operation.Update, Operation.GSP_RW, Operation.Upload, Operation.Patch,
            Operation.PREFIXES_RW);

    /** Returns true if the property names datasets. */
    boolean areNamed() {
        return !parseNames().isEmpty();
    }

    /** Returns the logs by the names of the datasets. */
    Map<String, String> parseNames() {
        String named = System.getProperty(property);
        Map<String, String> logs = new LinkedHashMap<>();
        String[] pairs = named == null || named.isBlank() ? new String[0] : named.split(",");
        for (int i = 0; i < pairs.length; i++) {
            String[] parts = pairs[i].split("=", 2);
            if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
                boolean hasAddress = named.contains("//") || named.contains("@"); // with a password, perhaps
                throw new FusekiConfigException("jellybridge: the property " + property + " is wrong in "
                        + (hasAddress ? "part " + (i + 1) : "'" + pairs[i].strip() + "'") + "; write /DATASET=" + value
                        + ", and a comma before the next; a comma in an address is written %2C");
            }
            if (logs.put(DataAccessPoint.canonical(parts[0].strip()), parts[1].strip()) != null) {
                throw new FusekiConfigException("jellybridge: the property " + property + " names " + parts[0].strip()
                        + " twice");
            }
        }
        return logs;
    }

    /** Returns the options by their names, without hyphens. */
    Map<String, String> options() {
        String prefix = property + ".";
        Map<String, String> given = new TreeMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(prefix)) {
                given.put(name.substring(prefix.length()).replace("-", "").toLowerCase(Locale.ROOT), System.getProperty(name));
            }
        }
        return given;
    }

    /**
     * Wraps the datasets of a server that is being built. If that fails, none stays at work.
     *
     * @param wrapping calls {@link #wrap} and {@link #requireOneWay}
     * @throws FusekiConfigException a dataset can't be wrapped, or an option is wrong
     */
    void wrapAll(DataAccessPointRegistry services, Runnable wrapping) {
        try {
            wrapping.run();
        } catch (IllegalArgumentException e) {
            endAll(services);
            throw new FusekiConfigException("jellybridge: the properties " + property + ".*: " + e.getMessage());
        } catch (RuntimeException e) {
            endAll(services);
            throw e;
        }
    }

    /** Ends the work of all these datasets of a server. */
    void endAll(DataAccessPointRegistry services) {
        for (DataAccessPoint service : services.accessPoints()) {
            T wrapped = find(service.getDataService().getDataset(), type);
            if (wrapped != null) {
                end.accept(wrapped);
            }
        }
    }

    /**
     * Wraps a dataset, for all services that share it.
     *
     * @throws FusekiConfigException it can't be wrapped
     */
    void wrap(DataAccessPointRegistry services, String name, Io.Function<DatasetGraph, DatasetGraph> wrapping) {
        if (!services.isRegistered(name)) {
            throw refusalError(name, "this server has no such dataset; a dataset that is made later needs a jb:"
                    + type.getSimpleName() + " in its description");
        }
        DatasetGraph base = services.get(name).getDataService().getDataset();
        if (DataAccessCtl.isAccessControlled(base)) {
            throw refusalError(name, "it has access rights to graphs, which have to stay above; put a jb:" + type.getSimpleName()
                    + " beneath them in the configuration");
        }
        DatasetGraph wrapped;
        try {
            wrapped = wrapping.apply(base);
        } catch (IOException | UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
            throw refusalError(name, ExceptionMessages.toText(e));
        }
        for (DataAccessPoint service : services.accessPoints()) {
            if (service.getDataService().getDataset() == base) {
                services.remove(service.getName());
                services.register(new DataAccessPoint(service.getName(),
                        DataService.newBuilder(service.getDataService()).dataset(wrapped).build()));
            }
        }
    }

    /**
     * Checks that no other service changes the data of a wrapped dataset directly.
     *
     * @throws FusekiConfigException one does
     */
    void requireOneWay(DataAccessPointRegistry services, DataAccessPoint service) {
        DatasetGraphWrapper wrapped = find(service.getDataService().getDataset(), type);
        if (wrapped == null) {
            return;
        }
        for (DataAccessPoint other : services.accessPoints()) {
            if (isChangedBy(other) && isBeside(other.getDataService().getDataset(), wrapped)) {
                throw refusalError(service.getName(), other.getName() + " changes the same data in another way, past it; put a "
                        + "jb:" + type.getSimpleName() + " beneath both in the configuration");
            }
        }
    }

    /** Returns true if changes of a dataset reach the data beneath a wrapped one without passing through it. */
    private boolean isBeside(DatasetGraph dataset, DatasetGraph wrapped) {
        if (find(dataset, type) == wrapped) {
            return false;
        }
        DatasetGraph inner = LoggedDataset.findInnermost(dataset);
        boolean isOfGraphs = inner instanceof DatasetGraphCollection || inner instanceof DatasetGraphOne; // of other datasets, perhaps
        return inner == LoggedDataset.findInnermost(wrapped) || isOfGraphs
                && Stream.concat(Stream.of(inner.getDefaultGraph()), Iter.asStream(inner.listGraphNodes()).map(inner::getGraph))
                        .anyMatch(graph -> isBeside(graph, wrapped));
    }

    /** Returns true if changes of a graph reach the data beneath a wrapped dataset without passing through that. */
    private boolean isBeside(Graph graph, DatasetGraph wrapped) {
        if (graph instanceof GraphView view) {
            return isBeside(view.getDataset(), wrapped);
        }
        if (graph instanceof InfGraph inferred) {
            return isBeside(inferred.getRawGraph(), wrapped);
        }
        if (graph instanceof GraphWrapper wrapper) {
            return isBeside(wrapper.get(), wrapped);
        }
        if (graph instanceof Dyadic union) {
            return isBeside(union.getL(), wrapped) || isBeside(union.getR(), wrapped);
        }
        return graph instanceof Polyadic union && isBeside(union.getBaseGraph(), wrapped); // the others are only read
    }

    /** Returns true if clients can change the dataset of a service through it. */
    static boolean isChangedBy(DataAccessPoint service) {
        return CHANGES.stream().anyMatch(service.getDataService()::hasOperation);
    }

    /** Returns the dataset of a class that a dataset is or wraps; null if there is none. */
    static <T extends DatasetGraphWrapper> T find(DatasetGraph dataset, Class<T> type) {
        DatasetGraph inner = dataset;
        while (inner instanceof DatasetGraphWrapper wrapper) {
            if (type.isInstance(wrapper)) {
                return type.cast(wrapper);
            }
            inner = wrapper.getWrapped();
        }
        return null;
    }

    /** Creates an exception without a cause, since Fuseki would show the cause instead. */
    FusekiConfigException refusalError(String name, String why) {
        return new FusekiConfigException("jellybridge: the dataset " + name + " can't " + purpose + ": " + why);
    }
}
