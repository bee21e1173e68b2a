package io.jellybridge.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Writes the body of a response to a stream, up to a limit. It does not fetch more, but closes the connection. It works like
 * the subscribers of the JDK, but memory and disk never hold more than the limit.
 */
final class BodyWriter<T> implements BodySubscriber<T> {
    private final Sink<T> sink;
    private final CompletableFuture<T> body = new CompletableFuture<>();
    private Flow.Subscription subscription;
    private OutputStream out;
    private long left;

    /** The target of a body. */
    interface Sink<T> {

        /** Opens the target, empty. */
        OutputStream open() throws IOException;

        /** Returns the content, after the stream was closed. */
        T written() throws IOException;

        /** Converts a write error, so that it differs from a network error. */
        default IOException toFailure(IOException cause) {
            return cause;
        }

        /** Discards an incomplete content. */
        default void discard() {
            // the owner closes it
        }
    }

    /**
     * Creates a subscriber.
     *
     * @param limit the largest number of bytes to write
     */
    BodyWriter(Sink<T> sink, long limit) {
        this.sink = sink;
        this.left = limit;
    }

    /** Creates the error for a file that can't be written. */
    static FileSystemException ofFile(String name, IOException cause) {
        if (cause instanceof FileSystemException named) {
            return named;
        }
        FileSystemException named = new FileSystemException(name, null, cause.getMessage());
        named.initCause(cause);
        return named;
    }

    @Override
    public CompletionStage<T> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription response) {
        subscription = response;
        try {
            out = sink.open();
            response.request(1);
        } catch (IOException e) {
            fail(e);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        if (body.isDone()) {
            return;
        }
        try {
            for (ByteBuffer piece : pieces) {
                byte[] bytes = new byte[(int) Math.min(left, piece.remaining())];
                piece.get(bytes);
                out.write(bytes);
                left -= bytes.length;
                if (piece.hasRemaining()) {
                    subscription.cancel();
                    onComplete();
                    return;
                }
            }
            subscription.request(1);
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException cause) {
        subscription.cancel();
        onError(sink.toFailure(cause));
    }

    @Override
    public void onError(Throwable cause) {
        if (body.isDone()) {
            return;
        }
        close();
        sink.discard();
        body.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        try {
            out.close();
            body.complete(sink.written());
        } catch (IOException e) {
            body.completeExceptionally(sink.toFailure(e));
        }
    }

    private void close() {
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            // the earlier failure is the one to report
        }
    }
}
