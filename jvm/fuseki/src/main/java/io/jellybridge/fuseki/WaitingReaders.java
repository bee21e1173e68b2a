package io.jellybridge.fuseki;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.Threads;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Requests that wait for a newer version of a log. No thread waits, and all requests of a log share each look at it, however many
 * they are.
 */
final class WaitingReaders {
    /** Several threads, since a look at a slow disk must not delay the readers of other logs. */
    private static final int THREADS = 4;
    private static final ScheduledExecutorService CLOCK = Executors.newScheduledThreadPool(THREADS,
            work -> Threads.newDaemon(work, "jellybridge waiting readers"));

    /** The requests by their logs. */
    private final Map<Object, List<Reader>> waiting = new HashMap<>();

    private record Reader(AsyncContext request, long after, long until) {

        boolean isOver(long newest) {
            return newest > after || System.nanoTime() - until >= 0;
        }

        void answer() {
            try {
                request.dispatch();
            } catch (IllegalStateException e) {
                // The connection is gone.
            }
        }
    }

    /**
     * Adds a request. It is dispatched again when the log has a newer version, when it can't be read, or when the time is over.
     *
     * @param log    identifies the log
     * @param look   looks at the log
     * @param millis the time between two looks
     * @param after  the newest version that the reader knows
     */
    void add(Object log, Io.Supplier<Long> look, long millis, AsyncContext request, long after, double seconds) {
        Reader reader = new Reader(request, after, System.nanoTime() + (long) (seconds * 1e9));
        synchronized (waiting) {
            List<Reader> others = waiting.get(log);
            if (others != null) {
                others.add(reader);
                return;
            }
            waiting.put(log, new ArrayList<>(List.of(reader)));
        }
        lookLater(log, look, millis);
    }

    private static long newestVersion(Io.Supplier<Long> look) {
        try {
            return look.get();
        } catch (IOException | RuntimeException | Error e) {
            return Long.MAX_VALUE; // the answers say why
        }
    }

    private void lookLater(Object log, Io.Supplier<Long> look, long millis) {
        CLOCK.schedule(() -> answerReaders(log, look, millis), millis, TimeUnit.MILLISECONDS);
    }

    private void answerReaders(Object log, Io.Supplier<Long> look, long millis) {
        long newest = newestVersion(look);
        List<Reader> over = new ArrayList<>();
        boolean isEmpty;
        synchronized (waiting) {
            List<Reader> readers = waiting.get(log);
            readers.removeIf(reader -> reader.isOver(newest) && over.add(reader));
            isEmpty = readers.isEmpty();
            if (isEmpty) {
                waiting.remove(log);
            }
        }
        if (!isEmpty) {
            lookLater(log, look, millis);
        }
        over.forEach(Reader::answer);
    }
}
