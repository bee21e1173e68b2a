package io.jellybridge.fuseki;

import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.HttpLog;
import io.jellybridge.log.LogConflictException;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.PatchHeader;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.jena.atlas.json.JSON;
import org.apache.jena.atlas.json.JsonArray;
import org.apache.jena.atlas.json.JsonNull;
import org.apache.jena.atlas.json.JsonObject;
import org.apache.jena.atlas.json.JsonString;
import org.apache.jena.atlas.json.JsonValue;

/**
 * Serves the logs that are in a folder, each in a folder of its own; {@link HttpLog} says which calls there are. Requests
 * may come at once: each opens the log for itself, and the files decide.
 */
final class LogServlet extends HttpServlet {
    private static final PatchHandler<byte[]> NOTHING = new PatchAdapter<>();
    private static final long serialVersionUID = 1L;
    private static final Pattern PATH =
            Pattern.compile("/(?<log>[A-Za-z0-9_][A-Za-z0-9_.-]*)(?<rest>|/entries|/patches/(?<version>[0-9]{1,18}))/?");

    static final Set<String> WRITING = Set.of("PUT", "POST");

    private final transient Path logs;
    private final transient LogAccess access;

    /** @param logs the folder of the logs' folders */
    LogServlet(Path logs, LogAccess access) {
        this.logs = logs;
        this.access = access;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        try {
            if (isAllowed(request, response)) {
                super.service(request, response);
            }
        } finally {
            RequestBody.skipRest(request::getInputStream);
        }
    }

    private boolean isAllowed(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String user = request.getRemoteUser();
        boolean writes = WRITING.contains(request.getMethod());
        if (writes ? access.mayWrite(user) : access.mayRead(user)) {
            return true;
        }
        String what = (writes ? "append to" : "read") + " the patch logs of this server";
        send(response, 403, error(user != null
                ? "the user " + user + " may not " + what + "; its property "
                        + (writes ? "" : LogEndpoint.READERS + " or ") + LogEndpoint.WRITERS + " names those who may"
                : "only users who are logged in may " + what + ", and it asks nobody to log in; give it a password file, or "
                        + "open the logs to everybody by its property " + LogEndpoint.WRITERS + "=_"));
        return false;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        serve(request, response, path -> {
            FolderLog log = FolderLog.open(folder(path));
            if (path.group("version") != null) {
                sendPatch(log, Long.parseLong(path.group("version")), response);
            } else if (path.group("rest").isEmpty()) {
                send(response, 200, state(log));
            } else {
                send(response, 200, entries(log, number(request, "from", 1), number(request, "to", Long.MAX_VALUE)));
            }
        });
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        serve(request, response, path -> {
            requireLog(path);
            try {
                send(response, 201, state(FolderLog.create(folder(path))));
            } catch (FileAlreadyExistsException e) {
                send(response, 409, error(path.group("log") + " is a patch log already"));
            }
        });
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        serve(request, response, path -> {
            requireLog(path);
            String type = String.valueOf(request.getContentType()).split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
            if (!type.equals(HttpLog.CONTENT_TYPE) || request.getHeader("Content-Encoding") != null) {
                send(response, 415, error("a patch must be " + HttpLog.CONTENT_TYPE + ", not encoded otherwise"));
                return;
            }
            append(FolderLog.open(folder(path)), request, response);
        });
    }

    private static void append(FolderLog log, HttpServletRequest request, HttpServletResponse response) throws IOException {
        String prev = query(request, "prev");
        try (PatchSource<byte[]> patch = new OnlyPatch(
                new PatchReader<>(request.getInputStream(), "request", new Utf8Terms(), ReadOptions.DEFAULT))) {
            LogHead made = prev == null ? log.append(patch) : log.append(patch, prev.isEmpty() ? null : prev);
            patch.readAll(NOTHING); // a patch that is the head already was not read to its end
            if (made == null) {
                send(response, 400, error("the request has no patch"));
                return;
            }
            JsonObject answer = new JsonObject();
            answer.put("version", made.version());
            answer.put("id", made.id());
            send(response, 200, answer);
        } catch (LogConflictException e) {
            JsonObject answer = state(log);
            answer.put("error", "conflict");
            answer.put("message", e.getMessage());
            send(response, 409, answer);
        } catch (PatchFormatException e) {
            JsonObject answer = error(e.getMessage());
            answer.put("rule", e.rule());
            answer.put("frame", e.frame());
            answer.put("row", e.row());
            answer.put("offset", e.offset());
            send(response, 400, answer);
        }
    }

    /** A source of one patch: of a request one is appended, and a second one would be lost. */
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

    private static JsonObject state(FolderLog log) throws IOException {
        LogHead head = log.head();
        JsonObject state = new JsonObject();
        state.put("log", log.id());
        state.put("version", head.version());
        state.put("id", orNull(head.id()));
        return state;
    }

    private static JsonObject entries(FolderLog log, long from, long to) throws IOException {
        JsonArray list = new JsonArray();
        try (LogEntries entries = log.fetch(from, to)) {
            for (LogEntry entry = entries.next(); entry != null && list.size() < HttpLog.PAGE; entry = entries.next()) {
                list.add(entry(entry));
            }
        }
        JsonObject answer = new JsonObject();
        answer.put("entries", list);
        return answer;
    }

    private static JsonObject entry(LogEntry entry) throws IOException {
        JsonObject object = new JsonObject();
        object.put("version", entry.version());
        try {
            PatchHeader header = entry.header();
            object.put("id", orNull(header.id()));
            object.put("prev", orNull(header.prev()));
        } catch (PatchFormatException e) {
            object.put("fault", e.getMessage());
        }
        return object;
    }

    private static JsonValue orNull(String text) {
        return text == null ? JsonNull.instance : new JsonString(text);
    }

    private static JsonObject error(String message) {
        JsonObject answer = new JsonObject();
        answer.put("message", message);
        return answer;
    }

    private static void sendPatch(FolderLog log, long version, HttpServletResponse response) throws IOException {
        Path file = log.file(version);
        try {
            response.setContentLengthLong(Files.size(file));
        } catch (NoSuchFileException e) {
            send(response, 404, error("there is no version " + version));
            return;
        }
        response.setContentType(HttpLog.CONTENT_TYPE);
        Files.copy(file, response.getOutputStream());
    }

    private static void send(HttpServletResponse response, int status, JsonObject answer) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        response.getOutputStream().write((JSON.toStringFlat(answer) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    // --- requests

    /** What is done with a request whose path is one of a log. */
    private interface Service {
        void serve(Matcher path) throws IOException;
    }

    private static void serve(HttpServletRequest request, HttpServletResponse response, Service service) throws IOException {
        Matcher path = PATH.matcher(String.valueOf(request.getPathInfo()));
        try {
            if (path.matches()) {
                service.serve(path);
            } else {
                send(response, 404, error("a path is LOG, LOG/entries or LOG/patches/VERSION"));
            }
        } catch (FileNotFoundException e) {
            send(response, 404, error("there is no patch log " + path.group("log")));
        } catch (IllegalArgumentException e) {
            send(response, 400, error(e.getMessage()));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Path folder(Matcher path) {
        return logs.resolve(path.group("log"));
    }

    /** @throws IllegalArgumentException the path goes on behind the log's name */
    private static void requireLog(Matcher path) {
        if (!path.group("rest").isEmpty()) {
            throw new IllegalArgumentException("only a log itself is made or appended to");
        }
    }

    /** A parameter of the query; never of the body, which is a patch. */
    private static String query(HttpServletRequest request, String name) {
        String query = request.getQueryString();
        if (query != null) {
            for (String pair : query.split("&")) {
                if (pair.startsWith(name + "=")) {
                    return pair.substring(name.length() + 1);
                }
            }
        }
        return null;
    }

    /** @throws IllegalArgumentException the parameter is no whole number */
    private static long number(HttpServletRequest request, String name, long otherwise) {
        String text = query(request, name);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the parameter " + name + " is '" + text + "'; it must be a whole number", e);
        }
    }
}
