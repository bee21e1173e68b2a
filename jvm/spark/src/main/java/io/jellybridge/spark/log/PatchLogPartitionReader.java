package io.jellybridge.spark.log;

import io.jellybridge.checkpoint.CheckpointPatches;
import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.ChangeRows.ChangeRowHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogReader;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.ChangeMetrics;
import io.jellybridge.spark.HadoopFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;

/** A reader of the change rows of a range of versions. The row object is reused, as in Spark's own readers. */
final class PatchLogPartitionReader implements PartitionReader<InternalRow>, ChangeRowHandler<byte[]> {
    private final PatchLogOptions options;
    private final PatchLogPartition partition;
    private final int[] positions;
    private final UnsafeRowWriter writer;
    private PatchLog log;
    private LogReader entries;
    private PatchSource<byte[]> patch;
    private ChangeRows<byte[]> events;
    /** The transactions of the patch whose rows are left out. */
    private AbortedBlocks<byte[]> aborted;
    private Path fetched;
    private long version;
    private boolean hasRow;
    private long rows;
    private long patches;
    private long quarantined;

    PatchLogPartitionReader(PatchLogOptions options, PatchLogPartition partition, int[] positions, int width) {
        this.options = options;
        this.partition = partition;
        this.positions = positions;
        this.writer = new UnsafeRowWriter(width);
    }

    @Override
    public boolean next() throws IOException {
        if (log == null) {
            log = options.open();
            if (partition.isState()) {
                openState();
            } else {
                entries = open();
            }
        }
        hasRow = false;
        while (!hasRow) {
            if (patch == null && !openNext()) {
                return false;
            }
            if (!patch.next(events)) {
                patch.close();
                patch = null;
            }
        }
        return true;
    }

    private boolean openNext() throws IOException {
        LogEntry entry = entries == null ? null : entries.next();
        if (entry == null) {
            return false;
        }
        version = entry.version();
        aborted = new AbortedBlocks<>();
        if (options.committedOnly()) {
            try (PatchSource<byte[]> first = entry.open(new Utf8Terms())) {
                first.select(Selection.none());
                first.readAll(aborted);
            }
        }
        patch = entry.open(new Utf8Terms());
        patches++;
        events = new ChangeRows<>(patch, this);
        return true;
    }

    /** Opens a checkpoint as a patch. For a log on a server, fetches its files first. */
    private void openState() throws IOException {
        version = partition.from();
        Checkpoint state = log.findCheckpoint(version);
        if (state == null || state.version() != version) {
            throw new IOException(log.name() + " has no checkpoint of version " + version
                    + " any more, with which the read was to begin; begin anew");
        }
        fetched = Files.createTempDirectory("jellybridge-");
        aborted = new AbortedBlocks<>();
        patch = new CheckpointPatches(log.fetchFiles(state, fetched), true).open(new Utf8Terms());
        events = new ChangeRows<>(patch, this);
    }

    private LogReader open() throws IOException {
        PatchLogOptions.requirePlanned(log, partition.from(), partition.to());
        long head = log.head().version();
        if (head < partition.to()) {
            throw new IOException(log.name() + " ends with version " + head + " here, and had version " + partition.to()
                    + " when the read was planned; see that the driver and all executors have the same files, and that nobody "
                    + "takes patches away");
        }
        LogReader.Quarantine quarantine = options.quarantine() == null ? null : this::setAside;
        long before = partition.from() - 1;
        LogEntries range = log.fetch(partition.from(), partition.to());
        if (partition.after() != null || before == 0) {
            return new LogReader(range, before, partition.after(), partition.hash(), quarantine);
        }
        PatchHeader header = before < log.first() ? null : LogVersions.headerOf(log, before);
        return header != null && header.id() != null
                ? new LogReader(range, before, header.id(), header.hash(), quarantine) : new LogReader(range, quarantine);
    }

    private void setAside(LogEntry entry, RuntimeException reason) throws IOException {
        new QuarantineFolder(options.quarantine()).put(entry, reason);
        quarantined++;
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return ChangeMetrics.scannedMetrics(rows, patches, quarantined);
    }

    @Override
    public InternalRow get() {
        return writer.getRow();
    }

    @Override
    public void row(long ofPatch, long tx, long row, Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph,
            byte[] name, byte[] value) {
        if (aborted.contains(tx)) {
            return;
        }
        hasRow = true;
        rows++;
        writer.reset();
        writer.zeroOutNullBytes();
        writeColumn(ChangeColumn.PATCH, version);
        writeColumn(ChangeColumn.TX, tx);
        writeColumn(ChangeColumn.ROW, row);
        writeColumn(ChangeColumn.OP, ChangeColumn.toText(op).getBytes());
        writeColumn(ChangeColumn.SUBJECT, subject);
        writeColumn(ChangeColumn.PREDICATE, predicate);
        writeColumn(ChangeColumn.OBJECT, object);
        writeColumn(ChangeColumn.GRAPH, graph);
        writeColumn(ChangeColumn.NAME, name);
        writeColumn(ChangeColumn.VALUE, value);
    }

    /** Writes a number; -1 becomes null. */
    private void writeColumn(ChangeColumn column, long number) {
        int position = positions[column.ordinal()];
        if (position >= 0 && number >= 0) {
            writer.write(position, number);
        } else if (position >= 0) {
            writer.setNullAt(position);
        }
    }

    private void writeColumn(ChangeColumn column, byte[] text) {
        int position = positions[column.ordinal()];
        if (position >= 0 && text != null) {
            writer.write(position, text);
        } else if (position >= 0) {
            writer.setNullAt(position);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            close(patch);
            close(entries);
            if (fetched != null) {
                AtomicFolder.delete(fetched);
            }
        } finally {
            close(log);
        }
    }

    private static void close(Closeable opened) throws IOException {
        if (opened != null) {
            opened.close();
        }
    }

    /** A factory of readers, on the executors. */
    static final class Factory implements PartitionReaderFactory {
        private static final long serialVersionUID = 1L;

        private final PatchLogOptions options;
        /** The position of each {@link ChangeColumn} in the rows; -1 if it is not requested. */
        private final int[] positions;
        private final int width;

        Factory(PatchLogOptions options, StructType schema) {
            this.options = options;
            this.width = schema.length();
            this.positions = ChangeColumn.positionsOf(schema);
        }

        @Override
        public PartitionReader<InternalRow> createReader(InputPartition partition) {
            return new PatchLogPartitionReader(options, (PatchLogPartition) partition, positions, width);
        }
    }

    /** A quarantine that writes the reason for each patch to a file named by its version. The patch itself stays in the log. */
    private record QuarantineFolder(String folder) implements LogReader.Quarantine {

        @Override
        public void put(LogEntry patch, RuntimeException reason) throws IOException {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(folder, patch.version() + ".reason.txt");
            FileSystem files = file.getFileSystem(HadoopFiles.configuration());
            // A retried task writes the same file again.
            try (OutputStream out = files.create(file, true)) {
                out.write((patch.name() + ": " + reason.getMessage() + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /**
     * A range of versions that one task reads.
     *
     * @param from    the first version
     * @param to      the last version
     * @param after   the id of the patch before the first one; null if unknown, or if {@code from} is 1
     * @param hash    the hash of that patch in the chain, see {@link io.jellybridge.log.Chain#own}; null if unknown
     * @param isState true if the range is one version, which is read from a checkpoint
     */
    record PatchLogPartition(long from, long to, String after, String hash, boolean isState) implements InputPartition {

        /**
         * Splits the versions after an offset into ranges.
         *
         * @param last the last version
         * @throws IllegalArgumentException the log no longer has some of the patches
         */
        static InputPartition[] cut(PatchLog log, PatchLogOptions options, PatchLogOffset start, long last) throws IOException {
            List<InputPartition> ranges = new ArrayList<>();
            PatchLogOffset before = start;
            if (before.isState() && before.version() < last) {
                long state = before.version() + 1;
                ranges.add(new PatchLogPartition(state, state, null, null, true));
                before = PatchLogOffset.at(log, state);
            }
            PatchLogOptions.requirePlanned(log, before.version() + 1, last);
            String after = before.id();
            String hash = before.hash();
            long from = before.version() + 1;
            while (from <= last) {
                long to = last - from < options.patchesPerPartition() ? last : from + options.patchesPerPartition() - 1;
                ranges.add(new PatchLogPartition(from, to, after, hash, false));
                // All tasks read the history that the log has now, be another copy in its place when they run.
                PatchHeader end = to < last ? LogVersions.headerOf(log, to) : null;
                after = end == null ? null : end.id();
                hash = end == null ? null : end.hash();
                from = to + 1;
            }
            return ranges.toArray(InputPartition[]::new);
        }
    }
}
