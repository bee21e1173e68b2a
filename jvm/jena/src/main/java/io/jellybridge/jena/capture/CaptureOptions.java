package io.jellybridge.jena.capture;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.data.StoredPosition;
import java.util.Objects;

/**
 * What is captured, and how.
 *
 * @param effectiveOnly  record only what changes something, so that the log can be undone; else also adding what is
 *                       there and deleting what is not
 * @param recordAborted  record aborted transactions too, each a patch that ends with {@code TA}; else nothing of them
 * @param maxBytes       a file of a folder ends with the patch that makes it so large
 * @param maxPatches     or that is the so manieth in it
 * @param fsync          whether a commit waits until its patch is on the disk, and so outlives a power failure; else it
 *                       outlives a failure of the process. For a folder
 * @param positionKey    the IRI under which the dataset keeps the id of its last patch, see {@link StoredPosition}, so
 *                       that the log and the dataset are one again after a crash; null: it does not keep it. For a folder
 * @param patchOptions   the options of each file; triple terms are always on, and generalized statements off
 * @param writeOptions   how each file is cut into frames
 */
public record CaptureOptions(
        boolean effectiveOnly,
        boolean recordAborted,
        long maxBytes,
        long maxPatches,
        boolean fsync,
        String positionKey,
        PatchOptions patchOptions,
        WriteOptions writeOptions) {

    /** The key of a capture's position, unless told otherwise. */
    public static final String POSITION_KEY = "urn:jellybridge:capture";

    /** Every change of committed transactions; files of 64 MiB; on the disk; with the position. */
    public static final CaptureOptions DEFAULT = new CaptureOptions(false, false, 64 << 20, Long.MAX_VALUE, true,
            POSITION_KEY, PatchOptions.DEFAULT, WriteOptions.DEFAULT);

    /**
     * @throws IllegalArgumentException a limit is not positive, or the streams are none that every change fits into; the
     *                                  message says which do
     */
    public CaptureOptions {
        Objects.requireNonNull(patchOptions, "patchOptions");
        Objects.requireNonNull(writeOptions, "writeOptions");
        checkPositive("maxBytes", maxBytes);
        checkPositive("maxPatches", maxPatches);
        if (patchOptions.streamType() != StreamType.PUNCTUATED || !writeOptions.delimited()) {
            throw new IllegalArgumentException("a capture is a delimited PUNCTUATED stream, since only that holds many "
                    + "patches of any size; it was asked for " + (writeOptions.delimited() ? "" : "not delimited, ")
                    + patchOptions.streamType());
        }
        if (patchOptions.statementType() != StatementType.QUADS) {
            throw new IllegalArgumentException("a capture is a QUADS stream, since a dataset has named graphs");
        }
        if (patchOptions.maxDatatypeTableSize() == 0) {
            throw new IllegalArgumentException(
                    "maxDatatypeTableSize=0: a capture must be able to write typed literals");
        }
        // What a dataset may hold must always fit into its log, and no more.
        patchOptions = patchOptions.withRdfStar(true).withGeneralizedStatements(false);
    }

    private static void checkPositive(String option, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(option + "=" + value + ": must be at least 1");
        }
    }

    public CaptureOptions withEffectiveOnly(boolean on) {
        return new CaptureOptions(on, recordAborted, maxBytes, maxPatches, fsync, positionKey, patchOptions,
                writeOptions);
    }

    public CaptureOptions withRecordAborted(boolean on) {
        return new CaptureOptions(effectiveOnly, on, maxBytes, maxPatches, fsync, positionKey, patchOptions,
                writeOptions);
    }

    public CaptureOptions withFileLimits(long bytes, long patches) {
        return new CaptureOptions(effectiveOnly, recordAborted, bytes, patches, fsync, positionKey, patchOptions,
                writeOptions);
    }

    public CaptureOptions withFsync(boolean on) {
        return new CaptureOptions(effectiveOnly, recordAborted, maxBytes, maxPatches, on, positionKey, patchOptions,
                writeOptions);
    }

    /** @param key null: the dataset keeps no position */
    public CaptureOptions withPosition(String key) {
        return new CaptureOptions(effectiveOnly, recordAborted, maxBytes, maxPatches, fsync, key, patchOptions,
                writeOptions);
    }

    public CaptureOptions withStream(PatchOptions options, WriteOptions cut) {
        return new CaptureOptions(effectiveOnly, recordAborted, maxBytes, maxPatches, fsync, positionKey, options,
                cut);
    }
}
