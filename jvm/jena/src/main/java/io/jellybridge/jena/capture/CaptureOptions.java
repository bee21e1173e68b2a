package io.jellybridge.jena.capture;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.log.CaptureWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The options of a capture.
 *
 * @param effectiveOnly record only rows with an effect, so that the log can be undone; otherwise also additions of existing
 *                      quads and deletions of missing ones
 * @param recordAborted record aborted transactions too, as patches that end with {@code TA}
 * @param rotation      the limits at which a file of a folder ends
 * @param fsync         wait at each commit until its patch is on the disk, so that it survives a power failure; otherwise it
 *                      survives only a failure of the process. For a folder
 * @param positionKey   the IRI under which the dataset stores the id of its last patch, see {@link StoredPosition}, so that log
 *                      and dataset can be reconciled after a crash; null to store none. For a folder
 * @param writeOptions  the sizes of frames in each file
 * @param start         the first patch of a capture; other values than {@link Start#CHANGES} require the position
 * @param headers       headers of each patch, texts by their names
 */
public record CaptureOptions(
        boolean effectiveOnly,
        boolean recordAborted,
        CaptureWriter.Rotation rotation,
        boolean fsync,
        String positionKey,
        WriteOptions writeOptions,
        Start start,
        Map<String, String> headers) {

    /** The first patch of a capture into a folder. */
    public enum Start {
        /** The first change. A new log lacks what the dataset held before. The log of another dataset is refused. */
        CHANGES,
        /** The whole dataset, if the log is empty, so that the log alone makes a replica. Another log is refused. */
        WHOLE,
        /**
         * As {@link #WHOLE}. In a log with another state than the dataset, the patch that takes it to that of the dataset. Each
         * start reads the whole log. A dataset in memory continues its log with it, after each restart of its process.
         */
        RESET;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The options of each file. The log can hold everything that a dataset can store, and nothing else. */
    static final PatchOptions STREAM = PatchOptions.DEFAULT.withRdfStar(true);

    /** The default key of a capture's position. */
    public static final String POSITION_KEY = "urn:jellybridge:capture";

    /** The default: every change of committed transactions, files of 64 MiB or ten seconds, fsync, with the position. */
    public static final CaptureOptions DEFAULT = new CaptureOptions(false, false,
            new CaptureWriter.Rotation(64 << 20, Long.MAX_VALUE, 10_000), true, POSITION_KEY, WriteOptions.DEFAULT,
            Start.CHANGES, Map.of());

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException streams with these options can't hold every change; the message names the required ones
     */
    public CaptureOptions {
        Objects.requireNonNull(writeOptions, "writeOptions");
        if (!writeOptions.delimited()) {
            throw new IllegalArgumentException("delimited=false: the frames of a capture are delimited, since it has many patches");
        }
        if (start != Start.CHANGES && positionKey == null) {
            throw new IllegalArgumentException("start=" + start + " without a position, by which the next start knows that the "
                    + "log has the whole dataset; name the key of a position");
        }
        if (writeOptions.restartBytes() == 0) {
            // Each patch begins with a restart point, which separates it from the others in a file.
            writeOptions = writeOptions.withRestartBytes(Integer.MAX_VALUE);
        }
    }

    public CaptureOptions withEffectiveOnly(boolean on) {
        return new CaptureOptions(on, recordAborted, rotation, fsync, positionKey, writeOptions, start, headers);
    }

    public CaptureOptions withRecordAborted(boolean on) {
        return new CaptureOptions(effectiveOnly, on, rotation, fsync, positionKey, writeOptions, start, headers);
    }

    public CaptureOptions withRotation(CaptureWriter.Rotation when) {
        return new CaptureOptions(effectiveOnly, recordAborted, when, fsync, positionKey, writeOptions, start, headers);
    }

    public CaptureOptions withFsync(boolean on) {
        return new CaptureOptions(effectiveOnly, recordAborted, rotation, on, positionKey, writeOptions, start, headers);
    }

    /**
     * Returns the same options with another key of the position.
     *
     * @param key the key; null to store no position
     */
    public CaptureOptions withPosition(String key) {
        return new CaptureOptions(effectiveOnly, recordAborted, rotation, fsync, key, writeOptions, start, headers);
    }

    public CaptureOptions withWriteOptions(WriteOptions cut) {
        return new CaptureOptions(effectiveOnly, recordAborted, rotation, fsync, positionKey, cut, start, headers);
    }

    public CaptureOptions withStart(Start first) {
        return new CaptureOptions(effectiveOnly, recordAborted, rotation, fsync, positionKey, writeOptions, first, headers);
    }

    public CaptureOptions withHeaders(Map<String, String> texts) {
        return new CaptureOptions(effectiveOnly, recordAborted, rotation, fsync, positionKey, writeOptions, start,
                Collections.unmodifiableMap(new LinkedHashMap<>(texts)));
    }
}
