package io.jellybridge.spark.log;

import io.jellybridge.codec.Io;
import io.jellybridge.log.PatchLog;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.log.PatchLogPartitionReader.PatchLogPartition;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadMaxFiles;
import org.apache.spark.sql.connector.read.streaming.SupportsAdmissionControl;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.types.StructType;

/** A log as a streaming source. An offset is a version with the id of its patch, which the log must still have. */
public final class PatchLogStream implements MicroBatchStream, SupportsAdmissionControl, SupportsTriggerAvailableNow {
    private final PatchLogOptions options;
    private final PartitionReaderFactory readers;
    private final Io.Function<PatchLog, PatchLogOffset> start;
    private final PatchLog log;
    /** The last version of an AvailableNow run. */
    private long end = Long.MAX_VALUE;

    PatchLogStream(PatchLogOptions options, PartitionReaderFactory readers) {
        this(options, readers, log -> options.startOffset(log, Long.MAX_VALUE));
    }

    private PatchLogStream(PatchLogOptions options, PartitionReaderFactory readers, Io.Function<PatchLog, PatchLogOffset> start) {
        this.options = options;
        this.readers = readers;
        this.start = start;
        this.log = SparkCall.unchecked(() -> options.open());
    }

    /**
     * Creates a stream of rows that are derived from change rows.
     *
     * @param options the options of the source {@code rdf-patch-log}
     * @param first   finds the first version; not called if the stream goes on from a checkpoint
     * @param columns the required columns of change rows
     * @param made    wraps the factory of readers of change rows
     */
    public static PatchLogStream of(Map<String, String> options, Io.Function<PatchLog, Long> first, StructType columns,
            UnaryOperator<PartitionReaderFactory> made) {
        PatchLogOptions given = PatchLogOptions.of(options);
        return new PatchLogStream(given, made.apply(new PatchLogPartitionReader.Factory(given, columns)),
                log -> PatchLogOffset.at(log, first.apply(log) - 1));
    }

    @Override
    public Offset initialOffset() {
        return SparkCall.unchecked(() -> start.apply(log));
    }

    @Override
    public Offset deserializeOffset(String json) {
        return PatchLogOffset.of(json);
    }

    @Override
    public void prepareForTriggerAvailableNow() {
        end = SparkCall.unchecked(() -> log.head().version());
    }

    @Override
    public ReadLimit getDefaultReadLimit() {
        return options.maxPatchesPerTrigger() >= Integer.MAX_VALUE
                ? ReadLimit.allAvailable() : ReadLimit.maxFiles((int) options.maxPatchesPerTrigger());
    }

    @Override
    public Offset latestOffset(Offset start, ReadLimit limit) {
        PatchLogOffset from = toOffset(start);
        return SparkCall.unchecked(() -> {
            from.checkHistory(log); // once per batch; readers check that its first patch follows
            long head = Math.min(end, log.head().version());
            long most = limit instanceof ReadMaxFiles patches ? from.version() + patches.maxFiles() : head;
            long last = Math.min(head, most);
            return last <= from.version() ? from : PatchLogOffset.at(log, last).since(from);
        });
    }

    @Override
    public Offset latestOffset() {
        throw new UnsupportedOperationException("Spark asks for the latest offset with a limit");
    }

    @Override
    public Offset reportLatestOffset() {
        return SparkCall.unchecked(() -> PatchLogOffset.at(log, log.head().version()));
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset last) {
        PatchLogOffset end = toOffset(last);
        // Spark does not store where its first batch began. To repeat it, it asks for an initial offset of the log as it is then.
        PatchLogOffset begin = toOffset(end.begin() == null ? start : end.begin());
        return SparkCall.unchecked(() -> PatchLogPartition.cut(log, options, begin, end.version()));
    }

    /** Converts Spark's offset, and checks that it belongs to this log. */
    private PatchLogOffset toOffset(Offset offset) {
        PatchLogOffset ours = offset instanceof PatchLogOffset same ? same : PatchLogOffset.of(offset.json());
        SparkCall.run(() -> ours.checkLog(log));
        return ours;
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return readers;
    }

    /** Returns the name in the progress of a streaming query. */
    @Override
    public String toString() {
        return PatchLogTableProvider.SHORT_NAME + " " + log.name();
    }

    @Override
    public void commit(Offset last) {
        // a log keeps its patches
    }

    @Override
    public void stop() {
        SparkCall.run(log::close);
    }
}
