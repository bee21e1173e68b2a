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
 * Receives the bodies of requests, before anything is done about the requests. No thread waits for a body: however many
 * stall, the server has all its threads for the others. A request whose body is there is dispatched again, from the start.
 *
 * <p>A body is received to its end also where it is too large or will be refused: a server that closes the connection of a
 * client that still sends makes it lose the answer. A body that goes on for long beyond the limit is cut off.
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
     * Whether a request may go on. Where it has a body that is still to be received, it may not: this begins to receive it,
     * and whoever called returns without an answer. The request comes again when the body is there.
     *
     * @throws RefusedException the client waits for a word before it sends a body that is too large
     */
    boolean isReceived(HttpServletRequest request) throws IOException {
        if (request.getAttribute(BODY) != null || !hasBody(request) || !request.isAsyncSupported()) {
            return true;
        }
        if (request.getHeader("Expect") != null && request.getContentLengthLong() > limits.bodyBytes()) {
            throw new RefusedException(limits.bodyTooLarge());
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(limits.bodyTime().toMillis());
        ServletInputStream in = request.getInputStream();
        Reception reception = new Reception(async, in);
        async.addListener(reception);
        in.setReadListener(reception);
        return false;
    }

    /** Tells the client of a request that is refused before its body was received, that the connection ends with that. */
    void refuse(HttpServletRequest request, HttpServletResponse response) {
        if (request.getAttribute(BODY) == null && hasBody(request)) {
            response.setHeader("Connection", "close");
        }
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    /**
     * The body of a request, which the caller closes. It is received now, and holds the thread, where {@link #isReceived}
     * did not see the request.
     *
     * @throws RefusedException it was cut off, or stalled
     */
    RequestBody body(HttpServletRequest request) throws IOException {
        if (request.getAttribute(BODY) instanceof RequestBody received) {
            return received;
        }
        RequestBody body = new RequestBody(limits);
        try {
            byte[] piece = new byte[PIECE_BYTES];
            InputStream in = request.getInputStream();
            for (int read = read(in, piece); read >= 0 && !isFarTooLarge(body); read = read(in, piece)) {
                body.add(piece, read);
            }
            return body;
        } catch (RuntimeException e) {
            body.close();
            throw e;
        }
    }

    private static int read(InputStream in, byte[] piece) {
        try {
            return in.read(piece);
        } catch (IOException e) {
            throw new RefusedException(unreadable(e));
        }
    }

    /** Whether the rest of a body that is too large is not worth to be waited for. */
    private boolean isFarTooLarge(RequestBody body) {
        return body.size() / 2 > limits.bodyBytes();
    }

    private static Answer unreadable(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return tooSlow();
            }
        }
        return Answer.request("the body can't be read: it was cut off");
    }

    private static Answer tooSlow() {
        return Answer.error(408, "limit", "the body did not come in time; send it again");
    }

    /** One body that is on its way. The server calls one method at a time. */
    private final class Reception implements ReadListener, AsyncListener {
        private final AsyncContext async;
        private final ServletInputStream in;
        private final RequestBody body = new RequestBody(limits);
        private boolean answered;

        Reception(AsyncContext async, ServletInputStream in) {
            this.async = async;
            this.in = in;
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
            refuse(unreadable(failure));
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            refuse(tooSlow());
        }

        /** Answers a request of whose body there may be more, so that the connection can't be used on. */
        private void refuse(Answer answer) {
            if (answered) {
                return;
            }
            answered = true;
            try {
                body.close();
                HttpServletResponse response = (HttpServletResponse) async.getResponse();
                response.setHeader("Connection", "close");
                answer.send(response);
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
            // this body is all that there is to wait for
        }
    }
}
