package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpCalls.Repeat;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.QuadsProtocol;
import io.jellybridge.http.UnreachableException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/** A dataset of a Fuseki server, at its usual services: {@code query}, {@code update}, {@code patch}. */
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

    /** The address of a service. */
    URI service(String name) {
        return URI.create(options.url() + "/" + name);
    }

    /** A request to the patch service, with parameters. */
    HttpRequest.Builder patchRequest(String... namesAndValues) {
        StringBuilder path = new StringBuilder("/patch");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            path.append(i == 0 ? '?' : '&').append(namesAndValues[i]).append('=')
                    .append(URLEncoder.encode(namesAndValues[i + 1], UTF_8));
        }
        return calls.request(path.toString());
    }

    /** Whether the patch endpoint is that of our module. */
    boolean takesJelly() throws IOException {
        HttpRequest request = patchRequest().method("OPTIONS", BodyPublishers.noBody()).build();
        Answer<byte[]> answer = calls.send(request, HttpCalls.receipt(), Repeat.SERVER_ERRORS);
        return answer.isFine() && answer.response().headers().allValues("Accept-Post").stream()
                .anyMatch(types -> types.contains(PatchProtocol.JELLY));
    }

    /**
     * Gets all quads as a server with our module gives them, see {@link QuadsProtocol}.
     *
     * @return whether they are in the file; false: the server does not give them so, or not to us, or failed in it
     */
    boolean quads(Path file) throws IOException {
        Answer<?> asked = calls.send(quadsRequest().method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.discarding(),
                Repeat.GATEWAY_ERRORS);
        return isOfQuads(asked) && isOfQuads(calls.file(quadsRequest(), file));
    }

    private HttpRequest.Builder quadsRequest() {
        return calls.request("").header("Accept", QuadsProtocol.JELLY);
    }

    private static boolean isOfQuads(Answer<?> answer) {
        return answer.status() == 200 && answer.response().headers().firstValue(QuadsProtocol.QUADS)
                .filter(QuadsProtocol.VERSION::equals).isPresent();
    }

    /** The error that no answer of the patch service is. */
    UnreachableException unreachable(int attempts, IOException cause) {
        return calls.unreachable(service("patch"), attempts, cause);
    }
}
