package io.jellybridge.spark.sink;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.spark.PrunedScan;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.dataset.FrameRows;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.V1Scan;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.sources.IsNull;
import org.apache.spark.sql.sources.StringStartsWith;
import org.apache.spark.sql.sources.TableScan;

/**
 * A scan of a dataset. Spark pushes filters and a limit down to the dataset. It does not apply pushed filters again. The scan
 * reads the state at the moment when the first job of a plan starts.
 */
final class QuadScan extends PrunedScan implements SupportsPushDownFilters, SupportsPushDownLimit, V1Scan {
    private final JenaSinkOptions source;
    private QuadSelection selection = QuadSelection.ALL;

    QuadScan(JenaSinkOptions source) {
        super(source.name(), StatementColumns.QUADS);
        this.source = source;
    }

    /**
     * @return the filters that are not pushed down
     */
    @Override
    public Filter[] pushFilters(Filter[] filters) {
        keepPushed(Arrays.stream(filters).filter(filter -> WantedTerms.of(filter) != null).toArray(Filter[]::new));
        for (Filter filter : pushedFilters()) {
            selection = WantedTerms.and(selection, filter);
        }
        return Arrays.stream(filters).filter(filter -> WantedTerms.of(filter) == null).toArray(Filter[]::new);
    }

    @Override
    public boolean pushLimit(int limit) {
        selection = selection.withLimit(limit);
        return true;
    }

    /** Returns true, since Spark applies the limit again to the rows of all tasks. */
    @Override
    public boolean isPartiallyPushed() {
        return true;
    }

    @Override
    public <T extends BaseRelation & TableScan> T toV1TableScan(SQLContext context) {
        return FrameRows.relation(source.name(), context, readSchema(), new QuadSpool(context.sparkSession(), source, selection),
                source.name());
    }

    /** Converts Spark's filters to conditions on terms. */
    private static final class WantedTerms {

        private WantedTerms() {
        }

        /** Returns the condition of a filter; null if the filter is unknown. */
        static Wanted of(Filter filter) {
            if (filter instanceof EqualTo equal && equal.value() instanceof String value) {
                return Wanted.oneOf(Set.of(value));
            }
            if (filter instanceof EqualNullSafe equal && (equal.value() == null || equal.value() instanceof String)) {
                return equal.value() == null ? Wanted.NULL : Wanted.oneOf(Set.of((String) equal.value()));
            }
            if (filter instanceof In in
                    && Arrays.stream(in.values()).allMatch(value -> value == null || value instanceof String)) {
                // In SQL, nothing equals null.
                return Wanted.oneOf(Arrays.stream(in.values()).filter(Objects::nonNull).map(String.class::cast)
                        .collect(Collectors.toCollection(TreeSet::new)));
            }
            if (filter instanceof IsNull) {
                return Wanted.NULL;
            }
            if (filter instanceof IsNotNull) {
                return Wanted.TERM;
            }
            return filter instanceof StringStartsWith starts ? Wanted.startingWith(starts.value()) : null;
        }

        /** Adds a filter to a selection. The filter must be one that {@link #of} knows. */
        static QuadSelection and(QuadSelection selection, Filter filter) {
            Wanted asked = of(filter);
            String column = filter.references()[0].toLowerCase(Locale.ROOT);
            return new QuadSelection(and(selection.subject(), asked, column, "subject"),
                    and(selection.predicate(), asked, column, "predicate"), and(selection.object(), asked, column, "object"),
                    and(selection.graph(), asked, column, "graph"), selection.limit());
        }

        private static Wanted and(Wanted before, Wanted asked, String column, String name) {
            return column.equals(name) ? before.and(asked) : before;
        }
    }

    /**
     * A snapshot of a dataset's quads in a file, which tasks read. Only one process can open a store, but a task may run elsewhere,
     * later, or again. The file is written on first use. It is deleted when this object is garbage collected, or when the process
     * ends.
     */
    private static final class QuadSpool implements Supplier<Dataset<Row>> {
        private static final Cleaner CLEANER = Cleaner.create();
        private static final String SPOOLED_AS = "jelly";
        /** A term may be as long as the dataset has it. */
        private static final int UNLIMITED = Integer.MAX_VALUE;
        private static final WriteOptions CUT = new WriteOptions(WriteOptions.DEFAULT.frameRows(), true, UNLIMITED,
                WriteOptions.DEFAULT.restartBytes(), TermRules.ANY);
        private static final int BUFFER_BYTES = 1 << 16;

        private final SparkSession spark;
        private final JenaSinkOptions source;
        private final QuadSelection selection;

        QuadSpool(SparkSession spark, JenaSinkOptions source, QuadSelection selection) {
            this.spark = spark;
            this.source = source;
            this.selection = selection;
        }

        /**
         * @throws ReadFailedException the dataset can't be read, or the file can't be written
         */
        @Override
        public Dataset<Row> get() {
            Path folder = new Path(source.staging().stagingDir(), "jellybridge-read-" + UUID.randomUUID());
            Configuration hadoop = spark.sparkContext().hadoopConfiguration();
            try {
                FileSystem files = folder.getFileSystem(hadoop);
                files.deleteOnExit(folder);
                CLEANER.register(this, new Removal(folder, hadoop));
                source.target().openThere(dataset -> writeQuads(dataset, files, new Path(folder, "quads." + SPOOLED_AS)));
            } catch (InterruptedIOException e) {
                throw new UncheckedIOException(e); // Spark recognizes a stopped query by this exception
            } catch (IOException | FormatException | IllegalStateException | IllegalArgumentException e) {
                throw new ReadFailedException(source, e);
            }
            // No glob patterns in the path, and no ignored files or parts of files, whatever the session's settings are.
            return spark.read().format(SPOOLED_AS).option("__globPaths__", false).option("ignoreCorruptFiles", false)
                    .option("ignoreMissingFiles", false).option("maxFrameBytes", UNLIMITED).option("maxTermBytes", UNLIMITED)
                    .option("maxTableBytes", UNLIMITED).load(folder.toString());
        }

        private void writeQuads(OpenDataset dataset, FileSystem files, Path file) throws IOException {
            try (QuadCursor quads = dataset.readRows(selection);
                    OutputStream out = new BufferedOutputStream(files.create(file, false), BUFFER_BYTES);
                    RdfWriter<byte[]> writer = new RdfWriter<>(out, file.toString(), new Utf8Terms(),
                            RdfOptions.DEFAULT.withRdfStar(true), CUT)) {
                quads.forEachRemaining(quad -> writer.statement(quad[0], quad[1], quad[2], quad[3]));
            }
        }

        private record Removal(Path folder, Configuration hadoop) implements Runnable {
            @Override
            public void run() {
                try {
                    folder.getFileSystem(hadoop).delete(folder, true);
                } catch (IOException e) {
                    // It is deleted when the process ends.
                }
            }
        }
    }
}
