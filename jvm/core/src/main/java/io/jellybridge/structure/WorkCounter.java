package io.jellybridge.structure;

/** A counter of work, for limits that are the same on every machine. It counts the visited slots of statements. */
final class WorkCounter {
    private long done;

    void add(long count) {
        done += count;
    }

    long done() {
        return done;
    }
}
