package io.jellybridge.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Writes the body of an answer into a file. As that of the JDK, but that a fault of the file can be told from one of the
 * network: it is a {@link FileSystemException}, with the file's name.
 */
final class FileSubscriber implements BodySubscriber<Path> {
    private final Path file;
    private final CompletableFuture<Path> body = new CompletableFuture<>();
    private Flow.Subscription subscription;
    private FileChannel out;

    FileSubscriber(Path file) {
        this.file = file;
    }

    @Override
    public CompletionStage<Path> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription answer) {
        subscription = answer;
        try {
            out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING);
            answer.request(1);
        } catch (IOException e) {
            fail(e);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        try {
            for (ByteBuffer piece : pieces) {
                while (piece.hasRemaining()) {
                    out.write(piece);
                }
            }
            subscription.request(1);
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException cause) {
        subscription.cancel();
        body.completeExceptionally(cause instanceof FileSystemException ? cause : named(cause));
        close();
    }

    private FileSystemException named(IOException cause) {
        FileSystemException named = new FileSystemException(file.toString(), null, cause.getMessage());
        named.initCause(cause);
        return named;
    }

    @Override
    public void onError(Throwable cause) {
        close();
        body.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        try {
            out.close();
            body.complete(file);
        } catch (IOException e) {
            body.completeExceptionally(named(e));
        }
    }

    private void close() {
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            // the failure before it is the one to tell of
        }
    }
}
