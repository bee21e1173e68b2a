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

    /** Returns the address of a service. */
    URI service(String name) {
        return URI.create(options.url() + "/" + name);
    }

    /** Creates a request to the patch service, with parameters. */
    HttpRequest.Builder patchRequest(String... namesAndValues) {
        StringBuilder path = new StringBuilder("/patch");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            path.append(i == 0 ? '?' : '&').append(namesAndValues[i]).append('=')
                    .append(URLEncoder.encode(namesAndValues[i + 1], UTF_8));
        }
        return calls.request(path.toString());
    }

    /** Returns true if the patch endpoint belongs to our module. */
    boolean takesJelly() throws IOException {
        HttpRequest request = patchRequest().method("OPTIONS", BodyPublishers.noBody()).build();
        Answer<byte[]> answer = calls.send(request, HttpCalls.receipt(), Repeat.SERVER_ERRORS);
        return answer.isSuccess() && answer.response().headers().allValues("Accept-Post").stream()
                .anyMatch(types -> types.contains(PatchProtocol.JELLY));
    }

    /**
     * Downloads all quads from a server with our module, see {@link QuadsProtocol}.
     *
     * @return true if they are in the file; false if the server does not offer them, does not permit it, or failed
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

    /** Returns the error that the patch service can't be reached. */
    UnreachableException unreachable(int attempts, IOException cause) {
        return calls.unreachable(service("patch"), attempts, cause);
    }
}
