package io.jellybridge.sync;

import com.google.gson.stream.MalformedJsonException;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpCalls.Repeat;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.jena.data.StoredPosition;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.riot.rowset.RowSetReader;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.util.Context;
import org.apache.jena.sys.JenaSystem;

/** A dataset of a server, at its two services of the SPARQL Protocol. */
class SparqlClient {
    private static final String JSON_RESULTS = "application/sparql-results+json";

    static {
        JenaSystem.init(); // else there is no reader of results
    }

    private final Endpoint queries;
    private final Endpoint updates;

    /**
     * A service.
     *
     * @param path from the base of the calls
     */
    record Endpoint(HttpCalls calls, String path) {

        URI uri() {
            return URI.create(calls.options().base() + path);
        }

        private Endpoint with(UnaryOperator<HttpOptions> change) {
            return new Endpoint(new HttpCalls(change.apply(calls.options())), path);
        }

        private HttpRequest post(String contentType, String accept, String body) {
            return calls.request(path).header("Content-Type", contentType).header("Accept", accept)
                    .POST(BodyPublishers.ofString(body)).build();
        }
    }

    SparqlClient(Endpoint queries, Endpoint updates) {
        this.queries = queries;
        this.updates = updates;
    }

    /** The same dataset, spoken to in another way. */
    final SparqlClient with(UnaryOperator<HttpOptions> change) {
        return new SparqlClient(queries.with(change), updates.with(change));
    }

    Endpoint queries() {
        return queries;
    }

    Endpoint updates() {
        return updates;
    }

    /** The answers of a SELECT: by the names of variables, in canonical N-Triples. For few rows. */
    final List<Map<String, String>> select(String sparql) throws IOException {
        HttpRequest request = queries.post("application/sparql-query; charset=utf-8", JSON_RESULTS, sparql);
        for (int attempt = 1; ; attempt++) {
            Answer<byte[]> answer = queries.calls().send(request, BodyHandlers.ofByteArray(), Repeat.SERVER_ERRORS);
            if (answer.status() != 200) {
                throw queries.calls().failure(answer.response());
            }
            try {
                return rows(answer.body());
            } catch (JenaException e) {
                if (attempt == queries.calls().options().attempts()) {
                    throw noResult(answer.response(), e);
                }
                queries.calls().pause(attempt);
            }
        }
    }

    /** The error that an answer to a query is which can't be read. */
    final HttpException noResult(HttpResponse<?> answer, JenaException e) {
        String type = mediaType(answer);
        boolean isOfAnother = !type.isEmpty() && RDFLanguages.contentTypeToLang(type) == null;
        return new HttpException(queries.uri(), 200, isOfAnother
                ? "the answer is " + type + ", and no result of a query; is the address right?"
                : whyUnread(e), e);
    }

    /** The words of those who read JSON and Thrift are of their own ways, and of no use to who asked. */
    private static String whyUnread(JenaException e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        // Thrift's by its name: its classes are of the Jena side alone.
        if (root instanceof EOFException || root.getClass().getSimpleName().equals("TTransportException")) {
            return "the answer ends in the middle";
        }
        return "the answer is no result of a query: "
                + (root instanceof MalformedJsonException ? "it is not well-formed" : root.getMessage());
    }

    /** What an answer says that it is in; empty: it does not. */
    static String mediaType(HttpResponse<?> answer) {
        return answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "").trim();
    }

    /** The error that it is where queries do not show what updates did. */
    final HttpException notMade(String what) {
        return new HttpException(updates.uri(), 0, "it answered that all is well, but " + what + " is not what "
                + queries.uri() + " shows; are both of one dataset, and may it be changed?", null);
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
    final <T> HttpResponse<T> query(String sparql, String accept, BodyHandler<T> handler) throws IOException {
        HttpRequest request = queries.post("application/sparql-query; charset=utf-8", accept, sparql);
        Answer<T> answer = queries.calls().send(request, handler, Repeat.GATEWAY_ERRORS);
        if (answer.status() != 200) {
            throw queries.calls().failure(answer.response());
        }
        return answer.response();
    }

    /**
     * Sends an update.
     *
     * @param repeatable whether it may be done twice: then it is sent again when the outcome is not known
     */
    final void update(String sparql, boolean repeatable) throws IOException {
        Answer<byte[]> answer = updates.calls().send(updateRequest(sparql), BodyHandlers.ofByteArray(),
                repeatable ? Repeat.SERVER_ERRORS : Repeat.UNSENT);
        if (!answer.isFine()) {
            throw updates.calls().failure(answer.response());
        }
    }

    final HttpRequest updateRequest(String sparql) {
        return updates.post("application/sparql-update; charset=utf-8", "*/*", sparql);
    }
}
