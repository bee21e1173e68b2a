package io.jellybridge.fuseki;

import java.util.Set;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.fuseki.main.sys.FusekiAutoModule;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.rdf.model.Model;

/**
 * A Fuseki module that replaces Fuseki's patch operation by {@link PatchEndpoint} in every dataset that has it. The endpoint is
 * at {@code /dataset/patch}, and at {@code /dataset} by content type. The module also replaces the operations that read graphs
 * by {@link QuadsAnswer}. Fuseki's configuration stays the same.
 */
public final class PatchModule implements FusekiAutoModule {
    /** The attribute that passes the logs between the steps of building a server. */
    private static final String LOGS = LogEndpoint.class.getName();

    private final StockPatches stock = new StockPatches();

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
        LogEndpoint logs = LogEndpoint.ofProperties();
        builder.addServletAttribute(LOGS, logs);
        if (logs != null) {
            logs.addTo(builder, receiver);
        }
    }

    @Override
    public void configDataAccessPoint(DataAccessPoint dataset, Model configuration) {
        stock.isFor(dataset.getName(), dataset.getDataService().getDataset());
    }

    @Override
    public void server(FusekiServer server) {
        if (server.getServletContext().getAttribute(LOGS) instanceof LogEndpoint logs) {
            logs.warnOfNoLogin(server);
        }
    }
}
