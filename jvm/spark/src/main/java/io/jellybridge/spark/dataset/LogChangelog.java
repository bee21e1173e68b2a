package io.jellybridge.spark.dataset;

import io.jellybridge.codec.Op;
import io.jellybridge.http.Redaction;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchTimes;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.SparkOptions;
import io.jellybridge.spark.dataset.FrameTable.FrameScan;
import io.jellybridge.spark.log.PatchLogStream;
import io.jellybridge.spark.log.ScanSize;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.ChangelogContext.DeduplicationMode;
import org.apache.spark.sql.connector.catalog.ChangelogRange;
import org.apache.spark.sql.connector.catalog.ChangelogRange.TimestampRange;
import org.apache.spark.sql.connector.catalog.ChangelogRange.VersionRange;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The changes of a log between two versions. A row is a quad that a version inserted or deleted. Operations without effect are
 * left out.
 *
 * <p>Net changes are computed here and not by Spark. Spark requires that the columns which identify a row are not null, but the
 * graph of a quad may be null. Only Spark 4.2 and later load this class.
 */
public final class LogChangelog implements Changelog {
    private static final String PER_TRIGGER = "maxPatchesPerTrigger";
    /** The options of a read. Spark handles all but the first one itself. */
    private static final OptionTable OPTIONS = SparkOptions.tableOf("the changes of a log", Stream.of(PER_TRIGGER, "startingVersion",
            "endingVersion", "startingTimestamp", "endingTimestamp", "startingBoundInclusive", "endingBoundInclusive",
            "deduplicationMode", "computeUpdates").<Option<?>>map(name -> Option.ofText(name, "a text", null, "")).toList(),
            List.of(), Set.of());

    /** The first version if the log lacks it. A stream that goes on from its checkpoint does not need it. */
    private static final long UNKNOWN = -1;

    private final LogDataset dataset;
    private final ChangelogRange range;
    private final long from;
    private final long to;
    private final boolean net;

    private LogChangelog(LogDataset dataset, ChangelogRange range, long from, long to, boolean net) {
        this.dataset = dataset;
        this.range = range;
        this.from = from;
        this.to = to;
        this.net = net;
    }

    /**
     * Finds the changes for a query. The return type is Spark's interface and not this class. Otherwise loading the caller
     * would load this class too, whose interface older versions of Spark lack.
     *
     * @param server the connection options of a log on a server
     * @throws IllegalArgumentException the log lacks a named version
     * @throws IOException              there is no such log, or it can't be read
     */
    public static Changelog of(String address, Map<String, String> server, ChangelogContext context) throws IOException {
        LogDataset dataset = new LogDataset(address, server);
        try (PatchLog log = dataset.open()) {
            return new LogChangelog(dataset, context.range(), firstVersionOrUnknown(log, context.range()),
                    lastVersion(log, context.range()), context.deduplicationMode() == DeduplicationMode.NET_CHANGES);
        }
    }

    private static long firstVersionOrUnknown(PatchLog log, ChangelogRange range) throws IOException {
        try {
            return firstVersion(log, range);
        } catch (IllegalArgumentException e) {
            if (hasEnd(range)) {
                throw e;
            }
            return UNKNOWN;
        }
    }

    private static boolean hasEnd(ChangelogRange range) {
        return range instanceof VersionRange versions && versions.endingVersion().isPresent()
                || range instanceof TimestampRange times && times.endingTimestamp().isPresent();
    }

    private static long firstVersion(PatchLog log, ChangelogRange range) throws IOException {
        if (range instanceof VersionRange versions) {
            return Math.max(1, LogVersions.of(log, versions.startingVersion()) + (versions.startingBoundInclusive() ? 0 : 1));
        }
        return range instanceof TimestampRange times
                ? LogTimes.of(log).after(toInstant(times.startingTimestamp()), times.startingBoundInclusive()) : 1;
    }

    private static long lastVersion(PatchLog log, ChangelogRange range) throws IOException {
        if (range instanceof VersionRange versions && versions.endingVersion().isPresent()) {
            return LogVersions.of(log, versions.endingVersion().get()) - (versions.endingBoundInclusive() ? 0 : 1);
        }
        return range instanceof TimestampRange times && times.endingTimestamp().isPresent()
                ? LogTimes.of(log).before(toInstant(times.endingTimestamp().get()), times.endingBoundInclusive())
                : log.head().version();
    }

    private static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public String name() {
        return "changes of " + Redaction.redactAddress(dataset.address()) + (from == UNKNOWN ? "" : " from version " + from)
                + " to version " + to;
    }

    @Override
    public Column[] columns() {
        return Arrays.stream(LogDataset.CHANGES.fields())
                .map(field -> Column.create(field.name(), field.dataType(), field.nullable())).toArray(Column[]::new);
    }

    /** Returns false, since no rows are copied when other rows change. */
    @Override
    public boolean containsCarryoverRows() {
        return false;
    }

    /** Returns false. Spark asks because of net changes, which have one row per quad. */
    @Override
    public boolean containsIntermediateChanges() {
        return false;
    }

    /** Returns no columns, since the graph may be null, which Spark does not allow. */
    @Override
    public NamedReference[] rowId() {
        return new NamedReference[0];
    }

    /** Returns false, since a quad is inserted or deleted, but never updated. */
    @Override
    public boolean representsUpdateAsDeleteAndInsert() {
        return false;
    }

    /**
     * @throws IllegalArgumentException an option is unknown
     */
    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
        OPTIONS.parseValues(options.asCaseSensitiveMap());
        return new FrameScan(name(), LogDataset.CHANGES, spark -> dataset.readChanges(spark, requireFirst(), to, net),
                () -> openStream(options), () -> ScanSize.UNKNOWN);
    }

    /**
     * @throws IllegalArgumentException the log lacks the first version
     */
    private long requireFirst() throws IOException {
        if (from != UNKNOWN) {
            return from;
        }
        try (PatchLog log = dataset.open()) {
            return firstVersion(log, range);
        }
    }

    /**
     * Creates a stream of changes. Earlier states are not read, so each committed operation counts as a change.
     *
     * @throws IllegalArgumentException net changes are requested, or the range has an end
     */
    private PatchLogStream openStream(CaseInsensitiveStringMap options) {
        if (net) {
            throw new IllegalArgumentException(name() + ": net changes are those of a range that has an end; read it in "
                    + "batch, or take deduplicationMode=none");
        }
        if (hasEnd(range)) {
            throw new IllegalArgumentException(name() + ": a stream has no end; leave the end of the range out, or read it in "
                    + "batch");
        }
        Map<String, String> ofSource = new HashMap<>(dataset.server());
        if (options.containsKey(PER_TRIGGER)) {
            ofSource.put(PER_TRIGGER, options.get(PER_TRIGGER));
        }
        ofSource.put("path", dataset.address());
        ofSource.put("committedOnly", "true");
        return PatchLogStream.of(ofSource, this::requirePatch, ChangelogReader.ROWS, ChangelogReader.Factory::new);
    }

    /**
     * Returns the first version, which a new stream begins with.
     *
     * @throws IllegalArgumentException it is before the first patch, so a stream could not return it
     */
    private long requirePatch(PatchLog log) throws IOException {
        long version = requireFirst();
        if (version < log.first()) {
            throw new IllegalArgumentException(name() + ": version " + version + " is no patch that a stream could say, "
                    + "the first one is version " + log.first() + "; begin there, and read the state before it in batch");
        }
        return version;
    }

    /** A reader that converts change rows to rows of {@link LogDataset#CHANGES}, one for each addition or deletion. */
    private static final class ChangelogReader implements PartitionReader<InternalRow> {
        /** The required columns of change rows. */
        static final StructType ROWS = new StructType(new StructField[] {
                ChangeColumn.SCHEMA.apply("subject"), ChangeColumn.SCHEMA.apply("predicate"), ChangeColumn.SCHEMA.apply("object"),
                ChangeColumn.SCHEMA.apply("graph"), ChangeColumn.SCHEMA.apply("op"), ChangeColumn.SCHEMA.apply("patch"),
                ChangeColumn.SCHEMA.apply("name"), ChangeColumn.SCHEMA.apply("value")});
        private static final int QUAD = 4;
        private static final int OP = 4;
        private static final int PATCH = 5;
        private static final int NAME = 6;
        private static final int VALUE = 7;

        private static final UTF8String HEADER = ChangeColumn.toText(Op.H);
        private static final UTF8String TIME = UTF8String.fromString("time");
        private static final UTF8String ADD = ChangeColumn.toText(Op.A);
        private static final UTF8String DELETE = ChangeColumn.toText(Op.D);
        private static final UTF8String INSERTED = UTF8String.fromString("insert");
        private static final UTF8String DELETED = UTF8String.fromString("delete");

        private final PartitionReader<InternalRow> rows;
        private InternalRow change;
        private long patch = -1;
        /** The time of the patch in microseconds; null if it has none. */
        private Long time;

        private ChangelogReader(PartitionReader<InternalRow> rows) {
            this.rows = rows;
        }

        /**
         * A factory of these readers.
         *
         * @param rows creates the readers of change rows with the columns {@link #ROWS}
         */
        record Factory(PartitionReaderFactory rows) implements PartitionReaderFactory {

            @Override
            public PartitionReader<InternalRow> createReader(InputPartition partition) {
                return new ChangelogReader(rows.createReader(partition));
            }
        }

        @Override
        public boolean next() throws IOException {
            while (rows.next()) {
                InternalRow row = rows.get();
                if (row.getLong(PATCH) != patch) {
                    patch = row.getLong(PATCH);
                    time = null;
                }
                UTF8String op = row.getUTF8String(OP);
                if (op.equals(ADD) || op.equals(DELETE)) {
                    change = change(row, op.equals(ADD) ? INSERTED : DELETED);
                    return true;
                }
                if (op.equals(HEADER) && TIME.equals(row.getUTF8String(NAME))) {
                    Instant said = PatchTimes.of(row.getUTF8String(VALUE).getBytes());
                    time = said == null ? null : Long.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, said));
                }
            }
            return false;
        }

        private InternalRow change(InternalRow row, UTF8String type) {
            Object[] values = new Object[LogDataset.CHANGES.length()];
            for (int column = 0; column < QUAD; column++) {
                values[column] = row.isNullAt(column) ? null : row.getUTF8String(column);
            }
            values[QUAD] = type;
            values[QUAD + 1] = patch;
            values[QUAD + 2] = time;
            return new GenericInternalRow(values);
        }

        @Override
        public InternalRow get() {
            return change;
        }

        @Override
        public void close() throws IOException {
            rows.close();
        }
    }
}
