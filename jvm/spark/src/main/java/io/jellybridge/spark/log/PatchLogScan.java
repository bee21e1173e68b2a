package io.jellybridge.spark.log;

import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.ChangeMetrics;
import io.jellybridge.spark.PrunedScan;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.log.PatchLogPartitionReader.PatchLogPartition;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import scala.Option;

/** A scan of a range of versions of a log, in batch or streaming. */
final class PatchLogScan extends PrunedScan implements Batch, SupportsReportStatistics {
    private static final Map<QueryPlanningTracker, PlannedReads> PLANNED = Collections.synchronizedMap(new WeakHashMap<>());

    private final PatchLogOptions options;
    private final PlannedReads planned;
    private ScanSize size;

    /** Creates a scan for the query that Spark is planning in this thread. */
    PatchLogScan(PatchLogOptions options) {
        super(PatchLogTableProvider.SHORT_NAME + " " + options.address(), ChangeColumn.SCHEMA);
        this.options = options;
        Option<QueryPlanningTracker> query = QueryPlanningTracker.get();
        this.planned = query.isEmpty() ? new PlannedReads() : PLANNED.computeIfAbsent(query.get(), one -> new PlannedReads());
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return ChangeMetrics.ofScan();
    }

    @Override
    public Statistics estimateStatistics() {
        if (size == null) {
            size = estimateSize();
        }
        return size;
    }

    private ScanSize estimateSize() {
        if (options.startingVersion() != PatchLogOptions.STATE) {
            return ScanSize.of(options.address(), options.server(), Math.max(options.startingVersion(), 1), options.endingVersion());
        }
        try (PatchLog log = options.open()) {
            return ScanSize.of(
                    options.address(), options.server(), log.findCheckpoint(options.endingVersion()), options.endingVersion());
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            return ScanSize.UNKNOWN; // the scan itself says what is wrong
        }
    }

    @Override
    public Batch toBatch() {
        if (options.startingVersion() == PatchLogOptions.LATEST) {
            throw new IllegalArgumentException("option 'startingVersion=latest' is for streams; give a version");
        }
        return this;
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
        if (options.endingVersion() < Long.MAX_VALUE) {
            throw new IllegalArgumentException("option '" + PatchLogOptions.ENDING_VERSION.name() + "' is for batch reads, and a "
                    + "stream has no end; leave it out");
        }
        return new PatchLogStream(options, createReaderFactory());
    }

    @Override
    public InputPartition[] planInputPartitions() {
        return planned.partitions.computeIfAbsent(options.range(), range -> SparkCall.unchecked(() -> {
            try (PatchLog log = options.open()) {
                return cut(log, planned.headOf(options.address(), log));
            }
        })).clone();
    }

    /**
     * Returns the partitions of this read of a log that had the given head.
     *
     * @throws IllegalArgumentException the log lacks a version that it must have
     */
    InputPartition[] cut(PatchLog log, long head) throws IOException {
        long last = options.exact() ? LogVersions.requireVersion(log, options.endingVersion())
                : Math.min(options.endingVersion(), head);
        // A checkpoint may have been made since, whose version is not read.
        long upTo = options.startingVersion() == PatchLogOptions.STATE ? last : options.endingVersion();
        return PatchLogPartition.cut(log, options, options.startOffset(log, upTo), last);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new PatchLogPartitionReader.Factory(options, readSchema());
    }

    /**
     * The versions of the logs that a query reads. A query reads a log in several scans, and adaptive execution plans a scan twice.
     * All of them must have the same versions, also if others append meanwhile.
     */
    private static final class PlannedReads {
        private final Map<String, Long> heads = new ConcurrentHashMap<>();
        private final Map<PatchLogOptions, InputPartition[]> partitions = new ConcurrentHashMap<>();

        private long headOf(String address, PatchLog log) {
            return heads.computeIfAbsent(address, one -> SparkCall.unchecked(() -> log.head().version()));
        }
    }
}
