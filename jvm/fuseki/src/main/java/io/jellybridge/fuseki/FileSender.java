package io.jellybridge.fuseki;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import org.apache.jena.fuseki.Fuseki;

/**
 * A non-blocking sender of a file as a response body. No thread waits for a slow client. A client can detect a truncated body,
 * since the response has its length.
 */
final class FileSender implements WriteListener, AsyncListener {
    private static final int PIECE_BYTES = 1 << 16;
    private static final long NO_LIMIT = 0;

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final InputStream in;

    private FileSender(AsyncContext async, ServletOutputStream out, InputStream in) {
        this.async = async;
        this.out = out;
        this.in = in;
    }

    /** Starts a response that is sent later. */
    static AsyncContext startResponse(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.setTimeout(NO_LIMIT); // the server itself ends idle connections
        return async;
    }

    /**
     * Starts to send, and may return before everything is sent. The headers must have been set.
     *
     * @param in closed when everything is sent, or after an error
     */
    static void sendFile(InputStream in, HttpServletRequest request, HttpServletResponse response) throws IOException {
        sendFile(in, response, request.isAsyncSupported() ? startResponse(request) : null);
    }

    /**
     * Sends the body of a response that was started.
     *
     * @param async null if the request does not support asynchronous responses; this then returns when everything is sent
     */
    static void sendFile(InputStream in, HttpServletResponse response, AsyncContext async) throws IOException {
        ServletOutputStream out = response.getOutputStream();
        if (async == null) {
            try (in) {
                in.transferTo(out);
            }
            return;
        }
        FileSender sender = new FileSender(async, out, in);
        async.addListener(sender);
        out.setWriteListener(sender);
    }

    @Override
    public void onWritePossible() throws IOException {
        while (out.isReady()) {
            byte[] piece = in.readNBytes(PIECE_BYTES);
            if (piece.length == 0) {
                async.complete();
                return;
            }
            out.write(piece);
        }
    }

    @Override
    public void onError(Throwable failure) {
        Fuseki.serverLog.debug("jellybridge: a client got a part of a patch", failure);
        async.complete();
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
        in.close();
    }

    @Override
    public void onError(AsyncEvent event) throws IOException {
        in.close();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // there is no time limit
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // there is no other file to send
    }
}
