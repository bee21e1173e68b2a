package io.jellybridge.http;

import java.io.InterruptedIOException;
import java.io.Serializable;

/** The time that retries and leases go by. Tests pass one that does not wait. */
public interface Ticker extends Serializable {

    /** Returns the nanoseconds since some fixed moment. */
    long nanos();

    /** Waits for so many milliseconds. */
    void sleep(long millis) throws InterruptedIOException;

    /** The machine's own time. */
    enum System implements Ticker {
        TIME;

        @Override
        public long nanos() {
            return java.lang.System.nanoTime();
        }

        @Override
        public void sleep(long millis) throws InterruptedIOException {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting");
            }
        }
    }
}
