package io.jellybridge.log;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A log of an RDF Delta server, by the HTTP API that release 1.1.2 was observed to have.
 *
 * <p>What differs from its documentation, and matters here: a conflict is status 400 with a JSON body, not 409; a patch
 * that breaks the syntax is 500; the answer to an append names a location that can't be fetched; a data source can't be
 * made without a URI; a patch is at {@code /NAME/VERSION}, and is always text. The server takes patches that no follower
 * can apply, so what is appended here is checked before it is sent. Versions may jump: a version that is not there is
 * passed over, and the chain of ids shows whether a patch is missing.
 */
public final class DeltaLog extends RemoteLog {
    private static final String CONTENT_TYPE = "application/rdf-patch";
    private static final Pattern NAME = Pattern.compile("[\\w_$][\\w\\-._$]*");
    private static final RdfPatchReadOptions READ = RdfPatchReadOptions.DEFAULT.withDialect(RdfPatchDialect.RDF_DELTA);
    private static final RdfPatchWriteOptions WRITE = RdfPatchWriteOptions.DEFAULT.withMarks(false);

    private final String source;

    /**
     * @param options of the server's URL with the name of the data source: {@code http://host:1066/NAME}
     * @throws IllegalArgumentException the name is none that RDF Delta takes
     */
    public DeltaLog(HttpOptions options) {
        super("delta:" + options.base(), new HttpCalls(options.withBase(server(options.base()))));
        this.source = options.base().toString().substring(server(options.base()).toString().length());
        if (!NAME.matcher(source).matches()) {
            throw new IllegalArgumentException(
                    "'" + source + "' is no name of an RDF Delta data source; give the URL as http://host:1066/NAME");
        }
    }

    /** What the data sources' names are added to: the URL without the last part of its path. */
    private static URI server(URI url) {
        String path = url.getRawPath();
        String text = url.toString();
        return path.isEmpty() ? url
                : URI.create(text.substring(0, text.length() - path.length() + path.lastIndexOf('/') + 1));
    }

    /**
     * Makes a new data source with an empty log.
     *
     * @param uri what the data source is called in RDF; the server does not follow it
     * @throws FileAlreadyExistsException there is one of this name
     */
    public static DeltaLog create(HttpOptions options, String uri) throws IOException {
        DeltaLog log = new DeltaLog(options);
        if (log.findInfo() != null) {
            throw LogProperties.present(log.name());
        }
        JsonObject source = new JsonObject();
        source.addProperty("name", log.source);
        source.addProperty("uri", URI.create(uri).toASCIIString());
        log.rpc("create_datasource", source);
        return log;
    }

    private JsonObject rpc(String operation, JsonObject argument) throws IOException {
        JsonObject call = new JsonObject();
        call.addProperty("opid", "");
        call.addProperty("operation", operation);
        call.add("arg", argument);
        return json(post("$/rpc", "application/json", BodyPublishers.ofString(call.toString())));
    }

    private Answer<String> post(String path, String contentType, BodyPublisher body) throws IOException {
        return calls.text(calls.request(path).header("Content-Type", contentType).POST(body));
    }

    /** What the server says of this log; null where it has no such. */
    private JsonObject findInfo() throws IOException {
        if (rpc("list_log_info", new JsonObject()).get("array") instanceof JsonArray logs) {
            for (JsonElement log : logs) {
                if (log instanceof JsonObject info && source.equals(JsonText.string(info, "name"))) {
                    return info;
                }
            }
        }
        return null;
    }

    private JsonObject info() throws IOException {
        JsonObject info = findInfo();
        if (info == null) {
            throw new FileNotFoundException(
                    name() + ": the server has no data source of this name; create it, or correct the URL");
        }
        return info;
    }

    @Override
    public String id() throws IOException {
        return PatchIds.parse(String.valueOf(JsonText.string(info(), "id")));
    }

    @Override
    public LogHead head() throws IOException {
        return head(info());
    }

    private static LogHead head(JsonObject info) {
        String latest = JsonText.string(info, "latest");
        return latest == null || latest.isEmpty()
                ? LogHead.EMPTY : new LogHead(version(info, "max_version"), PatchIds.parse(latest));
    }

    @Override
    public long first() throws IOException {
        return Math.max(version(info(), "min_version"), 1);
    }

    /** A version, as a number or as {@code ver:1}. */
    private static long version(JsonObject object, String name) {
        Long number = JsonText.whole(object, name);
        return number != null
                ? number : Long.parseLong(String.valueOf(JsonText.string(object, name)).replaceFirst("^ver:", ""));
    }

    @Override
    public LogEntries fetch(long from, long to) throws IOException {
        JsonObject info = info();
        return new Versions(Math.max(from, version(info, "min_version")), Math.min(to, head(info).version()));
    }

    /** The patches that are there among the versions of a range. */
    private final class Versions extends Range {
        private final long last;
        private long next;

        Versions(long first, long last) {
            this.next = Math.max(first, 1);
            this.last = last;
        }

        @Override
        Fetched advance() throws IOException {
            while (next <= last) {
                Fetched entry = new Fetched(next++, null);
                if (entry.fetch()) {
                    return entry;
                }
            }
            return null;
        }
    }

    @Override
    PatchHandler<byte[]> writer(OutputStream out) {
        return new RdfPatchWriter<>(out, name(), new Utf8Terms(), WRITE);
    }

    @Override
    <T> PatchSource<T> reader(Path file, String patch, TermFactory<T> terms) throws IOException {
        return new RdfPatchReader<>(new BufferedInputStream(Files.newInputStream(file), 1 << 16), patch, terms, READ);
    }

    @Override
    String patchPath(long version) {
        return source + "/" + version;
    }

    @Override
    String prev(Follows follows, LogHead head) {
        return follows.prev(head);
    }

    @Override
    LogHead find(String id, LogHead head) throws IOException {
        if (id.equals(head.id()) || head.id() == null) {
            return head.id() == null ? null : head;
        }
        Answer<String> answer = calls.text(calls.request(source + "/" + id));
        if (answer.status() == 404) {
            return null;
        }
        if (!answer.isFine()) {
            throw calls.failure(answer.response());
        }
        // The server has the patch, and does not say where.
        return after(0, id);
    }

    /** Where a patch is, behind a version; null where it is not. */
    private LogHead after(long version, String id) throws IOException {
        try (LogEntries entries = fetch(version + 1, Long.MAX_VALUE)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                if (id.equals(entry.header().id())) {
                    return new LogHead(entry.version(), id);
                }
            }
            return null;
        }
    }

    @Override
    LogHead send(Path patch, PatchHeader header, Follows follows, LogHead head) throws IOException {
        if (!Objects.equals(header.prev(), head.id())) {
            throw new LogConflictException(name(), header.prev(), head);
        }
        Answer<String> answer = post(source, CONTENT_TYPE, BodyPublishers.ofFile(patch));
        if (answer.status() != 400 || !answer.body().contains("patch-conflict")) {
            return new LogHead(version(json(answer), "version"), header.id());
        }
        // The first answer may have been lost, and others may have followed.
        LogHead there = answer.repeated() ? after(head.version(), header.id()) : null;
        if (there == null) {
            throw new LogConflictException(name(), header.prev(), head());
        }
        return there;
    }
}
