package io.jellybridge.spark.dataset;

import io.jellybridge.http.Redaction;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.log.ScanSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A log at one version, as a table of quads. The version is resolved when the table is created. */
public final class DatasetTable implements SupportsRead {
    private final LogDataset dataset;
    private final long version;

    private DatasetTable(LogDataset dataset, long version) {
        this.dataset = dataset;
        this.version = version;
    }

    /** A choice of a version of a log. */
    @FunctionalInterface
    public interface AsOf {
        long version(PatchLog log) throws IOException;

        /** Selects the head. */
        static AsOf head() {
            return log -> log.head().version();
        }

        /** Selects a version by its number or the id of its patch. */
        static AsOf version(String text) {
            return log -> LogVersions.of(log, text);
        }

        /** Selects the last version at a time. */
        static AsOf time(Instant time) {
            return log -> LogTimes.of(log).at(time);
        }
    }

    /**
     * Resolves a version of a log.
     *
     * @param server the connection options of a log on a server
     * @throws IllegalArgumentException the log has no such version
     * @throws IOException              there is no such log, or it can't be read
     */
    public static DatasetTable of(String address, Map<String, String> server, AsOf asOf) throws IOException {
        LogDataset dataset = new LogDataset(address, server);
        try (PatchLog log = dataset.open()) {
            return new DatasetTable(dataset, asOf.version(log));
        }
    }

    @Override
    public String name() {
        return DatasetTableProvider.SHORT_NAME + " " + Redaction.address(dataset.address()) + " version " + version;
    }

    @Override
    @Deprecated
    public StructType schema() {
        return StatementColumns.QUADS;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return EnumSet.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
        return new FrameScanBuilder(name(), StatementColumns.QUADS, this::quads, null, this::size);
    }

    private ScanSize size() {
        try {
            return dataset.size(version);
        } catch (IOException | IllegalStateException e) {
            return ScanSize.UNKNOWN; // the scan itself says what is wrong
        }
    }

    private Dataset<Row> quads(SparkSession spark) {
        try {
            return dataset.state(spark, version);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
