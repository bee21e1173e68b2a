package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpCalls.Repeat;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.UnreachableException;
import io.jellybridge.jena.data.StoredPosition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.riot.rowset.RowSetReader;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.util.Context;
import org.apache.jena.sys.JenaSystem;

/** A dataset of a Fuseki server, at its usual services: {@code query}, {@code update}, {@code patch}. */
final class FusekiClient {
    private static final String JSON_RESULTS = "application/sparql-results+json";

    static {
        JenaSystem.init(); // else there is no reader of results
    }

    private final FusekiOptions options;
    private final HttpCalls calls;

    FusekiClient(FusekiOptions options) {
        this.options = options;
        this.calls = new HttpCalls(options.http());
    }

    FusekiOptions options() {
        return options;
    }

    HttpCalls calls() {
        return calls;
    }

    // --- services

    /** The address of a service. */
    URI service(String name) {
        return URI.create(options.dataset() + "/" + name);
    }

    /** A request to a service, with parameters. */
    HttpRequest.Builder request(String service, String... namesAndValues) {
        StringBuilder path = new StringBuilder("/").append(service);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            path.append(i == 0 ? '?' : '&').append(namesAndValues[i]).append('=')
                    .append(URLEncoder.encode(namesAndValues[i + 1], UTF_8));
        }
        return calls.request(path.toString());
    }

    private HttpRequest post(String service, String contentType, String accept, String body) {
        return request(service).header("Content-Type", contentType).header("Accept", accept)
                .POST(BodyPublishers.ofString(body)).build();
    }

    /** Whether the patch endpoint is that of our module. */
    boolean takesJelly() throws IOException {
        HttpRequest request = request("patch").method("OPTIONS", BodyPublishers.noBody()).build();
        Answer<byte[]> answer = calls.send(request, BodyHandlers.ofByteArray(), Repeat.SERVER_ERRORS);
        return answer.isFine() && answer.response().headers().allValues("Accept-Post").stream()
                .anyMatch(types -> types.contains(PatchProtocol.JELLY));
    }

    /** The answers of a SELECT: by the names of variables, in canonical N-Triples. For few rows. */
    List<Map<String, String>> select(String sparql) throws IOException {
        HttpRequest request = post("query", "application/sparql-query", JSON_RESULTS, sparql);
        for (int attempt = 1; ; attempt++) {
            Answer<byte[]> answer = calls.send(request, BodyHandlers.ofByteArray(), Repeat.SERVER_ERRORS);
            if (answer.status() != 200) {
                throw calls.failure(answer.response());
            }
            try {
                return rows(answer.body());
            } catch (JenaException e) {
                if (attempt == options.http().attempts()) {
                    throw noResult(e);
                }
                calls.pause(attempt);
            }
        }
    }

    /** The error that an answer to a query is which can't be read. */
    HttpException noResult(JenaException e) {
        return new HttpException(service("query"), 200, "the answer is no result of a query: " + e.getMessage(), e);
    }

    private static List<Map<String, String>> rows(byte[] json) {
        RowSet found = RowSetReader.createReader(ResultSetLang.RS_JSON).read(new ByteArrayInputStream(json), new Context());
        List<Map<String, String>> rows = new ArrayList<>();
        while (found.hasNext()) {
            Binding binding = found.next();
            Map<String, String> row = new LinkedHashMap<>();
            found.getResultVars().forEach(name -> {
                Node term = binding.get(name);
                row.put(name.getVarName(), term == null ? null : StoredPosition.canonical(term));
            });
            rows.add(row);
        }
        return rows;
    }

    /**
     * Sends a query, and gives the whole answer to the handler.
     *
     * @throws HttpException the status is not 200
     */
    <T> HttpResponse<T> query(String sparql, String accept, BodyHandler<T> handler) throws IOException {
        HttpRequest request = post("query", "application/sparql-query", accept, sparql);
        Answer<T> answer = calls.send(request, handler, Repeat.GATEWAY_ERRORS);
        if (answer.status() != 200) {
            throw calls.failure(answer.response());
        }
        return answer.response();
    }

    /**
     * Sends an update.
     *
     * @param repeatable whether it may be done twice: then it is sent again when the outcome is not known
     */
    void update(String sparql, boolean repeatable) throws IOException {
        HttpRequest request = post("update", "application/sparql-update", "*/*", sparql);
        Answer<byte[]> answer =
                calls.send(request, BodyHandlers.ofByteArray(), repeatable ? Repeat.SERVER_ERRORS : Repeat.UNSENT);
        if (!answer.isFine()) {
            throw calls.failure(answer.response());
        }
    }

    /** The error that no answer of the patch service is. */
    UnreachableException unreachable(int attempts, IOException cause) {
        return calls.unreachable(service("patch"), attempts, cause);
    }
}
