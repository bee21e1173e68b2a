package io.jellybridge.convert;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.Threads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A background task in a thread of its own. */
final class BackgroundTask<T> {
    private static final int MILLIS_BETWEEN_POLLS = 50;
    /** The time to wait for a cancelled task. A task that waits for a pipe, for example, may not react. */
    private static final int SECONDS_TO_END = 5;

    private final FutureTask<T> task;
    private final Thread thread;

    /** Starts the task. */
    BackgroundTask(String name, Callable<T> work) {
        task = new FutureTask<>(work);
        thread = Threads.newDaemon(task, name);
        thread.start();
    }

    /**
     * Waits for the result.
     *
     * @throws IOException the exception of the task; a RuntimeException or Error of it is thrown too
     */
    T awaitResult(Io.Action poll) throws IOException {
        while (true) {
            try {
                return task.get(MILLIS_BETWEEN_POLLS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                poll.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            } catch (ExecutionException e) {
                throw Threads.toFailure(e.getCause());
            }
        }
    }

    /** Cancels the task and waits a short time for its end. If it has a result all the same, {@code disposal} receives it. */
    void end(Io.Consumer<T> disposal) throws IOException {
        thread.interrupt();
        try {
            disposal.accept(task.get(SECONDS_TO_END, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // there is no result, and the exception that ended the work is the one to show
        }
    }
}
