package io.jellybridge.fuseki;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.HttpLog;
import io.jellybridge.log.LogBusyException;
import io.jellybridge.log.LogConflictException;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.PartFile;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchTimes;
import io.jellybridge.log.StoreLog;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;

/**
 * A servlet for the logs in a folder, each in its own subfolder, and for those of {@link LoggedDatasets}. {@link HttpLog}
 * describes the calls. Requests may run concurrently: each opens the log itself, and the files synchronize them. A request for
 * the log of a dataset first makes all its patches visible.
 */
final class LogServlet extends HttpServlet {
    /** The methods that require the right to write. */
    private static final Set<String> WRITING = Set.of("PUT", "POST");
    private static final PatchHandler<byte[]> NOTHING = new PatchAdapter<>();
    private static final long serialVersionUID = 1L;
    private static final String METHODS = "GET,HEAD,OPTIONS,POST,PUT";
    private static final int LONGEST_NAME = 200;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0," + (LONGEST_NAME - 1) + "}");
    private static final Pattern PATH =
            Pattern.compile("/(?<log>[^/]+)(?<rest>|/entries|/patches/(?<version>[0-9]{1,18})|/checkpoint"
                    + "|/checkpoints/(?<checkpoint>[0-9]{1,18})/(?<part>[0-9]{1,9}))/?");

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
            answer.send(response);
        }
    }

    /**
     * Processes a request. Returns null if the response was sent (a patch, or a request to log in), or if the request is
     * dispatched again.
     */
    private Answer answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            receiver.limits().checkHead(request);
            origins.check(request);
            return mayGoOn(request, response) && receiver.isReceived(request) ? call(request, response) : null;
        } catch (RefusedException e) {
            receiver.refuse(request, response);
            return e.answer();
        } catch (LogBusyException e) {
            return Answer.error(409, "busy", e.getMessage());
        } catch (FileNotFoundException e) {
            return Answer.error(404, "log", e.getMessage());
        } catch (IOException | RuntimeException | Error e) {
            if (response.isCommitted()) {
                throw e; // a part of a patch was sent, and the client will notice that the rest is missing
            }
            return failure(request, e);
        }
    }

    private Answer call(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (RequestBody body = receiver.body(request)) {
            return switch (request.getMethod()) {
                case "GET", "HEAD" -> get(request, response);
                case "PUT" -> create(request);
                case "POST" -> append(request, body);
                case "OPTIONS" -> options(response);
                default -> Answer.method(request, response, METHODS);
            };
        }
    }

    private static Answer failure(HttpServletRequest request, Throwable failure) {
        if (failure instanceof FormatException format && !RequestBody.NAME.equals(format.file())) {
            return Answer.error(500, "log", format.getMessage());
        }
        Answer refusal = Answer.refusal(failure);
        return refusal != null ? refusal : Answer.incident("log",
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
        boolean writes = WRITING.contains(request.getMethod());
        if (writes ? access.mayWrite(user) : access.mayRead(user)) {
            return true;
        }
        String what = (writes ? "append to" : "read") + " the patch logs of this server";
        if (user == null) {
            receiver.refuse(request, response);
            try {
                request.authenticate(response);
                return false;
            } catch (ServletException e) {
                throw new RefusedException(Answer.error(403, "access", "only users who are logged in may " + what
                        + ", and it asks nobody to log in; give it a password file, or open the logs to everybody by its "
                        + "property " + LogEndpoint.WRITERS + "=_"));
            }
        }
        throw new RefusedException(Answer.error(403, "access", "the user " + user + " may not " + what + "; its property "
                + (writes ? "" : LogEndpoint.READERS + " or ") + LogEndpoint.WRITERS + " names those who may"));
    }

    // --- calls

    private Answer get(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Matcher path = path(request);
        StoreLog log = open(path);
        if (path.group("version") != null) {
            return sendPatch(log, Long.parseLong(path.group("version")), request, response);
        }
        if (path.group("part") != null) {
            return sendPart(log, Long.parseLong(path.group("checkpoint")), Integer.parseInt(path.group("part")), request,
                    response);
        }
        if (path.group("rest").isEmpty()) {
            return new Answer(200, state(log));
        }
        if (path.group("rest").equals("/checkpoint")) {
            return checkpoint(log, number(parameters(request, "to"), "to", Long.MAX_VALUE));
        }
        Map<String, String> range = parameters(request, "from", "to");
        return entries(log, number(range, "from", 1), number(range, "to", Long.MAX_VALUE));
    }

    private static Answer options(HttpServletResponse response) {
        response.setHeader("Allow", METHODS);
        response.setHeader("Accept-Post", HttpLog.CONTENT_TYPE);
        return null;
    }

    private Answer create(HttpServletRequest request) throws IOException {
        Matcher path = wholeLog(request);
        if (request.getContentType() != null) {
            return Answer.mediaType("the content type " + request.getContentType() + "; a log is made without a body");
        }
        try {
            return new Answer(201, state(StoreLog.create(store(path))));
        } catch (FileAlreadyExistsException e) {
            return Answer.error(409, "conflict",
                    path.group("log") + " is there already; append to it, or take another name");
        }
    }

    private Answer append(HttpServletRequest request, RequestBody body) throws IOException {
        Matcher path = wholeLog(request);
        String type = String.valueOf(request.getContentType()).split(";", 2)[0].trim();
        if (!type.equalsIgnoreCase(HttpLog.CONTENT_TYPE) || request.getHeader("Content-Encoding") != null) {
            return Answer.mediaType("the content type " + request.getContentType() + "; a patch must be "
                    + HttpLog.CONTENT_TYPE + ", not encoded otherwise");
        }
        String prev = parameters(request, "prev").get("prev");
        StoreLog log = open(path);
        try (PatchSource<byte[]> patch = new OnlyPatch(
                new PatchReader<>(body.open(false), RequestBody.NAME, new Utf8Terms(), ReadOptions.DEFAULT))) {
            LogHead made = prev == null ? log.append(patch) : log.append(patch, prev.isEmpty() ? null : prev);
            patch.readAll(NOTHING); // a rejected or known patch was not read to its end
            if (made == null) {
                return Answer.request("the request has no patch");
            }
            JsonObject answer = new JsonObject();
            answer.addProperty("version", made.version());
            answer.addProperty("id", made.id());
            return new Answer(200, answer);
        } catch (LogConflictException e) {
            Answer answer = Answer.error(409, e.isTaken() ? HttpLog.TAKEN : "conflict", e.getMessage());
            answer.json().addProperty("log", log.id());
            answer.json().addProperty("version", e.found().version());
            answer.json().addProperty("id", e.found().id());
            return answer;
        }
    }

    /** A source that rejects a second patch. A request appends only one, so a second one would be lost. */
    private record OnlyPatch(PatchSource<byte[]> source) implements ForwardingSource<byte[], byte[]> {

        @Override
        public boolean next(PatchHandler<byte[]> handler) throws IOException {
            boolean more = source.next(handler);
            if (more && numbers().patches() > 0 && source.next(NOTHING)) {
                throw error("patch-log", "a second patch", "append each patch in a request of its own");
            }
            return more;
        }
    }

    // --- answers

    private static JsonObject state(StoreLog log) throws IOException {
        LogHead head = log.head();
        JsonObject state = new JsonObject();
        state.addProperty("log", log.id());
        state.addProperty("first", log.first());
        state.addProperty("version", head.version());
        state.addProperty("id", head.id());
        state.addProperty("chain", head.version() == 0 ? null : log.headHash());
        return state;
    }

    private static Answer entries(StoreLog log, long from, long to) throws IOException {
        JsonArray list = new JsonArray();
        try (LogEntries entries = log.fetch(from, to)) {
            for (LogEntry entry = entries.next(); entry != null && list.size() < HttpLog.PAGE; entry = entries.next()) {
                list.add(entry(entry));
            }
        }
        JsonObject answer = new JsonObject();
        answer.addProperty("log", log.id());
        answer.add("entries", list);
        return new Answer(200, answer);
    }

    private static JsonObject entry(LogEntry entry) throws IOException {
        JsonObject object = new JsonObject();
        object.addProperty("version", entry.version());
        try {
            PatchHeader header = entry.header();
            object.addProperty("id", header.id());
            object.addProperty("prev", header.prev());
            object.addProperty("chain", header.chain() == null ? null : header.chain().text());
            object.addProperty("time", header.time() == null ? null : PatchTimes.MILLISECONDS.format(header.time()));
        } catch (FormatException e) {
            object.addProperty("fault", e.getMessage());
        }
        return object;
    }

    private static Answer sendPatch(StoreLog log, long version, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        StoreLog.PatchBytes patch;
        try {
            patch = log.bytes(version);
        } catch (FileNotFoundException e) {
            return Answer.error(404, "log", "there is no version " + version + " in the patch log " + log.name());
        }
        send(patch.in(), patch.length(), HttpLog.CONTENT_TYPE, request, response);
        return null;
    }

    private static void send(InputStream in, long length, String type, HttpServletRequest request,
            HttpServletResponse response) throws IOException {
        response.setContentType(type);
        response.setContentLengthLong(length);
        if (request.getMethod().equals("GET")) {
            FileSender.send(in, request, response);
        } else {
            in.close();
        }
    }

    private static Answer checkpoint(StoreLog log, long upTo) throws IOException {
        Checkpoint newest = log.checkpoint(upTo);
        JsonObject answer = new JsonObject();
        answer.add("checkpoint", newest == null ? null : newest.json());
        return new Answer(200, answer);
    }

    /** Sends a part of a checkpoint. If pruning deletes the checkpoint meanwhile, the open file remains readable. */
    private static Answer sendPart(StoreLog log, long version, int part, HttpServletRequest request,
            HttpServletResponse response) throws IOException {
        Checkpoint checkpoint = new Checkpoints(log).at(version);
        try {
            if (checkpoint != null && part < checkpoint.parts().size()) {
                PartFile file = checkpoint.files().get(part);
                send(file.open(), file.bytes(), HttpLog.RDF_TYPE, request, response);
                return null;
            }
        } catch (NoSuchFileException e) {
            // it was deleted
        }
        return Answer.error(404, "log", "there is no part " + part + " of a checkpoint of version " + version
                + " in the patch log " + log.name());
    }

    // --- requests

    private static Matcher path(HttpServletRequest request) {
        Matcher path = PATH.matcher(String.valueOf(request.getPathInfo()));
        if (!path.matches()) {
            throw new RefusedException(Answer.error(404, "request", "a path is LOG, LOG/entries, LOG/patches/VERSION, "
                    + "LOG/checkpoint or LOG/checkpoints/VERSION/PART"));
        }
        if (!NAME.matcher(path.group("log")).matches()) {
            throw new IllegalArgumentException("the name of a patch log has letters and digits of ASCII, _, . and - in it, "
                    + "up to " + LONGEST_NAME + ", and begins with none of the last two");
        }
        return path;
    }

    /**
     * @throws IllegalArgumentException the path continues after the log's name
     */
    private static Matcher wholeLog(HttpServletRequest request) {
        Matcher path = path(request);
        if (!path.group("rest").isEmpty()) {
            throw new IllegalArgumentException("only a log itself is made or appended to");
        }
        return path;
    }

    /**
     * @throws RefusedException the server has only logs of datasets
     */
    private LogStore store(Matcher path) {
        LoggedDataset dataset = dataset(path);
        if (dataset == null && logs == null) {
            throw new RefusedException(Answer.error(404, "log", "this server has no patch log " + path.group("log")
                    + "; its property " + LogEndpoint.FOLDER + " names a folder for other logs than those of its datasets"));
        }
        return new FolderStore(dataset == null ? logs.resolve(path.group("log")) : dataset.log(), path.group("log"));
    }

    /** Returns the dataset that is recorded in the log, or null. */
    private LoggedDataset dataset(Matcher path) {
        return LoggedDatasets.named(DataAccessPointRegistry.get(getServletContext()), path.group("log"));
    }

    private StoreLog open(Matcher path) throws IOException {
        LoggedDataset dataset = dataset(path);
        if (dataset != null) {
            dataset.publish();
        }
        return StoreLog.open(store(path));
    }

    /**
     * @throws IllegalArgumentException a parameter is unknown or given twice
     */
    private static Map<String, String> parameters(HttpServletRequest request, String... names) {
        Map<String, String> parameters = QueryString.parse(request.getQueryString());
        QueryString.requireAmong(parameters, Set.of(names));
        return parameters;
    }

    /**
     * @throws IllegalArgumentException the parameter is not a whole number
     */
    private static long number(Map<String, String> parameters, String name, long otherwise) {
        String text = parameters.get(name);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the parameter " + name + " is '" + text + "'; it must be a whole number", e);
        }
    }
}
