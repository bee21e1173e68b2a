package io.jellybridge.sync;

/**
 * How a source is followed.
 *
 * @param key          the IRI of the source's position in the dataset, without angle brackets
 * @param dryRun       find out what would be applied, and apply nothing
 * @param batchRows    a transaction ends with the patch that makes it this long, in change rows, or
 * @param batchBytes   this long, in bytes as stored; a patch is never divided
 * @param batchSeconds transactions are made shorter when the dataset takes longer than this for one
 * @param netEffect    of each quad of a transaction, apply the last operation only
 */
public record SyncOptions(String key, boolean dryRun, long batchRows, long batchBytes, double batchSeconds,
        boolean netEffect) {

    /** The key, unless told otherwise. */
    public static final String LOG = "urn:jellybridge:log";

    /** @throws IllegalArgumentException a size is not positive; the message names it */
    public SyncOptions {
        check("batchRows", batchRows);
        check("batchBytes", batchBytes);
        check("batchSeconds", batchSeconds);
    }

    private static void check(String option, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(option + "=" + value + ": must be greater than 0");
        }
    }
}
