package io.jellybridge.jena.apply;

/** Receives the progress of long work now and then. */
@FunctionalInterface
public interface ProgressListener {

    /** Ignores the progress. */
    ProgressListener NONE = rows -> { };

    /**
     * Receives the progress of the work. An exception of this method ends the work, and rolls back its transaction.
     *
     * @param rows the number of rows so far, of all patches together
     */
    void progress(long rows);

    /**
     * Receives the progress of reading patches, in any pass. A check alone takes time too, and an exception ends it as in
     * {@link #progress}.
     *
     * @param rows the number of rows that this pass has read so far
     */
    default void reading(long rows) {
        // optional
    }

    /**
     * Receives the beginning of a phase of the work.
     *
     * @param name the name, a verb such as {@code apply}
     * @param rows the number of rows that the phase will do, or 0 if it is not known
     */
    default void phase(String name, long rows) {
        // optional
    }
}
