package io.jellybridge.spark.source;

import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A snapshot of a dataset's quads in a file, which tasks read. Only one process can open a store, but a task may run elsewhere,
 * later, or again. The file is written on first use. It is deleted when this object is garbage collected, or when the process
 * ends.
 */
final class QuadSpool implements Supplier<Dataset<Row>> {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final String SPOOLED_AS = "jelly";
    private static final int BUFFER_BYTES = 1 << 16;

    private final SparkSession spark;
    private final QuadSource source;
    private final QuadSelection selection;

    QuadSpool(SparkSession spark, QuadSource source, QuadSelection selection) {
        this.spark = spark;
        this.source = source;
        this.selection = selection;
    }

    /**
     * @throws ReadFailedException the dataset can't be read, or the file can't be written
     */
    @Override
    public Dataset<Row> get() {
        Path folder = new Path(source.stagingDir(), "jellybridge-read-" + UUID.randomUUID());
        Configuration hadoop = spark.sparkContext().hadoopConfiguration();
        try {
            FileSystem files = folder.getFileSystem(hadoop);
            files.deleteOnExit(folder);
            CLEANER.register(this, new Removal(folder, hadoop));
            source.open(dataset -> write(dataset, files, new Path(folder, "quads." + SPOOLED_AS)));
        } catch (InterruptedIOException e) {
            throw new UncheckedIOException(e); // Spark recognizes a stopped query by this exception
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw new ReadFailedException(source, e);
        }
        // No glob patterns in the path, and no ignored files or parts of files, whatever the session's settings are.
        return spark.read().format(SPOOLED_AS).option("__globPaths__", false).option("ignoreCorruptFiles", false)
                .option("ignoreMissingFiles", false).load(folder.toString());
    }

    private void write(OpenDataset dataset, FileSystem files, Path file) throws IOException {
        try (QuadCursor quads = dataset.rows(selection);
                OutputStream out = new BufferedOutputStream(files.create(file, false), BUFFER_BYTES);
                RdfWriter<byte[]> writer = new RdfWriter<>(out, file.toString(), new Utf8Terms(),
                        RdfOptions.DEFAULT.withRdfStar(true), WriteOptions.DEFAULT.withTerms(TermRules.ANY))) {
            while (quads.hasNext()) {
                byte[][] quad = quads.next();
                writer.statement(quad[0], quad[1], quad[2], quad[3]);
            }
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
