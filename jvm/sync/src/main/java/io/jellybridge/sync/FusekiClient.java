package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpCalls.Repeat;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.MediaType;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.http.UnreachableException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Path;
import org.apache.jena.riot.Lang;

/** A client for a dataset of a Fuseki server, at its usual services: {@code query}, {@code update}, {@code patch}. */
final class FusekiClient extends SparqlClient {
    private final FusekiOptions options;
    private final HttpCalls calls;

    FusekiClient(FusekiOptions options) {
        this(options, new HttpCalls(options.http()));
    }

    private FusekiClient(FusekiOptions options, HttpCalls calls) {
        super(new Endpoint(calls, "/query"), new Endpoint(calls, "/update"));
        this.options = options;
        this.calls = calls;
    }

    FusekiOptions options() {
        return options;
    }

    HttpCalls calls() {
        return calls;
    }

    /** Returns the address of the patch service. */
    URI patchAddress() {
        return URI.create(options.url() + "/patch");
    }

    /** Creates a request to the patch service, with parameters. */
    HttpRequest.Builder patchRequest(String... namesAndValues) {
        StringBuilder path = new StringBuilder("/patch");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            path.append(i == 0 ? '?' : '&').append(namesAndValues[i]).append('=')
                    .append(URLEncoder.encode(namesAndValues[i + 1], UTF_8));
        }
        return calls.newRequest(path.toString());
    }

    /**
     * Returns true if the patch endpoint belongs to our module.
     *
     * @throws HttpException the dataset has no patch endpoint; the message says how to add one
     */
    boolean takesJelly() throws IOException {
        Answer<byte[]> answer = sendOptions("/patch");
        if (isOfNoService(answer) && refusesPatches()) {
            throw noPatchServiceError(answer.status());
        }
        return answer.isSuccess() && answer.response().headers().allValues("Accept-Post").stream()
                .anyMatch(types -> types.contains(PatchProtocol.JELLY));
    }

    private Answer<byte[]> sendOptions(String path) throws IOException {
        HttpRequest request = calls.newRequest(path).method("OPTIONS", BodyPublishers.noBody()).build();
        return calls.send(request, HttpCalls.receipt(), Repeat.SERVER_ERRORS);
    }

    /** Checks for the answer of the web server, which takes HEAD for a page. A service of changes takes none. */
    private static boolean isOfNoService(Answer<?> answer) {
        return answer.status() == 404
                || answer.isSuccess() && answer.response().headers().allValues("Allow").stream().anyMatch(it -> it.contains("HEAD"));
    }

    /** Checks whether an empty patch finds no service, since a proxy may answer OPTIONS by itself. */
    private boolean refusesPatches() throws IOException {
        HttpRequest request = patchRequest().header("Content-Type", PatchProtocol.TEXT).POST(BodyPublishers.noBody()).build();
        int status = calls.send(request, HttpCalls.receipt(), Repeat.SERVER_ERRORS).status();
        return status == 404 || status == 405;
    }

    private HttpException noPatchServiceError(int status) throws IOException {
        String url = options.url().toString();
        String advice = isOfNoService(sendOptions("/update"))
                ? "it has no service update either, so the server allows no changes: start it with --update, or allow them in its "
                        + "configuration"
                : "add this line to the dataset's configuration, and start Fuseki again: fuseki:endpoint [ fuseki:operation "
                        + "fuseki:patch ; fuseki:name \"patch\" ] ; a dataset that was added while Fuseki ran has its configuration in "
                        + "run/configuration" + url.substring(url.lastIndexOf('/')) + ".ttl; or change it by SPARQL, which is slower "
                        + "and stores blank nodes as IRIs: sparql:" + url + "/update?query=" + url + "/query";
        return new HttpException(patchAddress(), status, "the dataset has no service patch, which takes changes; nothing was "
                + "changed; " + advice, null);
    }

    /**
     * Downloads all quads from a server with our module, see {@link QuadsProtocol}.
     *
     * @return the headers of the response whose quads are in the file; null if the server does not offer them, does not permit
     *         it, or failed
     */
    HttpHeaders fetchQuads(Path file) throws IOException {
        Answer<?> asked = calls.send(quadsRequest().method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.discarding(),
                Repeat.GATEWAY_ERRORS);
        if (!isOfQuads(asked)) {
            return null;
        }
        Answer<?> sent = calls.sendForFile(quadsRequest(), file);
        return isOfQuads(sent) ? sent.response().headers() : null;
    }

    private HttpRequest.Builder quadsRequest() {
        return calls.newRequest("").header("Accept", QuadsProtocol.JELLY);
    }

    private static boolean isOfQuads(Answer<?> answer) {
        return answer.status() == 200 && answer.response().headers().firstValue(QuadsProtocol.QUADS)
                .filter(QuadsProtocol.VERSION::equals).isPresent();
    }

    /**
     * Downloads all quads, or those of the default graph, by the Graph Store Protocol. A query takes the server and the client a
     * quarter longer.
     *
     * @return true if they are in the file; false if the server does not offer them, does not permit it, or failed
     */
    boolean fetchNQuads(boolean ofDefaultGraph, Path file) throws IOException {
        String type = (ofDefaultGraph ? Lang.NTRIPLES : Lang.NQUADS).getHeaderString();
        HttpRequest request = calls.newRequest(ofDefaultGraph ? "?default" : "").header("Accept", type).build();
        // A server may send all in another format; that is not read.
        return calls.<Boolean>send(request, answer -> {
            boolean isOfQuads = answer.statusCode() == 200 && MediaType.of(answer.headers()).type().equals(type)
                    && answer.headers().firstValue("Content-Encoding").isEmpty();
            return isOfQuads ? BodySubscribers.mapping(HttpCalls.writeTo(file).apply(answer), written -> true)
                    : BodySubscribers.mapping(HttpCalls.receipt().apply(answer), read -> false);
        }, Repeat.GATEWAY_ERRORS).body();
    }

    /** Returns the error that the patch service can't be reached. */
    UnreachableException unreachableError(int attempts, IOException cause) {
        return calls.unreachableError(patchAddress(), attempts, cause);
    }
}
