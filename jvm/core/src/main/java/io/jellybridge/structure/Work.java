package io.jellybridge.structure;

/** How much was done, counted in places of statements that were looked at, so that it is the same on every machine. */
final class Work {
    private long done;

    void add(long count) {
        done += count;
    }

    long done() {
        return done;
    }
}
