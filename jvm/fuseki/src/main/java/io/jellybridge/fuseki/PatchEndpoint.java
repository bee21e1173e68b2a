package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.auth.Auth;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Endpoint;
import org.apache.jena.fuseki.server.EndpointSet;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.fuseki.servlets.ActionErrorException;
import org.apache.jena.fuseki.servlets.ActionLib;
import org.apache.jena.fuseki.servlets.ActionService;
import org.apache.jena.fuseki.servlets.HttpAction;
import org.apache.jena.fuseki.servlets.PatchApply;
import org.apache.jena.fuseki.servlets.ServletOps;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.web.HttpSC;

/**
 * The patch endpoint of a dataset. {@code POST} or {@code PATCH} applies all patches of the body in one transaction. Nothing
 * was applied unless the status is 200. All responses are JSON.
 *
 * <table>
 * <caption>Requests</caption>
 * <tr><td>{@code Content-Type}</td><td>{@code application/x-jelly-rdf-patch} or {@code application/rdf-patch}; parameters are
 * allowed, but no charset other than UTF-8</td></tr>
 * <tr><td>{@code Content-Encoding}</td><td>none, {@code identity} or {@code gzip}</td></tr>
 * <tr><td>{@code ?key=…&expected=…&next=…}</td><td>the {@linkplain PositionUpdate step} of the body; {@code expected} is
 * missing if there is no position yet. {@code expected-applied} and {@code next-applied} are the {@linkplain Position#applied
 * texts} stored with the positions, if any. {@code expected-version} is the {@linkplain QuadsProtocol#DATASET_VERSION version}
 * that the dataset must have. A header {@code jellybridge-note} of a patch is stored as a note of the
 * step</td></tr>
 * <tr><td>headers {@code id} and {@code prev} of the patches</td><td>without {@code key}, they define the step, under the key
 * {@code urn:jellybridge:log}. A body whose last id is the position was applied before, and is skipped. Patches without ids are
 * applied without a check of the position</td></tr>
 * </table>
 *
 * <table>
 * <caption>Answers</caption>
 * <tr><td>200</td><td>{@code
 * {"applied":true,"patches":1,"transactions":1,"added":2,"deleted":0,"aborted":0,"changed":2,"key":…, "position":…}}; {@code
 * applied} is false for a body that was applied before; without a step, key and position are missing</td></tr>
 * <tr><td>400</td><td>{@code {"error":"format","message":…}}, with {@code rule}, {@code frame}, {@code row} and {@code offset},
 * or {@code line} and {@code column}; or {@code "error":"request"} for wrong parameters</td></tr>
 * <tr><td>403</td><td>{@code {"error":"access","message":…}}: the dataset follows a log</td></tr>
 * <tr><td>409</td><td>{@code {"error":"conflict","message":…,"key":…,"expected":…,"found":…}}</td></tr>
 * <tr><td>405</td><td>{@code {"error":"request","message":…}}, with {@code Allow}</td></tr>
 * <tr><td>408, 413, 431</td><td>{@code {"error":"limit","message":…}}, see {@link RequestLimits}</td></tr>
 * <tr><td>415</td><td>{@code {"error":"media-type","message":…}}</td></tr>
 * <tr><td>500</td><td>{@code {"error":"dataset","message":…,"incident":…}}: the dataset failed, and everything was rolled back;
 * the server's log has the reason</td></tr>
 * </table>
 *
 * <p>{@code OPTIONS} returns the content types in {@code Accept-Post} and {@code Accept-Patch}. The body is stored in a
 * temporary file, since it is read twice: it is checked before the dataset is locked.
 *
 * <p>A dataset whose transactions can't abort keeps Fuseki's own patch operation.
 */
final class PatchEndpoint extends ActionService {
    static final List<String> CONTENT_TYPES = List.of(PatchProtocol.TEXT, PatchProtocol.JELLY);

    private static final String METHODS = "OPTIONS,POST,PATCH";
    private static final Set<String> PARAMETERS = Set.of(PatchProtocol.KEY, PatchProtocol.EXPECTED,
            PatchProtocol.EXPECTED_APPLIED, PatchProtocol.EXPECTED_VERSION, PatchProtocol.NEXT, PatchProtocol.NEXT_APPLIED);

    private final BodyReceiver receiver;
    private final StockPatches stock;

    PatchEndpoint(BodyReceiver receiver, StockPatches stock) {
        this.receiver = receiver;
        this.stock = stock;
    }

    @Override
    public void process(HttpAction action) {
        if (stock.isFor(action.getDatasetName(), action.getDataset())) {
            stock.process(action);
        } else {
            executeLifecycle(action);
        }
    }

    @Override
    public void validate(HttpAction action) {
        // each method checks its own requests
    }

    @Override
    public void execute(HttpAction action) {
        switch (action.getRequestMethod()) {
            case "POST", "PATCH" -> sendAnswer(action, answer(action));
            case "OPTIONS" -> answerOptions(action);
            default -> sendAnswer(action, Answer.wrongMethod(action.getRequest(), action.getResponse(), METHODS));
        }
    }

    private static void answerOptions(HttpAction action) {
        String types = String.join(", ", CONTENT_TYPES);
        action.setResponseHeader("Allow", METHODS);
        action.setResponseHeader("Accept-Post", types);
        action.setResponseHeader("Accept-Patch", types);
        action.setResponseContentLength(0);
    }

    private static void sendAnswer(HttpAction action, Answer answer) {
        action.log.info("[" + action.id + "] Patch: " + answer.status() + " " + answer);
        ServletOps.setNoCache(action);
        Io.unchecked(() -> answer.sendTo(action.getResponse()));
    }

    private Answer answer(HttpAction action) {
        try (RequestBody body = receiver.openBody(action.getRequest(), true)) {
            return applyPatches(action, readPatches(action, body));
        } catch (RefusedException e) {
            return e.answer();
        } catch (ActionErrorException e) {
            return Answer.errorAnswer(e.getRC(), "access", e.getMessage()); // see FollowingDataset
        } catch (PositionConflictException e) {
            return Answer.fromConflict(e);
        } catch (StoredPosition.SeveralException e) {
            return Answer.errorAnswer(HttpSC.INTERNAL_SERVER_ERROR_500, "dataset", e.getMessage());
        } catch (ApplyException e) {
            return Answer.serverFailure("dataset", "patch " + e.patch() + " failed in the dataset " + action.getDatasetName()
                    + ", and nothing of the request is in it", e);
        } catch (IOException e) {
            return Answer.serverFailure("server", "the body of the request can't be stored or read again", e);
        } catch (RuntimeException e) {
            Answer refusal = Answer.fromRefusal(e);
            return refusal != null ? refusal : failureAnswer(action, e);
        } catch (Error e) {
            return failureAnswer(action, e);
        }
    }

    private static Answer failureAnswer(HttpAction action, Throwable failure) {
        return Answer.serverFailure("dataset", "the patches failed in the dataset " + action.getDatasetName()
                + ", and nothing of the request is in it", failure);
    }

    // --- the request

    private static Io.Supplier<PatchSource<Node>> readPatches(HttpAction action, RequestBody body) {
        String declared = action.getRequestHeader("Content-Type");
        String media = declared == null ? "" : declared.replaceFirst(";.*", "").trim();
        boolean jelly = media.equalsIgnoreCase(PatchProtocol.JELLY);
        // A page in a browser may post forms and plain text to any server in its user's name, but not these content types.
        if (!jelly && !media.equalsIgnoreCase(PatchProtocol.TEXT)) {
            String found = declared == null ? "no content type" : "the content type " + declared;
            throw new RefusedException(Answer.mediaType(found + "; send " + String.join(" or ", CONTENT_TYPES)));
        }
        if (!isUtf8(action)) {
            throw new RefusedException(Answer.mediaType("the charset of " + declared + "; patches are UTF-8"));
        }
        String encoding = action.getRequestHeader("Content-Encoding");
        boolean plain = encoding == null || encoding.equalsIgnoreCase("identity");
        if (!plain && !encoding.equalsIgnoreCase("gzip")) {
            throw new RefusedException(Answer.mediaType("the content encoding " + encoding + "; send gzip, or none"));
        }
        return () -> jelly
                ? new PatchReader<>(body.open(!plain), RequestBody.NAME, new NodeTerms(), ReadOptions.DEFAULT)
                : new RdfPatchReader<>(body.open(!plain), RequestBody.NAME, new NodeTerms(), RdfPatchReadOptions.DEFAULT);
    }

    private static boolean isUtf8(HttpAction action) {
        try {
            String charset = action.getRequestCharacterEncoding();
            return charset == null || charset.equalsIgnoreCase(UTF_8.name());
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return false;
        }
    }

    private static Answer applyPatches(HttpAction action, Io.Supplier<PatchSource<Node>> patches) throws IOException {
        Map<String, String> parameters = QueryString.parseQuery(action.getRequestQueryString());
        checkParameters(parameters);
        PatchApplier applier = new PatchApplier(new ActionDataset(action), ProgressListener.NONE);
        if (parameters.containsKey(PatchProtocol.KEY)) {
            PositionUpdate advance = new PositionUpdate(parameters.get(PatchProtocol.KEY),
                    readPosition(parameters, PatchProtocol.EXPECTED, PatchProtocol.EXPECTED_APPLIED),
                    readPosition(parameters, PatchProtocol.NEXT, PatchProtocol.NEXT_APPLIED), List.of(),
                    parameters.get(PatchProtocol.EXPECTED_VERSION));
            HeaderStep step = new HeaderStep.OfParameters(advance, QuadsAnswer.dataOf(action));
            ApplyReport report = applier.applyTogether(() -> step.listen(patches.get()), step);
            return Answer.fromApplied(true, report, advance.key(), advance.next().id());
        }
        HeaderStep.OfChain step = new HeaderStep.OfChain();
        try {
            ApplyReport report = applier.applyTogether(() -> step.listen(patches.get()), step);
            return Answer.fromApplied(true, report, step.key(), step.next());
        } catch (HeaderStep.AppliedBeforeException e) {
            return Answer.fromApplied(false, new ApplyReport(0, 0, 0, 0, 0, 0L), step.key(), step.next());
        }
    }

    /** Returns a position from the parameters; null if they have none. */
    private static Position readPosition(Map<String, String> parameters, String id, String applied) {
        return parameters.containsKey(id) ? new Position(parameters.get(id), parameters.get(applied)) : null;
    }

    private static void checkParameters(Map<String, String> parameters) {
        QueryString.requireAmong(parameters, PARAMETERS);
        if (parameters.containsKey(PatchProtocol.KEY) != parameters.containsKey(PatchProtocol.NEXT)
                || parameters.containsKey(PatchProtocol.EXPECTED) && !parameters.containsKey(PatchProtocol.KEY)
                || parameters.containsKey(PatchProtocol.EXPECTED_APPLIED) && !parameters.containsKey(PatchProtocol.EXPECTED)
                || parameters.containsKey(PatchProtocol.EXPECTED_VERSION) && !parameters.containsKey(PatchProtocol.KEY)
                || parameters.containsKey(PatchProtocol.NEXT_APPLIED) && !parameters.containsKey(PatchProtocol.NEXT)) {
            throw new IllegalArgumentException("a step that is not whole: name " + PatchProtocol.KEY + " and "
                    + PatchProtocol.NEXT + ", and " + PatchProtocol.EXPECTED + " where the dataset has a position");
        }
    }

    /** A view of a request's dataset whose transactions are those of the request, so that Fuseki counts and ends them. */
    private static final class ActionDataset extends DatasetGraphWrapper {
        private final HttpAction action;

        ActionDataset(HttpAction action) {
            super(action.getDataset());
            this.action = action;
        }

        @Override
        public void begin(TxnType type) {
            action.begin(type);
        }

        @Override
        public void commit() {
            action.commit();
        }

        @Override
        public void abort() {
            action.abort();
        }

        @Override
        public void end() {
            action.end();
        }
    }

    /**
     * Fuseki's own patch operation, for datasets whose transactions can't abort. A patch can't be applied to them atomically.
     */
    static final class StockPatches {
        private final PatchApply operation = new PatchApply();
        private final Set<DatasetGraph> told = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

        /** Returns whether a dataset keeps this operation. Logs that once for each dataset. */
        boolean isFor(String name, DatasetGraph dataset) {
            if (dataset.supportsTransactionAbort()) {
                return false;
            }
            if (told.add(dataset)) {
                Fuseki.serverLog.warn("jellybridge: the dataset {} has no transactions that can abort, so its patches stay with "
                        + "Fuseki's own patch operation, which takes no Jelly-Patch and may apply a part; for whole patches, "
                        + "serve a TDB2 database, or a transactional dataset in memory", name);
            }
            return true;
        }

        void process(HttpAction action) {
            operation.process(action);
        }
    }

    /**
     * A filter before Fuseki's dispatch. It lets a request for a {@link PatchEndpoint} pass when its body is complete. If it
     * does not recognize such a request, the endpoint receives the body itself.
     */
    static final class PatchBodyFilter extends HttpFilter {
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
                    if (!receiver.isReceived(request, true)) {
                        return;
                    }
                } catch (RefusedException e) {
                    receiver.refuseRequest(request, response);
                    e.answer().sendTo(response);
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
}
