package io.jellybridge.spark.log;

import io.jellybridge.log.PatchLog;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.ChangeMetrics;
import io.jellybridge.spark.PrunedScan;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.log.PatchLogPartitionReader.PatchLogPartition;
import java.io.IOException;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;

/** A scan of a range of versions of a log, in batch or streaming. */
final class PatchLogScan extends PrunedScan implements Batch, SupportsReportStatistics {
    private final PatchLogOptions options;
    private ScanSize size;

    PatchLogScan(PatchLogOptions options) {
        super(PatchLogTableProvider.SHORT_NAME + " " + options.address(), ChangeColumn.SCHEMA);
        this.options = options;
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
        return SparkCall.unchecked(() -> {
            try (PatchLog log = options.open()) {
                long last = Math.min(options.endingVersion(), log.head().version());
                return PatchLogPartition.cut(log, options, options.startOffset(log, options.endingVersion()), last);
            }
        });
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new PatchLogPartitionReader.Factory(options, readSchema());
    }
}
