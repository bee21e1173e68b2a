package io.jellybridge.jena.apply;

/** Hears from long work now and then. */
@FunctionalInterface
public interface ProgressListener {

    /** Hears nothing. */
    ProgressListener NONE = rows -> { };

    /**
     * Hears how far the work is. What this throws ends it, and rolls the transaction back that is under way.
     *
     * @param rows how many rows were done so far, of all patches together
     */
    void progress(long rows);

    /**
     * Hears that patches are being read, in whatever pass: what only checks them takes its time too, and can be ended here
     * as by {@link #progress}.
     *
     * @param rows how many rows of this pass were read so far
     */
    default void reading(long rows) {
        // for those who want to know
    }
}
