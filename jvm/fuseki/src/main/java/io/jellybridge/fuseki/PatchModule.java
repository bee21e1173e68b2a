package io.jellybridge.fuseki;

import io.jellybridge.fuseki.PatchEndpoint.PatchBodyFilter;
import io.jellybridge.fuseki.PatchEndpoint.StockPatches;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.fuseki.main.sys.FusekiAutoModule;
import org.apache.jena.fuseki.metrics.MetricsProvider;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.rdf.model.Model;

/**
 * A Fuseki module that replaces Fuseki's patch operation by {@link PatchEndpoint} in every dataset that has it. The endpoint is
 * at {@code /dataset/patch}, and at {@code /dataset} by content type. The module also replaces the operations that read graphs
 * by {@link QuadsAnswer}. It records the datasets that {@link LoggedDatasets} names, and those that {@link FollowingDatasets}
 * names follow logs. Fuseki's configuration stays the same.
 */
public final class PatchModule implements FusekiAutoModule {
    /** The attribute that passes the logs between the steps of building a server. */
    private static final String LOGS = LogServlets.class.getName();

    private final StockPatches stock = new StockPatches();
    /** The services of each server, which it forgets when it stops. */
    private final Map<FusekiServer, DataAccessPointRegistry> services = Collections.synchronizedMap(new WeakHashMap<>());

    /** Called by Fuseki, which finds modules as services. */
    public PatchModule() {
    }

    @Override
    public String name() {
        return "jellybridge";
    }

    @Override
    public void prepare(FusekiServer.Builder builder, Set<String> datasetNames, Model configuration) {
        BodyReceiver receiver = new BodyReceiver(RequestLimits.ofProperties());
        PatchEndpoint endpoint = new PatchEndpoint(receiver, stock);
        for (String type : PatchEndpoint.CONTENT_TYPES) {
            builder.registerOperation(Operation.Patch, type, endpoint);
        }
        QuadsSnapshots snapshots = new QuadsSnapshots();
        builder.registerOperation(Operation.GSP_R, new QuadsAnswer.Read(snapshots));
        builder.registerOperation(Operation.GSP_RW, new QuadsAnswer.ReadWrite(snapshots));
        builder.addFilter("/*", new PatchBodyFilter(receiver));
        boolean hasLogs = LoggedDatasets.NAMED.areNamed() || FollowingDatasets.NAMED.areNamed()
                || datasetNames.stream().map(builder::getDataset).anyMatch(dataset -> LoggedDataset.of(dataset) != null
                        || NamedDatasets.find(dataset, FollowingDataset.class) != null);
        LogServlets logs = LogServlets.ofProperties(hasLogs);
        builder.addServletAttribute(LOGS, logs);
        if (logs != null) {
            logs.addTo(builder, receiver);
        }
    }

    @Override
    public void configured(FusekiServer.Builder builder, DataAccessPointRegistry services, Model configuration) {
        LoggedDatasets.recordDatasets(services, LogServlets.folderOfProperties());
        FollowingDatasets.followLogs(services);
        LoggedDatasets.warnOfUnrecorded(services);
        FusekiAutoModule.super.configured(builder, services, configuration);
    }

    @Override
    public void configDataAccessPoint(DataAccessPoint dataset, Model configuration) {
        stock.isFor(dataset.getName(), dataset.getDataService().getDataset());
    }

    @Override
    public void server(FusekiServer server) {
        services.put(server, server.getDataAccessPointRegistry());
        if (server.getServletContext().getAttribute(LOGS) instanceof LogServlets logs) {
            logs.warnOfNoLogin(server);
        }
        MetricsProvider metrics = MetricsProvider.getMetricsProvider(server.getServletContext());
        if (metrics != null) {
            DatasetMetrics.addTo(metrics, server.getDataAccessPointRegistry());
        }
    }

    @Override
    public void serverStopped(FusekiServer server) {
        DataAccessPointRegistry stopped = services.remove(server);
        if (stopped != null) {
            FollowingDatasets.NAMED.endAll(stopped);
            LoggedDatasets.NAMED.endAll(stopped);
        }
    }
}
