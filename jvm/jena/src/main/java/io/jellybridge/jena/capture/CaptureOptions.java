package io.jellybridge.jena.capture;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.log.LogWriter;
import java.util.Objects;

/**
 * What is captured, and how.
 *
 * @param effectiveOnly  record only what changes something, so that the log can be undone; else also adding what is
 *                       there and deleting what is not
 * @param recordAborted  record aborted transactions too, each a patch that ends with {@code TA}; else nothing of them
 * @param rotation       when a file of a folder ends
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
        LogWriter.Rotation rotation,
        boolean fsync,
        String positionKey,
        PatchOptions patchOptions,
        WriteOptions writeOptions) {

    /** The key of a capture's position, unless told otherwise. */
    public static final String POSITION_KEY = "urn:jellybridge:capture";

    /** Every change of committed transactions; files of 64 MiB or ten seconds; on the disk; with the position. */
    public static final CaptureOptions DEFAULT = new CaptureOptions(false, false,
            new LogWriter.Rotation(64 << 20, Long.MAX_VALUE, 10_000), true, POSITION_KEY, PatchOptions.DEFAULT,
            WriteOptions.DEFAULT);

    /**
     * @throws IllegalArgumentException the streams are none that every change fits into; the message says which do
     */
    public CaptureOptions {
        Objects.requireNonNull(patchOptions, "patchOptions");
        Objects.requireNonNull(writeOptions, "writeOptions");
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
        if (writeOptions.restartBytes() == 0) {
            // Each patch begins with one, by which it is told from the others in a file.
            writeOptions = writeOptions.withRestartBytes(Integer.MAX_VALUE);
        }
        // What a dataset may hold must always fit into its log, and no more.
        patchOptions = patchOptions.withRdfStar(true).withGeneralizedStatements(false);
    }

    public CaptureOptions withEffectiveOnly(boolean on) {
        return new CaptureOptions(on, recordAborted, rotation, fsync, positionKey, patchOptions, writeOptions);
    }

    public CaptureOptions withRecordAborted(boolean on) {
        return new CaptureOptions(effectiveOnly, on, rotation, fsync, positionKey, patchOptions, writeOptions);
    }

    public CaptureOptions withRotation(LogWriter.Rotation when) {
        return new CaptureOptions(effectiveOnly, recordAborted, when, fsync, positionKey, patchOptions, writeOptions);
    }

    public CaptureOptions withFsync(boolean on) {
        return new CaptureOptions(effectiveOnly, recordAborted, rotation, on, positionKey, patchOptions, writeOptions);
    }

    /** @param key null: the dataset keeps no position */
    public CaptureOptions withPosition(String key) {
        return new CaptureOptions(effectiveOnly, recordAborted, rotation, fsync, key, patchOptions, writeOptions);
    }

    public CaptureOptions withStream(PatchOptions options, WriteOptions cut) {
        return new CaptureOptions(effectiveOnly, recordAborted, rotation, fsync, positionKey, options, cut);
    }
}
