package io.jellybridge.fuseki;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.apache.jena.fuseki.auth.Auth;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Endpoint;
import org.apache.jena.fuseki.server.EndpointSet;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.fuseki.servlets.ActionLib;

/**
 * A filter before Fuseki's dispatch. It lets a request for a {@link PatchEndpoint} pass when its body is complete. If it does
 * not recognize such a request, the endpoint receives the body itself.
 */
final class PatchBodyFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    private final transient BodyReceiver receiver;

    PatchBodyFilter(BodyReceiver receiver) {
        this.receiver = receiver;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (isPatch(request)) {
            try {
                receiver.limits().checkHead(request);
                if (!receiver.isReceived(request)) {
                    return;
                }
            } catch (RefusedException e) {
                receiver.refuse(request, response);
                e.answer().send(response);
                return;
            }
        }
        chain.doFilter(request, response);
    }

    /** Returns whether Fuseki would dispatch a request to a patch endpoint of ours that the user may use. */
    private static boolean isPatch(HttpServletRequest request) {
        DataAccessPointRegistry datasets = DataAccessPointRegistry.get(request.getServletContext());
        String path = ActionLib.actionURI(request);
        DataAccessPoint dataset = datasets.get(path);
        if (dataset != null) {
            return isPatch(request, dataset.getDataService(), dataset.getDataService().getEndpointSet());
        }
        int slash = path.lastIndexOf('/');
        dataset = slash < 0 ? null : datasets.get(slash == 0 ? "/" : path.substring(0, slash));
        return dataset != null && isPatch(request, dataset.getDataService(),
                dataset.getDataService().getEndpointSet(path.substring(slash + 1)));
    }

    private static boolean isPatch(HttpServletRequest request, DataService dataset, EndpointSet endpoints) {
        Endpoint patch = endpoints == null ? null : endpoints.get(Operation.Patch);
        if (patch == null || !dataset.getDataset().supportsTransactionAbort()) {
            return false;
        }
        String user = request.getRemoteUser();
        return (endpoints.size() == 1 || isPatchType(request.getContentType()))
                && Auth.allow(user, dataset.authPolicy()) && Auth.allow(user, patch.getAuthPolicy());
    }

    private static boolean isPatchType(String type) {
        return type != null && PatchEndpoint.CONTENT_TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }
}
