package io.jellybridge.spark.dataset;

import static io.jellybridge.options.Option.ofText;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.RdfTableProvider;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.SparkOptions;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.dataset.LogDataset.AsOf;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The format {@code rdf-dataset}: reads the quads of a log at a version, and writes the initial content of an empty log, once.
 */
public final class DatasetTableProvider extends RdfTableProvider {
    static final String SHORT_NAME = "rdf-dataset";

    private static final Option<String> PATH =
            ofText("path", "an address", null, "where the log is; also the argument of `load`");
    // The names are those of Delta Lake and Iceberg.
    private static final Option<String> VERSION_AS_OF =
            ofText("versionAsOf", "a version", null, "the state after that version; without any of these, at the head");
    private static final Option<String> ID_AS_OF =
            ofText("idAsOf", "a UUID", null, "the state after the patch of that id");
    private static final Option<String> TIMESTAMP_AS_OF = ofText("timestampAsOf", "a time as Spark reads it", null,
            "the state at that time, by the headers `time` of the patches; without a zone, in the session's time zone");

    static final OptionTable TABLE = SparkOptions.tableOf(SHORT_NAME,
            OptionTable.join(List.of(PATH, VERSION_AS_OF, ID_AS_OF, TIMESTAMP_AS_OF), HttpOptions.OPTIONS), List.of(),
            Set.of());

    /** The options of tables in {@code JellyCatalog}. Spark handles them itself. */
    static final OptionTable OF_CATALOG = SparkOptions.tableOf("a table of the catalog, where versionAsOf takes an id too",
            List.of(VERSION_AS_OF, TIMESTAMP_AS_OF), List.of(), Set.of());

    /** Creates the provider. In a catalog it is for reading: the initial content of a log is written once, by format name. */
    public DatasetTableProvider() {
        super(SHORT_NAME, StatementColumns.QUADS, Set.of(TableCapability.BATCH_READ));
    }

    @Override
    protected Table tableOf(StructType schema, Map<String, String> options) {
        OptionValues given = TABLE.parseValues(options);
        String address = given.get(PATH);
        if (address == null) {
            throw new IllegalArgumentException(SHORT_NAME + " needs the log's address: load(\"…\"), save(\"…\"), or in SQL "
                    + "LOCATION '…'");
        }
        // A write is recognized by its columns, which Spark makes all nullable. The log need not exist then.
        if (!schema.equals(StatementColumns.QUADS)) {
            requireNone(given);
            return new BeginningTable(PatchLogs.folderOf(address).toAbsolutePath(), schema);
        }
        LogDataset log = new LogDataset(address, given.of(OptionTable.names(HttpOptions.OPTIONS)));
        return SparkCall.unchecked(() -> log.tableOf(asOf(given), TABLE));
    }

    /**
     * @throws IllegalArgumentException an option for reading is given
     */
    private static void requireNone(OptionValues given) {
        for (Option<?> option : TABLE.reading()) {
            if (option != PATH && given.has(option)) {
                throw new IllegalArgumentException("option '" + option.name() + "' of " + SHORT_NAME + " is for reading");
            }
        }
    }

    private static AsOf asOf(OptionValues given) {
        List<Option<String>> said = Stream.of(VERSION_AS_OF, ID_AS_OF, TIMESTAMP_AS_OF).filter(given::has).toList();
        if (said.isEmpty()) {
            return AsOf.head();
        }
        if (said.size() > 1) {
            throw new IllegalArgumentException("the options '" + said.get(0).name() + "' and '" + said.get(1).name() + "' of "
                    + SHORT_NAME + " each say which version is meant; give one of them");
        }
        String text = given.get(said.get(0));
        if (given.has(VERSION_AS_OF)) {
            return AsOf.versionOf(text);
        }
        return given.has(ID_AS_OF) ? log -> LogVersions.withId(log, text) : AsOf.timeOf(parseTime(text));
    }

    /**
     * @throws IllegalArgumentException the text is not a time
     */
    private static Instant parseTime(String text) {
        ZoneId zone = DateTimeUtils.getZoneId(SparkSession.active().conf().get("spark.sql.session.timeZone"));
        scala.Option<Object> micros = DateTimeUtils.stringToTimestamp(UTF8String.fromString(text), zone);
        if (micros.isEmpty()) {
            throw TIMESTAMP_AS_OF.refusalError(text, SHORT_NAME);
        }
        return Instant.EPOCH.plus((Long) micros.get(), ChronoUnit.MICROS);
    }

    /** A log without versions as a table of quads, which accepts the log's initial content. The log need not exist. */
    private static final class BeginningTable extends RdfTableProvider.StoreTable implements SupportsWrite {
        private final Path folder;

        /**
         * @param schema the schema to write
         * @throws IllegalArgumentException the columns are not those of quads, or the log is on a server
         */
        BeginningTable(Path folder, StructType schema) {
            super(DatasetTableProvider.SHORT_NAME + " " + folder, schema, Set.of(
                    TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.ACCEPT_ANY_SCHEMA));
            this.folder = folder;
            positionsOf(schema);
        }

        private static int[] positionsOf(StructType schema) {
            return StatementColumns.positionsToWrite(schema, StatementColumns.FRAMED_QUADS, DatasetTableProvider.SHORT_NAME, false);
        }

        /**
         * @throws IllegalArgumentException always, since a log that is read has its own columns
         */
        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
            throw ownColumnsError();
        }

        @Override
        public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
            return builderOf(() -> new InitialStateWrite(folder, info.schema(), positionsOf(info.schema())));
        }
    }
}
