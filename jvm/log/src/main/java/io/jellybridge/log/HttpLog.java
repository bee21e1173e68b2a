package io.jellybridge.log;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A log that a Fuseki with jellybridge serves.
 *
 * <table>
 *   <caption>Calls, below the log's URL</caption>
 *   <tr><td>{@code PUT}</td><td>creates the log: 201; 409 if it exists</td></tr>
 *   <tr><td>{@code GET}</td><td>200 {@code {"log":UUID,"first":1,"version":17,"id":UUID,"chain":HASH}}; the last two
 *       are null in an empty log</td></tr>
 *   <tr><td>{@code GET /entries?from=1&to=17}</td><td>200 {@code {"log":UUID,"entries":[{"version":1,"id":UUID,"prev":null,
 *       "chain":TEXT},…]}}, the first {@value #PAGE} at most; {@code "fault"} instead of the ids if a patch can't be
 *       read</td></tr>
 *   <tr><td>{@code GET /patches/17}</td><td>200 with the patch, {@value #CONTENT_TYPE}; 404</td></tr>
 *   <tr><td>{@code GET /checkpoint?to=17}</td><td>200 {@code {"checkpoint":{…}}}, the newest one up to that version, as in its
 *       {@code checkpoint.json}; {@code null} if there is none</td></tr>
 *   <tr><td>{@code GET /checkpoints/17/0}</td><td>200 with its file of that number, from 0, {@value #RDF_TYPE};
 *       404</td></tr>
 *   <tr><td>{@code POST ?prev=UUID} with a patch</td><td>200 {@code {"version":18,"id":UUID}}, also if it is in the log already;
 *       409 with the head as in {@code GET}, or with the patch of that id and the error {@value #TAKEN}; 400 with the place of
 *       the fault; 415. An empty {@code prev} means the first patch. Without {@code prev}, the patch's own header counts, or
 *       else the head</td></tr>
 * </table>
 */
public final class HttpLog extends StagedLog {
    /** The media type of a patch. */
    public static final String CONTENT_TYPE = PatchProtocol.JELLY;
    /** The media type of a file of a checkpoint. */
    public static final String RDF_TYPE = QuadsProtocol.JELLY;
    /** The error code for a conflict where the log has another patch of the id. */
    public static final String TAKEN = "id-taken";
    /** The largest number of entries in one response. */
    public static final int PAGE = 1000;

    private final HttpCalls calls;
    /** The id; null before the first response. */
    private String id;

    /**
     * Creates a client of a log.
     *
     * @param options the options, with the log's URL
     */
    public HttpLog(HttpOptions options) {
        super(options.base().toString());
        this.calls = new HttpCalls(options);
    }

    /**
     * Creates a log.
     *
     * @throws FileAlreadyExistsException there is one
     */
    public static HttpLog create(HttpOptions options) throws IOException {
        HttpLog log = new HttpLog(options);
        Answer<String> answer = log.calls.text(log.calls.request("").PUT(BodyPublishers.noBody()));
        if (answer.status() == 409) {
            throw LogProperties.present(log.name());
        }
        if (!answer.isSuccess()) {
            throw log.calls.failure(answer.response());
        }
        return log;
    }

    /**
     * Parses a response as a JSON object.
     *
     * @throws HttpException it is an error, or something else
     */
    private JsonObject json(Answer<String> answer) throws IOException {
        if (!answer.isSuccess()) {
            throw calls.failure(answer.response());
        }
        try {
            return JsonText.object(answer.body());
        } catch (IOException e) {
            throw calls.unexpected(answer.response(), "a patch log");
        }
    }

    private JsonObject state() throws IOException {
        return ofThisLog(calls.text(calls.request("")));
    }

    /** Parses a response that names the log, and checks that it is the same log as before. */
    private JsonObject ofThisLog(Answer<String> answer) throws IOException {
        JsonObject said = json(answer);
        String log = JsonText.string(said, "log");
        if (log == null || !PatchIds.isId(log)) {
            throw calls.unexpected(answer.response(), "a patch log");
        }
        if (id == null) {
            id = log;
        }
        requireSame(id, log);
        return said;
    }

    @Override
    public String id() throws IOException {
        state();
        return id;
    }

    @Override
    public LogHead head() throws IOException {
        return head(state());
    }

    private static LogHead head(JsonObject state) {
        String id = JsonText.string(state, "id");
        Long version = JsonText.whole(state, "version");
        return id != null && version != null ? new LogHead(version, PatchIds.parse(id)) : LogHead.EMPTY;
    }

    @Override
    public long first() throws IOException {
        Answer<String> answer = calls.text(calls.request(""));
        Long first = JsonText.whole(ofThisLog(answer), "first");
        if (first == null) {
            throw calls.unexpected(answer.response(), "a patch log of this version");
        }
        return first;
    }

    // --- checkpoints

    @Override
    public Checkpoint checkpoint(long upTo) throws IOException {
        Answer<String> answer = calls.text(calls.request("/checkpoint?to=" + upTo));
        JsonElement said = json(answer).get("checkpoint");
        if (said != null && said.isJsonNull()) {
            return null;
        }
        if (said instanceof JsonObject object) {
            Checkpoint found = Checkpoint.of(object, checkpointName(JsonText.whole(object, "version")), null);
            if (found != null && found.version() <= upTo && found.log().equals(id())) {
                return found;
            }
        }
        throw calls.unexpected(answer.response(), "a patch log");
    }

    private String checkpointName(Long version) {
        return name() + ", checkpoint of version " + version;
    }

    @Override
    public Checkpoint atHand(Checkpoint checkpoint, Path folder) throws IOException {
        if (!checkpoint.equals(checkpoint(checkpoint.version()))) {
            throw checkpoint.gone();
        }
        for (int part = 0; part < checkpoint.parts().size(); part++) {
            Answer<Path> answer = calls.file(calls.request("/checkpoints/" + checkpoint.version() + "/" + part),
                    checkpoint.path(folder, checkpoint.parts().get(part).file()));
            if (answer.status() == 404) {
                throw checkpoint.gone();
            }
            if (answer.status() != 200) {
                throw calls.failure(answer.response());
            }
        }
        return checkpoint.in(folder);
    }

    @Override
    public LogEntries fetch(long from, long to) throws IOException {
        return new Pages(Math.max(from, 1), to);
    }

    /** An iterator over the entries of a range, which are listed page by page. It keeps the patch of the current entry. */
    private final class Pages implements LogEntries {
        private final Deque<Fetched> page = new ArrayDeque<>();
        private final long to;
        private long next;
        private boolean ended;
        private Fetched current;

        Pages(long from, long to) {
            this.next = from;
            this.to = to;
        }

        @Override
        public LogEntry next() throws IOException {
            close();
            if (page.isEmpty() && !ended) {
                list();
            }
            current = page.poll();
            return current;
        }

        private void list() throws IOException {
            Answer<String> answer = calls.text(calls.request("/entries?from=" + next + "&to=" + to));
            if (!(ofThisLog(answer).get("entries") instanceof JsonArray entries)) {
                throw calls.unexpected(answer.response(), "a patch log");
            }
            for (JsonElement element : entries) {
                JsonObject entry = element instanceof JsonObject object ? object : new JsonObject();
                Long version = JsonText.whole(entry, "version");
                if (version == null || version < next || version > to) {
                    throw calls.unexpected(answer.response(), "a patch log"); // prevents endless requests
                }
                page.add(entry(version, entry));
                next = version + 1;
            }
            ended = page.isEmpty();
        }

        private Fetched entry(long version, JsonObject entry) {
            String id = JsonText.string(entry, "id");
            String time = JsonText.string(entry, "time");
            PatchHeader header = id == null ? null
                    : new PatchHeader(id, JsonText.string(entry, "prev"), time == null ? null : PatchTimes.parse(time),
                            Chain.parse(JsonText.string(entry, "chain")));
            return new Fetched(version, header);
        }

        @Override
        public void close() throws IOException {
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }

    /** A patch that is fetched when it is read. It is kept until the next one is requested. */
    private final class Fetched extends StoredEntry implements Closeable {
        private Path file;

        /**
         * Creates an entry.
         *
         * @param header the headers; null to read them from the patch
         */
        Fetched(long version, PatchHeader header) {
            super(version, header);
        }

        @Override
        public String log() throws IOException {
            return id == null ? id() : id;
        }

        private void fetch() throws IOException {
            Path made = Files.createTempFile("jellybridge-", ".patch");
            boolean done = false;
            try {
                Answer<Path> answer = calls.file(calls.request("/patches/" + version()), made);
                if (answer.status() == 404) {
                    throw new IOException(name() + " is not there, although the log names it; check the log");
                }
                if (answer.status() != 200) {
                    throw calls.failure(answer.response());
                }
                done = true;
            } finally {
                if (!done) {
                    Files.delete(made);
                }
            }
            file = made;
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            if (file == null) {
                fetch();
            }
            return new PatchReader<>(
                    new BufferedInputStream(Files.newInputStream(file), 1 << 16), name(), terms, ReadOptions.DEFAULT);
        }

        @Override
        public String name() {
            return HttpLog.this.name() + ", version " + version();
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                Files.deleteIfExists(file);
                file = null;
            }
        }
    }

    @Override
    LogHead send(Path patch, PatchHeader header, Follows follows, LogHead head) throws IOException {
        String prev = follows.isHead() ? "" : "?prev=" + (follows.id() == null ? "" : follows.id());
        Answer<String> answer = calls.text(calls.request(prev).header("Content-Type", CONTENT_TYPE)
                .POST(BodyPublishers.ofFile(patch)));
        if (answer.status() == 409) {
            JsonObject conflict = JsonText.object(answer.body());
            LogHead found = head(conflict);
            throw TAKEN.equals(JsonText.string(conflict, "error")) ? LogConflictException.taken(name(), found)
                    : new LogConflictException(name(), follows.id(), found);
        }
        Long version = JsonText.whole(json(answer), "version");
        if (version == null) {
            throw calls.unexpected(answer.response(), "a patch log");
        }
        return new LogHead(version, header.id());
    }
}
