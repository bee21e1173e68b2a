package io.jellybridge.http;

import java.io.InterruptedIOException;
import java.io.Serializable;

/** The clock of retries and leases. Tests use one that does not wait. */
public interface Ticker extends Serializable {

    /** Returns the nanoseconds since a fixed moment. */
    long nanos();

    /** Waits for the given milliseconds. */
    void sleep(long millis) throws InterruptedIOException;

    /** The clock of the machine. */
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
