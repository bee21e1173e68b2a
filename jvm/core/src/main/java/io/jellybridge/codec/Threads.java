package io.jellybridge.codec;

import java.io.IOException;

/** Makes threads, and passes on their failures. */
public final class Threads {

    private Threads() {
    }

    /** Returns a thread that does not keep the process alive. It is not started yet. */
    public static Thread newDaemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the failure of another thread as an {@link IOException}. A {@link RuntimeException} or {@link Error} is thrown. */
    public static IOException toFailure(Throwable cause) {
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return cause instanceof IOException e ? e : new IOException(cause);
    }
}
