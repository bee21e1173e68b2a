package io.jellybridge.convert;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A part of some work, by a thread of its own beside the one that does the rest. */
final class Beside<T> {
    private static final int MILLIS_BETWEEN_LOOKS = 50;
    /** For one who is told to end; who waits for a pipe, say, may not hear it. */
    private static final int SECONDS_TO_END = 5;

    private final FutureTask<T> task;
    private final Thread thread;

    /** What is done while it is waited for; what it throws ends that. */
    interface Look {
        void look() throws IOException;
    }

    /** What becomes of a result that nobody wants any more. */
    interface Disposal<T> {
        void dispose(T result) throws IOException;
    }

    /** Begins it. */
    Beside(String name, Callable<T> work) {
        task = new FutureTask<>(work);
        thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits for it.
     *
     * @throws IOException      or a RuntimeException or Error: what it ended with
     */
    T result(Look look) throws IOException {
        while (true) {
            try {
                return task.get(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                look.look();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            } catch (ExecutionException e) {
                throw failure(e.getCause());
            }
        }
    }

    private static IOException failure(Throwable cause) {
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return cause instanceof IOException e ? e : new IOException(cause);
    }

    /** Tells it to end and waits a little for that; {@code disposal} takes its result, where it has one all the same. */
    void end(Disposal<T> disposal) throws IOException {
        thread.interrupt();
        try {
            disposal.dispose(task.get(SECONDS_TO_END, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // it has no result, and what ended the work is the error to show
        }
    }
}
