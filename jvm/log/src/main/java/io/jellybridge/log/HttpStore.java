package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.files.SharedFile;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpCalls.Repeat;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.UnreachableException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A log's objects behind HTTP: each is at the URL of the log, a slash and its name. A plain web server or a public bucket can
 * serve them, to be read. A Fuseki with jellybridge also takes patches, which it checks.
 *
 * <table>
 *   <caption>Calls, below the log's URL</caption>
 *   <tr><td>{@code GET /objects.json}</td><td>200 with the {@link ObjectList}, and the header below</td></tr>
 *   <tr><td>{@code GET /objects.json?after=17&wait=20}</td><td>the same, as soon as there is a version behind 17, or after 20
 *       seconds; with the header {@value #WAITED}. A plain server does not wait</td></tr>
 *   <tr><td>{@code GET /OBJECT}, {@code HEAD}</td><td>200; 404</td></tr>
 *   <tr><td>{@code GET /ids/UUID}</td><td>200 {@code {"version":17}}, the version of that patch; 0 if there is none. A plain server
 *       does not have it</td></tr>
 *   <tr><td>{@code OPTIONS /OBJECT}</td><td>200 with the header {@value #SERVER_OF_LOGS}, which a plain server does not have</td></tr>
 *   <tr><td>{@code PUT /OBJECT}, {@code If-None-Match: *}</td><td>201; 200 if the same patch is there; both with the header
 *       {@value #SERVER_OF_LOGS}; 412 if the log has another
 *       head, or the patch's id; 409 {@code busy} during a capture; 400 with the place of the fault</td></tr>
 * </table>
 */
public final class HttpStore implements LogStore {
    /** The header with which a server of logs says that it replaces no object. */
    public static final String SERVER_OF_LOGS = "Jellybridge-Patch-Logs";
    /** The header with which a server of logs says that it waits, if a request for the list asks for it. */
    public static final String WAITED = "Jellybridge-Waited";
    private final HttpCalls calls;
    /** The list that {@link #stamp} has just received, for the call of {@link #list} after it. */
    private ObjectList listed;
    /** The list that was received last; null if none was. */
    private volatile ObjectList known;
    /** The object that was received last. */
    private volatile Received last;
    /** Whether the answer that was received last came from a server that waits. */
    private boolean hasWaited;
    /** Whether the server is known to replace no object. */
    private boolean takesPatches;

    HttpStore(HttpOptions options) {
        this.calls = new HttpCalls(options);
    }

    @Override
    public String name() {
        return calls.options().base().toString();
    }

    @Override
    public HttpOptions server() {
        return calls.options();
    }

    // --- the list

    /** Requests the list; null if there is none. */
    private ObjectList request() throws IOException {
        return request(calls.newRequest("/" + ObjectList.NAME), Repeat.GATEWAY_ERRORS);
    }

    private ObjectList request(HttpRequest.Builder asked, Repeat repeat) throws IOException {
        Answer<SpillBuffer> answer = calls.send(asked.build(), HttpCalls.body(), repeat);
        try {
            if (answer.status() == 404) {
                return null;
            }
            if (answer.status() != 200) {
                throw calls.toFailure(answer.response());
            }
            ObjectList found;
            try (InputStream body = answer.body().read()) {
                found = ObjectList.parse(new String(body.readAllBytes(), UTF_8));
            } catch (IOException e) {
                found = null;
            }
            if (found == null) {
                throw calls.unexpectedError(answer.response(), "a patch log");
            }
            if (known == null || !found.stamp().equals(known.stamp())) {
                keep(null);
            }
            known = found;
            hasWaited = answer.response().headers().firstValue(WAITED).isPresent();
            takesPatches |= answer.response().headers().firstValue(SERVER_OF_LOGS).isPresent();
            return found;
        } finally {
            answer.body().discard();
        }
    }

    @Override
    public boolean awaitNewer(long after, Duration longest) throws IOException {
        long wait = Math.min(longest.toMillis(), calls.options().timeout().dividedBy(2).toMillis());
        hasWaited = false;
        release(); // a large file
        try {
            // A server whose machine is gone closes nothing.
            listed = request(calls.newRequest("/" + ObjectList.NAME + "?after=" + after + "&wait=" + wait / 1000.0)
                    .timeout(Duration.ofMillis(1000 + wait + wait / 2)), Repeat.UNSENT);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            return false; // a proxy has cut the wait; if it is more than that, the next call of the log says so
        }
        return hasWaited;
    }

    @Override
    public Map<String, Long> list(String folder) throws IOException {
        ObjectList found = listed != null && folder.isEmpty() ? listed : request();
        listed = null;
        if (found == null && lengthOf(LogProperties.NAME) >= 0) {
            throw new FileNotFoundException(name() + " is a patch log without a list of its objects, " + ObjectList.NAME
                    + "; write the list by `jellybridge log objects LOG` where the log's files are, and put it beside them");
        }
        return found == null ? Map.of() : found.in(folder);
    }

    /** {@inheritDoc} The stamp of the properties is the log's id in the list, since both go together. */
    @Override
    public String stampOf(String file) throws IOException {
        if (!file.equals(LogProperties.NAME)) {
            return file.equals(LISTED) && known != null ? known.stamp() : null;
        }
        listed = request();
        return listed == null ? null : listed.log();
    }

    @Override
    public Long versionWith(String patchId) throws IOException {
        Answer<String> answer = calls.sendForText(calls.newRequest("/ids/" + patchId));
        if (!answer.isSuccess()) {
            return null; // a plain server
        }
        Long version = JsonText.getWhole(JsonText.parseObject(answer.body()), "version");
        if (version == null) {
            throw calls.unexpectedError(answer.response(), "a patch log");
        }
        return version;
    }

    // --- objects

    @Override
    public Integer countOf(String file) {
        ObjectList list = known;
        return list == null ? null : list.patches().getOrDefault(file, 1L).intValue();
    }

    @Override
    public long lengthOf(String file) throws IOException {
        Answer<byte[]> answer = calls.send(calls.newRequest("/" + file).method("HEAD", BodyPublishers.noBody()).build(),
                HttpCalls.receipt(), Repeat.GATEWAY_ERRORS);
        if (answer.status() == 404) {
            return -1;
        }
        if (answer.status() != 200) {
            throw calls.toFailure(answer.response());
        }
        OptionalLong length = answer.response().headers().firstValueAsLong("Content-Length");
        if (length.isEmpty()) {
            throw calls.unexpectedError(answer.response(), "a server of files");
        }
        return length.getAsLong();
    }

    /** {@inheritDoc} The whole object is received, since its other patches are read next. The last one is kept. */
    @Override
    public InputStream open(String file, long offset) throws IOException {
        Received found = last;
        if (found == null || !found.name.equals(file) || !found.retain(1)) {
            found = receiveObject(file);
            found.retain(1);
            keep(found);
        }
        return new SharedFile.Content(found, offset);
    }

    private Received receiveObject(String file) throws IOException {
        Path made = Files.createTempFile("jellybridge-", ".object");
        FileChannel channel = null;
        try {
            Answer<Path> answer = calls.sendForFile(calls.newRequest("/" + file), made);
            if (answer.status() == 404) {
                throw new FileNotFoundException(name() + "/" + file + " is not there");
            }
            if (answer.status() != 200) {
                throw calls.toFailure(answer.response());
            }
            requireListedLength(answer.response().uri(), file, Files.size(made));
            channel = FileChannel.open(made, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
            return new Received(file, channel);
        } finally {
            if (channel == null) {
                Files.delete(made);
            }
        }
    }

    /** Checks that an object has the length in the list, so that one which is still being copied is not taken for damaged. */
    private void requireListedLength(URI address, String file, long length) throws UnreachableException {
        ObjectList list = known;
        Long listed = list == null ? null : list.objects().get(file);
        if (listed != null && listed >= 0 && listed != length) {
            throw calls.unreachableError(address, 1, new IOException("has " + length + " bytes, and " + listed + " in the list "
                    + ObjectList.NAME + "; try once more, and if it stays so, copy the files, and then the list"));
        }
    }

    /** An object that was received, in a temporary file that is gone with its last reader. */
    private static final class Received extends SharedFile {
        private final String name;

        Received(String name, FileChannel bytes) {
            super(bytes);
            this.name = name;
        }
    }

    /** Replaces the object that is kept. */
    private synchronized void keep(Received object) throws IOException {
        Received before = last;
        last = object;
        if (object != null) {
            object.retain(1);
        }
        if (before != null) {
            before.release();
        }
    }

    @Override
    public void release() throws IOException {
        keep(null);
    }

    // --- writing

    @Override
    public void create(String file, Path content) throws IOException {
        requireServerOfLogs(file);
        Answer<String> answer = calls.sendForText(calls.newRequest("/" + file).header("If-None-Match", "*")
                .PUT(BodyPublishers.ofFile(content)));
        switch (answer.status()) {
            case 200, 201 -> requireAnswerOfLogs(answer.response());
            case 409, 412 -> throw conflictError(file, answer.response());
            default -> throw calls.toFailure(answer.response());
        }
    }

    /** Checks that the server is one of logs. Others may ignore If-None-Match, and replace an object. */
    private void requireServerOfLogs(String file) throws IOException {
        if (takesPatches) {
            return;
        }
        Answer<String> answer = calls.sendForText(calls.newRequest("/" + file).method("OPTIONS", BodyPublishers.noBody()));
        if (answer.status() == 401 || answer.status() == 403 || answer.status() >= 500 && answer.status() != 501) {
            throw calls.toFailure(answer.response());
        }
        if (answer.response().headers().firstValue(SERVER_OF_LOGS).isEmpty()) {
            throw refusalError("its server is none of patch logs, so it could replace an object");
        }
        takesPatches = true;
    }

    /** Checks that a success is the word of the server of logs, and no page of a proxy for the server's error. */
    private void requireAnswerOfLogs(HttpResponse<String> answer) throws IOException {
        if (answer.headers().firstValue(SERVER_OF_LOGS).isEmpty()) {
            throw calls.unexpectedError(answer, "a server of patch logs",
                    "look whether the log has the change, since it may have been written");
        }
    }

    private RuntimeException conflictError(String file, HttpResponse<String> answer) throws IOException {
        JsonObject said;
        try {
            said = JsonText.parseObject(answer.body());
        } catch (IOException e) {
            said = new JsonObject(); // a plain server
        }
        if ("busy".equals(JsonText.getString(said, "error"))) {
            return LogBusyException.ofCapture(name());
        }
        throw new FileAlreadyExistsException(name() + "/" + file, null, JsonText.getString(said, "message"));
    }

    private IllegalArgumentException refusalError(String why) {
        return new IllegalArgumentException(name() + " can't do this over HTTP: " + why + "; do it where the log's files are");
    }

    @Override
    public void delete(String file) {
        throw refusalError("nobody deletes objects");
    }

    @Override
    public Closeable lockForCompaction() {
        throw refusalError("nobody deletes objects");
    }

    @Override
    public AtomicFolder makeFolder(String folder) {
        throw refusalError("its server takes patches, and no checkpoints");
    }

    @Override
    public boolean hasLocks() {
        return true;
    }

    /** {@inheritDoc} The server does so under its lock. */
    @Override
    public boolean comparesHeads() {
        return true;
    }
}
