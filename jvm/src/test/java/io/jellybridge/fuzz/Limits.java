package io.jellybridge.fuzz;

import com.sun.management.ThreadMXBean;
import io.jellybridge.codec.ReadOptions;
import java.lang.management.ManagementFactory;

/** Limits that an input can reach: then the fuzzer finds out whether they hold. */
final class Limits {
    static final int MAX_BYTES = 1 << 16;
    static final ReadOptions TOLERANT = new ReadOptions(false, MAX_BYTES, 1024, 256, 64, 16);
    static final ReadOptions STRICT = TOLERANT.withStrict(true);
    /** What an input of {@link #MAX_BYTES} may make a reader allocate; terms are text, and repeated ones are shared. */
    private static final long MAX_ALLOCATION = 256L << 20;

    private Limits() {
    }

    /** Runs what reads one input; more allocation than its size explains is a finding. */
    static void check(Runnable reading) {
        if (allocationOf(reading) > MAX_ALLOCATION) {
            // Once more: the first run may have loaded classes, and the fuzzer has instrumented them.
            long used = allocationOf(reading);
            if (used > MAX_ALLOCATION) {
                throw new AssertionError("allocated " + used + " bytes for one input");
            }
        }
    }

    private static long allocationOf(Runnable reading) {
        long before = allocated();
        reading.run();
        return allocated() - before;
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
