package io.jellybridge.http;

import io.jellybridge.http.HttpOptions.Ticker;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A ticker whose time is the test's. */
public final class TestTicker implements Ticker {
    private static final long serialVersionUID = 1L;
    private static final long MOST_MILLIS = 60_000;

    private final Duration longestJump;
    private final List<Duration> slept = new CopyOnWriteArrayList<>();
    private long nanos;
    private int sleepers;

    private TestTicker(Duration longestJump) {
        this.longestJump = longestJump;
    }

    /** Returns one whose time jumps to the end of each sleep, so that nobody waits. */
    public static TestTicker jumping() {
        return jumpingUpTo(Duration.ofDays(1));
    }

    /** Returns one whose time jumps to the end of short sleeps. Whoever sleeps longer waits for {@link #advance}. */
    public static TestTicker jumpingUpTo(Duration longest) {
        return new TestTicker(longest);
    }

    /** Returns how long each sleep was to take, in their order. */
    public List<Duration> slept() {
        return slept;
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    /** Moves the time, and wakes whoever has slept enough. */
    public synchronized void advance(Duration time) {
        nanos += time.toNanos();
        notifyAll();
    }

    /** Waits until somebody waits for {@link #advance}. */
    public synchronized void awaitSleeper() {
        try {
            for (long end = java.lang.System.currentTimeMillis() + MOST_MILLIS; sleepers == 0; wait(100)) {
                if (java.lang.System.currentTimeMillis() > end) {
                    throw new AssertionError("nobody sleeps");
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public synchronized void sleep(long millis) throws InterruptedIOException {
        slept.add(Duration.ofMillis(millis));
        long end = nanos + Duration.ofMillis(millis).toNanos();
        if (millis <= longestJump.toMillis()) {
            nanos = end;
        }
        sleepers++;
        notifyAll();
        try {
            while (end - nanos > 0) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            sleepers--;
        }
    }
}
