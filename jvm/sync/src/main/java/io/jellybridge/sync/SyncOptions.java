package io.jellybridge.sync;

/**
 * Options for following a source.
 *
 * @param key          the IRI of the source's position in the dataset, without angle brackets
 * @param dryRun       true to report the pending changes without applying them
 * @param batchRows    the number of change rows that completes a transaction. A patch is never split
 * @param batchBytes   the number of stored bytes that completes a transaction
 * @param batchSeconds the longest time of a transaction. If the dataset takes longer, transactions are made shorter
 * @param netEffect    true to apply only the last operation of each quad in a transaction
 */
public record SyncOptions(String key, boolean dryRun, long batchRows, long batchBytes, double batchSeconds,
        boolean netEffect) {

    /** The default key. */
    public static final String LOG = "urn:jellybridge:log";

    /** The default: transactions of 100,000 change rows, 64 MiB or ten seconds, with all operations. */
    public static final SyncOptions DEFAULT = new SyncOptions(LOG, false, 100_000, 64 << 20, 10, false);

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException a size is not positive; the message names it
     */
    public SyncOptions {
        checkOption("batchRows", batchRows);
        checkOption("batchBytes", batchBytes);
        checkOption("batchSeconds", batchSeconds);
    }

    private static void checkOption(String option, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(option + "=" + value + ": must be greater than 0");
        }
    }
}
