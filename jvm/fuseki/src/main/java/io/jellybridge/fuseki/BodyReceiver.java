package io.jellybridge.fuseki;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeoutException;
import org.apache.jena.fuseki.Fuseki;

/**
 * A non-blocking receiver of request bodies, which runs before the requests are processed. No thread waits for a body. So
 * stalled bodies never use up the server's threads. When a body is complete, its request is dispatched again from the start.
 *
 * <p>A body is received to its end even if it is too large or will be rejected. If the server closed the connection while the
 * client sends, the client would lose the response. A body that exceeds the limit by far is cut off.
 */
final class BodyReceiver {
    private static final String BODY = RequestBody.class.getName();
    private static final int PIECE_BYTES = 1 << 14;

    private final RequestLimits limits;

    BodyReceiver(RequestLimits limits) {
        this.limits = limits;
    }

    RequestLimits limits() {
        return limits;
    }

    /**
     * Returns whether a request can be processed. If its body is missing, this starts to receive it and returns false. The
     * caller then returns without a response, and the request is dispatched again when the body is complete.
     *
     * @param isStored false if nobody reads the body
     * @throws RefusedException the body is too large, and the client waits for a go-ahead before it sends it
     */
    boolean isReceived(HttpServletRequest request, boolean isStored) throws IOException {
        if (request.getAttribute(BODY) != null || !hasBody(request) || !request.isAsyncSupported()) {
            return true;
        }
        if (request.getHeader("Expect") != null && request.getContentLengthLong() > limits.bodyBytes()) {
            throw new RefusedException(limits.bodyTooLarge());
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(limits.bodyTime().toMillis());
        ServletInputStream in = request.getInputStream();
        Reception reception = new Reception(async, in, new RequestBody(limits, isStored));
        async.addListener(reception);
        in.setReadListener(reception);
        return false;
    }

    /** Announces that the connection ends, in the response to a request that is rejected before its body was received. */
    void refuseRequest(HttpServletRequest request, HttpServletResponse response) {
        if (request.getAttribute(BODY) == null && hasBody(request)) {
            response.setHeader("Connection", "close");
        }
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    /**
     * Returns the body of a request, which the caller closes. If {@link #isReceived} did not see the request, receives the body
     * now and blocks the thread.
     *
     * @param isStored false if nobody reads the body
     * @throws RefusedException the body is truncated or stalled
     */
    RequestBody openBody(HttpServletRequest request, boolean isStored) throws IOException {
        if (request.getAttribute(BODY) instanceof RequestBody received) {
            return received;
        }
        RequestBody body = new RequestBody(limits, isStored);
        try {
            byte[] piece = new byte[PIECE_BYTES];
            InputStream in = request.getInputStream();
            for (int read = readBody(in, piece); read >= 0 && !isFarTooLarge(body); read = readBody(in, piece)) {
                body.add(piece, read);
            }
            return body;
        } catch (RuntimeException e) {
            body.close();
            throw e;
        }
    }

    private static int readBody(InputStream in, byte[] piece) {
        try {
            return in.read(piece);
        } catch (IOException e) {
            throw new RefusedException(unreadableAnswer(e));
        }
    }

    /** Returns whether a body exceeds the limit by so much that the rest is not received. */
    private boolean isFarTooLarge(RequestBody body) {
        return body.size() / 2 > limits.bodyBytes();
    }

    private static Answer unreadableAnswer(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return tooSlow();
            }
        }
        return Answer.badRequest("the body can't be read: it was cut off");
    }

    private static Answer tooSlow() {
        return Answer.errorAnswer(408, "limit", "the body did not come in time; send it again");
    }

    /** A reception of one body. The server calls one method at a time. */
    private final class Reception implements ReadListener, AsyncListener {
        private final AsyncContext async;
        private final ServletInputStream in;
        private final RequestBody body;
        private boolean answered;

        Reception(AsyncContext async, ServletInputStream in, RequestBody body) {
            this.async = async;
            this.in = in;
            this.body = body;
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] piece = new byte[PIECE_BYTES];
            while (!answered && in.isReady()) {
                int read = in.read(piece);
                if (read < 0) {
                    return;
                }
                body.add(piece, read);
                if (isFarTooLarge(body)) {
                    refuse(limits.bodyTooLarge());
                }
            }
        }

        @Override
        public void onAllDataRead() {
            if (answered) {
                return;
            }
            answered = true;
            async.getRequest().setAttribute(BODY, body);
            async.dispatch();
        }

        @Override
        public void onError(Throwable failure) {
            refuse(unreadableAnswer(failure));
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            refuse(tooSlow());
        }

        /** Sends a response before the body is complete. The connection can't be reused then. */
        private void refuse(Answer answer) {
            if (answered) {
                return;
            }
            answered = true;
            try {
                body.close();
                HttpServletResponse response = (HttpServletResponse) async.getResponse();
                response.setHeader("Connection", "close");
                answer.sendTo(response);
            } catch (IOException e) {
                Fuseki.serverLog.debug("jellybridge: nobody is there for the answer {}", answer, e);
            } finally {
                async.complete();
            }
        }

        @Override
        public void onComplete(AsyncEvent event) {
            body.close();
        }

        @Override
        public void onError(AsyncEvent event) {
            body.close();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // there is no other body to wait for
        }
    }
}
