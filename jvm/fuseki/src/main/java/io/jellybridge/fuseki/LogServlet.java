package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.jellybridge.codec.FormatException;
import io.jellybridge.files.FileSlice.BoundedInputStream;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.HttpStore;
import io.jellybridge.log.LogBusyException;
import io.jellybridge.log.LogConflictException;
import io.jellybridge.log.LogProperties;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.ObjectList;
import io.jellybridge.log.ObjectWriter;
import io.jellybridge.log.StoreLog;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.jena.fuseki.server.DataAccessPoint;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;

/**
 * A servlet for the logs in a folder, each in its own subfolder, and for those of {@link LoggedDatasets}. It serves the objects
 * of a log as they are, with their {@link ObjectList}, and takes patches that clients wrote for the next versions. {@code
 * docs/log-server.md} describes the calls. Requests may run concurrently: each opens the log itself, and the files synchronize
 * them. A request for the list of a dataset's log first makes all its patches visible.
 */
final class LogServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String METHODS = "GET,HEAD,OPTIONS,PUT";
    private static final int LONGEST_NAME = 200;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0," + (LONGEST_NAME - 1) + "}");
    private static final Pattern PATH = Pattern.compile("/(?<log>[^/]+)/(?:" + Pattern.quote(ObjectList.NAME)
            + "|ids/(?<id>[0-9a-f-]{36})|(?<object>.+))");
    private static final Pattern VERSION = Pattern.compile("([0-9]{20})\\.jellyp");
    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{0,18})");
    private static final String AFTER = "after";
    private static final String WAIT = "wait";
    /** The longest time that a request waits, in seconds. Proxies end connections that are idle for a minute. */
    private static final double LONGEST_WAIT = 30;
    /** How often a waiting request looks for a new version. That of a dataset is in memory. */
    private static final long DATASET_MILLIS = 10;
    private static final long FOLDER_MILLIS = 100;
    private static final WaitingReaders WAITING = new WaitingReaders();
    private static final int PROPERTIES_BYTES = 1 << 10;

    private final transient Path logs;
    private final transient LogAccess access;
    private final transient PageOrigins origins;
    private final transient BodyReceiver receiver;

    /**
     * @param logs the folder that contains the logs' folders; null if only logs of datasets are served
     */
    LogServlet(Path logs, LogAccess access, PageOrigins origins, BodyReceiver receiver) {
        this.logs = logs;
        this.access = access;
        this.origins = origins;
        this.receiver = receiver;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Answer answer = answer(request, response);
        if (answer != null) {
            answer.sendTo(response);
        }
    }

    /**
     * Processes a request. Returns null if the response was sent (a patch, or a request to log in), or if the request is
     * dispatched again.
     */
    private Answer answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            receiver.limits().checkHead(request);
            origins.checkOrigin(request);
            return mayGoOn(request, response) && receiver.isReceived(request, isPut(request)) ? answerCall(request, response) : null;
        } catch (RefusedException e) {
            receiver.refuseRequest(request, response);
            return e.answer();
        } catch (LogBusyException e) {
            return Answer.errorAnswer(409, "busy", e.getMessage());
        } catch (FileNotFoundException e) {
            return Answer.errorAnswer(404, "log", e.getMessage());
        } catch (IOException | RuntimeException | Error e) {
            if (response.isCommitted()) {
                throw e; // a part of a patch was sent, and the client will notice that the rest is missing
            }
            return failureAnswer(request, e);
        }
    }

    private Answer answerCall(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (RequestBody body = receiver.openBody(request, isPut(request))) {
            return switch (request.getMethod()) {
                case "GET", "HEAD" -> answerGet(request, response);
                case "PUT" -> answerPut(request, response, body);
                case "OPTIONS" -> answerOptions(response);
                default -> Answer.wrongMethod(request, response, METHODS);
            };
        }
    }

    private static Answer failureAnswer(HttpServletRequest request, Throwable failure) {
        if (failure instanceof FormatException format && !RequestBody.NAME.equals(format.file())) {
            return Answer.errorAnswer(500, "log", format.getMessage());
        }
        Answer refusal = Answer.fromRefusal(failure);
        return refusal != null ? refusal : Answer.serverFailure("log",
                "the patch log " + request.getPathInfo().substring(1) + " can't be served", failure);
    }

    /**
     * Returns whether the user has the required right. If an unknown user lacks it and the server can authenticate users, sends
     * a request to log in and returns false.
     *
     * @throws RefusedException the user lacks the right, or the server authenticates nobody
     */
    private boolean mayGoOn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String user = request.getRemoteUser();
        boolean writes = isPut(request);
        if ((writes ? access.mayWrite(user) : access.mayRead(user)) && access.mayUse(user, findService(request))) {
            return true;
        }
        String what = (writes ? "append to" : "read") + " the patch logs of this server";
        if (user == null) {
            receiver.refuseRequest(request, response);
            try {
                request.authenticate(response);
                return false;
            } catch (ServletException e) {
                throw new RefusedException(Answer.errorAnswer(403, "access", "only users who are logged in may " + what
                        + ", and it asks nobody to log in; give it a password file, or open the logs to everybody by its "
                        + "property " + LogServlets.WRITERS + "=_"));
            }
        }
        throw new RefusedException(Answer.errorAnswer(403, "access", "the user " + user + " may not " + what + "; its property "
                + (writes ? "" : LogServlets.READERS + " or ") + LogServlets.WRITERS + " names those who may"));
    }

    // --- calls

    private Answer answerGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Matcher path = matchPath(request);
        if (path.group("object") != null) {
            return sendObject(storeOf(path), path.group("object"), request, response);
        }
        if (path.group("id") == null && isSuspended(request, response, path)) {
            return null;
        }
        StoreLog log = openLog(path);
        if (path.group("id") == null) {
            response.setHeader(HttpStore.SERVER_OF_LOGS, "1");
            response.setHeader("Cache-Control", "no-store");
            return new Answer(200, ObjectList.of(log).json());
        }
        JsonObject found = new JsonObject();
        found.addProperty("version", log.versionWith(path.group("id")));
        return new Answer(200, found);
    }

    /**
     * Lets a request for the list wait, if it has the parameters {@code after} and {@code wait}, and the log no newer version.
     * No thread waits meanwhile.
     */
    private boolean isSuspended(HttpServletRequest request, HttpServletResponse response, Matcher path) throws IOException {
        Map<String, String> parameters = QueryString.parseQuery(request.getQueryString());
        QueryString.requireAmong(parameters, Set.of(AFTER, WAIT));
        if (!parameters.containsKey(AFTER) || !request.isAsyncSupported()) {
            return false;
        }
        long after = Long.parseLong(parameters.get(AFTER));
        double seconds = Math.min(Double.parseDouble(parameters.getOrDefault(WAIT, "0")), LONGEST_WAIT);
        response.setHeader(HttpStore.WAITED, "1");
        if (request.getAttribute(WAIT) != null || seconds <= 0 || newestVersion(path) > after) {
            return false;
        }
        request.setAttribute(WAIT, true);
        AsyncContext waiting = request.startAsync();
        waiting.setTimeout(0);
        LoggedDataset dataset = findDataset(path);
        WAITING.add(dataset == null ? storeOf(path).path() : dataset, () -> newestVersion(path),
                dataset == null ? FOLDER_MILLIS : DATASET_MILLIS, waiting, after, seconds);
        return true;
    }

    /** Returns the newest version of a log, whether readers see it already or not. */
    private long newestVersion(Matcher path) throws IOException {
        LoggedDataset dataset = findDataset(path);
        if (dataset != null) {
            return dataset.version();
        }
        try (StoreLog log = StoreLog.open(storeOf(path))) {
            return log.headVersion();
        }
    }

    private static Answer answerOptions(HttpServletResponse response) {
        response.setHeader("Allow", METHODS);
        response.setHeader(HttpStore.SERVER_OF_LOGS, "1");
        return null;
    }

    /** Creates a log, or appends patches that the client wrote, of which the first is the next version. */
    private Answer answerPut(HttpServletRequest request, HttpServletResponse response, RequestBody body) throws IOException {
        Matcher path = matchPath(request);
        Matcher version = VERSION.matcher(String.valueOf(path.group("object")));
        boolean isLog = LogProperties.NAME.equals(path.group("object"));
        if (!isLog && !version.matches()) {
            return Answer.errorAnswer(405, "request", "a client puts patches, by the version of the first one, and " + LogProperties.NAME
                    + " of a new log");
        }
        if (!"*".equals(request.getHeader("If-None-Match"))) {
            return Answer.errorAnswer(428, "request", "no object is replaced; send the header If-None-Match: *");
        }
        if (request.getHeader("Content-Encoding") != null) {
            return Answer.mediaType("the content encoding " + request.getHeader("Content-Encoding")
                    + "; send an object as it is");
        }
        response.setHeader(HttpStore.SERVER_OF_LOGS, "1");
        try (InputStream in = body.open(false)) {
            boolean isNew = isLog ? StoreLog.put(storeOf(path), new String(in.readNBytes(PROPERTIES_BYTES), UTF_8))
                    : new ObjectWriter(openLog(path)).put(Long.parseLong(version.group(1)), in, RequestBody.NAME);
            return new Answer(isNew ? 201 : 200, new JsonObject());
        } catch (FileAlreadyExistsException e) {
            return Answer.errorAnswer(412, "conflict", path.group("log") + " is there already; append to it, or take another name");
        } catch (LogConflictException e) {
            return Answer.errorAnswer(412, e.isTaken() ? "id-taken" : "conflict", e.getMessage());
        }
    }

    /** Sends an object or a range of it. If the log deletes the object meanwhile, the open file remains readable. */
    private static Answer sendObject(LogStore log, String object, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long length = log.lengthOf(object);
        if (length < 0) {
            return Answer.errorAnswer(404, "log", "there is no " + object + " in the patch log " + log.name());
        }
        long from = 0;
        long to = length - 1;
        Matcher range = RANGE.matcher(String.valueOf(request.getHeader("Range")));
        response.setHeader("Accept-Ranges", "bytes");
        if (range.matches()) {
            from = Long.parseLong(range.group(1));
            if (from >= length) {
                response.setHeader("Content-Range", "bytes */" + length);
                return Answer.errorAnswer(416, "request", object + " has " + length + " bytes");
            }
            to = range.group(2).isEmpty() ? to : Math.min(to, Math.max(from, Long.parseLong(range.group(2))));
            response.setStatus(206);
            response.setHeader("Content-Range", "bytes " + from + "-" + to + "/" + length);
        }
        response.setContentType(object.endsWith(".jellyp") ? PatchProtocol.JELLY : object.endsWith(".jelly") ? QuadsProtocol.JELLY
                : object.endsWith(".json") ? "application/json" : "text/plain");
        response.setContentLengthLong(to - from + 1);
        if (request.getMethod().equals("GET")) {
            FileSender.sendFile(new BoundedInputStream(log.open(object, from), to - from + 1), request, response);
        }
        return null;
    }

    // --- requests

    private static boolean isPut(HttpServletRequest request) {
        return request.getMethod().equals("PUT");
    }

    /** Returns the service that has the name of the log, or null. */
    private DataAccessPoint findService(HttpServletRequest request) {
        Matcher path = PATH.matcher(String.valueOf(request.getPathInfo()));
        return path.matches() ? services().get("/" + path.group("log")) : null;
    }

    private static Matcher matchPath(HttpServletRequest request) {
        Matcher path = PATH.matcher(String.valueOf(request.getPathInfo()));
        if (!path.matches() || path.group("object") != null && !ObjectList.isObject(path.group("object"))) {
            throw new RefusedException(Answer.errorAnswer(404, "request", "a path is LOG/" + ObjectList.NAME + ", LOG/ids/UUID, or LOG/"
                    + "OBJECT for one of the list"));
        }
        if (!NAME.matcher(path.group("log")).matches()) {
            throw new IllegalArgumentException("the name of a patch log has letters and digits of ASCII, _, . and - in it, "
                    + "up to " + LONGEST_NAME + ", and begins with none of the last two");
        }
        return path;
    }

    /**
     * @throws RefusedException the server has only logs of datasets, or this is the log of a dataset of another name, whose rights
     *                          count for it
     */
    private FolderStore storeOf(Matcher path) throws IOException {
        LoggedDataset dataset = findDataset(path);
        Path folder = dataset != null ? dataset.folder() : logs == null ? null : logs.resolve(path.group("log"));
        if (folder == null || dataset == null && LoggedDatasets.isOfDataset(services(), folder)) {
            throw new RefusedException(Answer.errorAnswer(404, "log", "this server has no patch log " + path.group("log")
                    + (folder != null ? "; the log of a dataset has the dataset's name" : "; its property " + LogServlets.FOLDER
                            + " names a folder for other logs than those of its datasets")));
        }
        return new FolderStore(folder, path.group("log"));
    }

    /** Returns the dataset that is recorded in the log, or null. */
    private LoggedDataset findDataset(Matcher path) {
        return LoggedDatasets.findRecorded(services(), path.group("log"));
    }

    private DataAccessPointRegistry services() {
        return DataAccessPointRegistry.get(getServletContext());
    }

    private StoreLog openLog(Matcher path) throws IOException {
        LoggedDataset dataset = findDataset(path);
        if (dataset != null) {
            dataset.publish();
        }
        return StoreLog.open(storeOf(path));
    }
}
