package io.jellybridge.sync;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpCalls.Repeat;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.MediaType;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.riot.QueryResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.RowSet;

/** A client for a dataset of a server, with its two services of the SPARQL Protocol. */
class SparqlClient {
    private static final String JSON_RESULTS = "application/sparql-results+json";
    private static final int FEW_ROWS_BYTES = 16 << 20;

    private final Endpoint queries;
    private final Endpoint updates;

    /**
     * A service.
     *
     * @param path the path after the base of the calls
     */
    record Endpoint(HttpCalls calls, String path) {

        URI uri() {
            return URI.create(calls.options().base() + path);
        }

        private Endpoint with(UnaryOperator<HttpOptions> change) {
            return new Endpoint(new HttpCalls(change.apply(calls.options())), path);
        }

        /** Creates the error for an unexpected response to a query. */
        HttpException toFailure(HttpResponse<?> answer) throws IOException {
            int status = answer.statusCode();
            boolean isMissing = (status == 404 || status == 405) && !path.isEmpty();
            return !isMissing ? calls.toFailure(answer) : new HttpException(uri(), status, "answered " + status
                    + ": there is no such dataset, or it has no service query; the address of a dataset is http://HOST:PORT/NAME, "
                    + "without the name of a service", null);
        }

        private HttpRequest newPost(String contentType, String accept, String body) {
            return calls.newRequest(path).header("Content-Type", contentType).header("Accept", accept)
                    .POST(BodyPublishers.ofString(body)).build();
        }
    }

    SparqlClient(Endpoint queries, Endpoint updates) {
        this.queries = queries;
        this.updates = updates;
    }

    /** Returns a client of the same dataset with other options. */
    final SparqlClient with(UnaryOperator<HttpOptions> change) {
        return new SparqlClient(queries.with(change), updates.with(change));
    }

    Endpoint queries() {
        return queries;
    }

    Endpoint updates() {
        return updates;
    }

    /** Runs a SELECT and returns its rows, as terms in canonical N-Triples by the names of variables. For few rows. */
    final List<Map<String, String>> select(String sparql) throws IOException {
        return select(sparql, FEW_ROWS_BYTES);
    }

    private List<Map<String, String>> select(String sparql, int mostBytes) throws IOException {
        HttpRequest request = queries.newPost("application/sparql-query; charset=utf-8", JSON_RESULTS, sparql);
        for (int attempt = 1; ; attempt++) {
            Answer<byte[]> answer = queries.calls().send(request, HttpCalls.readFirst(mostBytes), Repeat.SERVER_ERRORS);
            if (answer.status() != 200) {
                throw queries.toFailure(answer.response());
            }
            if (answer.body().length == mostBytes) {
                throw new HttpException(queries.uri(), 200, "the answer has more than " + (mostBytes >> 20)
                        + " MiB where a few rows are due; is the address right?", null);
            }
            QueryResponse response = readResponse(answer.response(), ResultSetLang.RS_JSON);
            try {
                return readRows(response, answer.body());
            } catch (RiotException e) {
                if (attempt == queries.calls().options().attempts()) {
                    throw unreadError(e);
                }
                queries.calls().pause(attempt);
            }
        }
    }

    /**
     * Returns how to read a response. Its content type decides, and without one the requested format.
     *
     * @throws HttpException it is something else, such as a page, or in another charset than UTF-8
     */
    final QueryResponse readResponse(HttpResponse<?> answer, Lang asked) throws HttpException {
        MediaType type = MediaType.of(answer.headers());
        Lang lang = type.type().isEmpty() ? asked : QueryResponse.languageOf(type.type());
        if (lang == null) {
            throw new HttpException(queries.uri(), 200,
                    "the answer is " + type.type() + ", and no result of a query; is the address right?", null);
        }
        String encoding = answer.headers().firstValue("Content-Encoding").orElse("identity");
        if (!encoding.equalsIgnoreCase("identity")) {
            throw new HttpException(queries.uri(), 200, "the answer is compressed by " + encoding
                    + ", which was not asked for; have the server leave that", null);
        }
        if (!type.isUtf8() && !QueryResponse.isBinary(lang)) {
            throw new HttpException(queries.uri(), 200, "the answer is in " + type.charset()
                    + ", and UTF-8 alone is read; have the server answer in UTF-8", null);
        }
        return new QueryResponse(lang, type.charset() != null, queries.uri().toString());
    }

    /** Returns the error that the response to a query can't be parsed. */
    final HttpException unreadError(RiotException e) {
        return new HttpException(queries.uri(), 200, e.getMessage(), e);
    }

    /** Returns the error that queries do not show the effect of updates. */
    final HttpException notMadeError(String what) {
        return new HttpException(updates.uri(), 0, "it answered that all is well, but " + what + " is not what "
                + queries.uri() + " shows; are both of one dataset, and may it be changed?", null);
    }

    private static List<Map<String, String>> readRows(QueryResponse response, byte[] answer) {
        RowSet found = response.readResult(new ByteArrayInputStream(answer)).rowSet();
        List<Map<String, String>> rows = new ArrayList<>();
        while (found.hasNext()) {
            Binding binding = found.next();
            Map<String, String> row = new LinkedHashMap<>();
            found.getResultVars().forEach(name -> {
                Node term = binding.get(name);
                row.put(name.getVarName(), term == null ? null : StoredPosition.toCanonical(term));
            });
            rows.add(row);
        }
        return rows;
    }

    /**
     * Sends a query and passes the whole response to the handler.
     *
     * @throws HttpException the status is not 200
     */
    final <T> HttpResponse<T> runQuery(String sparql, String accept, BodyHandler<T> handler) throws IOException {
        HttpRequest request = queries.newPost("application/sparql-query; charset=utf-8", accept, sparql);
        Answer<T> answer = queries.calls().send(request, handler, Repeat.GATEWAY_ERRORS);
        if (answer.status() != 200) {
            throw queries.toFailure(answer.response());
        }
        return answer.response();
    }

    /**
     * Sends an update.
     *
     * @param repeatable true if it may be done twice; it is sent again then if the outcome is unknown
     */
    final void update(String sparql, boolean repeatable) throws IOException {
        Answer<byte[]> answer = updates.calls().send(updateRequest(sparql), HttpCalls.receipt(),
                repeatable ? Repeat.SERVER_ERRORS : Repeat.UNSENT);
        if (!answer.isSuccess()) {
            throw updates.calls().toFailure(answer.response());
        }
    }

    /** Deletes the receipt of a call at its end. A failure is a warning, since it changes nothing of what the call has done. */
    final void deleteReceipt(String key) {
        try {
            update("DELETE WHERE { GRAPH <%s> { <%s> ?p ?o } }".formatted(StoredPosition.GRAPH, key), true);
        } catch (IOException e) {
            System.getLogger(SparqlClient.class.getName()).log(System.Logger.Level.WARNING, "the receipt <" + key + "> stays in the "
                    + "graph <" + StoredPosition.GRAPH + ">, since it can't be deleted: " + ExceptionMessages.toText(e));
        }
    }

    final HttpRequest updateRequest(String sparql) {
        return updates.newPost("application/sparql-update; charset=utf-8", "*/*", sparql);
    }

    // --- positions

    /** Reads a position, see {@link io.jellybridge.jena.dataset.OpenDataset#storedPosition}. */
    final Position storedPosition(String key) throws IOException {
        return fetchStored(key).position();
    }

    /**
     * The stored data of a position.
     *
     * @param applied the texts beside the position, as terms. There may be some without a position
     */
    record Stored(Position position, List<String> applied) {
    }

    final Stored fetchStored(String key) throws IOException {
        List<Map<String, String>> found = select("""
                SELECT ?position ?applied {
                  GRAPH <%1$s> { { <%2$s> <%3$s> ?position } UNION { <%2$s> <%4$s> ?applied } }
                } LIMIT 4""".formatted(
                StoredPosition.GRAPH, escapeText(key), StoredPosition.PREDICATE, StoredPosition.APPLIED));
        List<String> ids = toTerms(found, "position");
        List<String> applied = toTerms(found, "applied");
        if (ids.size() > 1 || !ids.isEmpty() && applied.size() > 1) {
            throw StoredPosition.severalPositionsError(key);
        }
        return new Stored(ids.isEmpty() ? null
                : new Position(ids.get(0), applied.isEmpty() ? null : StoredPosition.fromLiteral(applied.get(0))), applied);
    }

    private static List<String> toTerms(List<Map<String, String>> rows, String name) {
        return rows.stream().map(row -> row.get(name)).filter(Objects::nonNull).toList();
    }

    /** Reads the notes of a key, see {@link io.jellybridge.jena.dataset.OpenDataset#readNotes}. */
    final List<String> readNotes(String key) throws IOException {
        return toTerms(select("SELECT ?note { GRAPH <%s> { <%s> <%s> ?note } }"
                .formatted(StoredPosition.GRAPH, escapeText(key), StoredPosition.NOTE), Integer.MAX_VALUE), "note")
                .stream().map(StoredPosition::fromLiteral).toList();
    }

    /** Returns the key, escaped for SPARQL and RDF Patch. */
    static String escapeText(String key) {
        return new StoredPosition(key).key();
    }
}
