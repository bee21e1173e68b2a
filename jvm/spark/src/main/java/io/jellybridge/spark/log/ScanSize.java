package io.jellybridge.spark.log;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.read.Statistics;

/**
 * The estimated size of a scan, by which Spark decides whether a join broadcasts it.
 *
 * @param sizeInBytes the size of the rows in memory; empty if it is not known
 * @param numRows     the number of rows; empty if it is not known
 */
public record ScanSize(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {
    /** No size is known, so nothing is broadcast. */
    public static final ScanSize UNKNOWN = new ScanSize(OptionalLong.empty(), OptionalLong.empty());

    /** The rows in memory take about so many times the bytes of Jelly. */
    private static final long EXPANSION = 8;

    /** Returns the size of the quads of a checkpoint. */
    public static ScanSize of(Checkpoint checkpoint) {
        return new ScanSize(OptionalLong.of(checkpoint.bytes() * EXPANSION), OptionalLong.of(checkpoint.quads()));
    }

    /**
     * Returns the size of a range of versions, by the objects of the log. Of a log over gRPC it is not known.
     *
     * @param server the connection options of the log's server; null for a folder
     */
    public static ScanSize of(String address, HttpOptions server, long from, long to) {
        try {
            long bytes = StoreLog.countBytes(PatchLogs.store(address, server), from, to);
            return new ScanSize(OptionalLong.of(bytes * EXPANSION), OptionalLong.empty());
        } catch (IOException | IllegalArgumentException e) {
            return UNKNOWN; // the scan itself says what is wrong
        }
    }

    /**
     * Returns the size of a checkpoint and the patches after it, up to a version.
     *
     * @param server the connection options of the log's server; null for a folder
     * @param begin  null for all patches up to the version
     */
    public static ScanSize of(String address, HttpOptions server, Checkpoint begin, long to) {
        if (begin == null) {
            return of(address, server, 1, to);
        }
        return begin.version() == to ? of(begin) : of(begin).and(of(address, server, begin.version() + 1, to));
    }

    /** Returns the size of both; the number of rows is that of neither. */
    private ScanSize and(ScanSize other) {
        return sizeInBytes.isEmpty() || other.sizeInBytes.isEmpty() ? UNKNOWN
                : new ScanSize(OptionalLong.of(sizeInBytes.getAsLong() + other.sizeInBytes.getAsLong()), OptionalLong.empty());
    }
}
