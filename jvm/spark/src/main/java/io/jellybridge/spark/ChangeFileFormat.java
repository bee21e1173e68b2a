package io.jellybridge.spark;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StreamSplit;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.ChangeRowBatches.WholeTransactions;
import io.jellybridge.spark.FileRowReader.FileInput;
import io.jellybridge.spark.FileWriter.FileOutput;
import io.jellybridge.spark.FileWriter.OutputFolder;
import io.jellybridge.spark.FileWriter.RowWriter;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A file format whose files are streams of patches, as change rows. The columns are those of {@link ChangeColumn}. A subclass
 * defines the format and its options.
 *
 * <p>Decoding a row needs the rows before it. So a file is split at its restart points only. A file without restart points, and
 * a compressed file, is read by one task. Columns that a query does not use are decoded only as far as later rows need them.
 * The same applies to rows that its filters on {@code op}, {@code predicate} and {@code graph} exclude.
 */
public abstract class ChangeFileFormat extends RdfFileFormat {
    /** The sort order of rows to write. A patch is never split over files. */
    static final List<String> ORDER = List.of(ChangeColumn.PATCH.columnName(), ChangeColumn.ROW.columnName());

    private static final long serialVersionUID = 1L;

    /** Creates the reader of the format from the options, like {@link #toInput}. */
    abstract ChangeSource changeSource(OptionValues given);

    private ChangeFileFormat(String shortName) {
        super(shortName, ChangeColumn.SCHEMA, ChangeColumn.ROWS);
    }

    @Override
    final FileInput toInput(OptionValues given, boolean ignoreCorruptFiles, Supplier<Configuration> hadoop) {
        return new Input(changeSource(given), ignoreCorruptFiles);
    }

    /**
     * @param ignoreCorruptFiles true if Spark skips the rest of a corrupt file; the file is not split then, and the rows of an
     *     incomplete transaction are skipped too
     */
    private record Input(ChangeSource files, boolean ignoreCorruptFiles) implements FileInput {

        @Override
        public boolean canSplit(Path file) {
            return files.splits() && !ignoreCorruptFiles;
        }

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            Path path = part.toPath();
            if (ignoreCorruptFiles) {
                WholeTransactions sound = WholeTransactions.of(files, path, hadoop);
                return new ChangeRowBatches(files.open(path, hadoop, new SparkTerms()), path.toString(), rows, filter, false,
                        sound);
            }
            PatchSource<UTF8String> changes = files.open(path, hadoop, part.start(), part.start() + part.length(),
                    rows.isOnlyCounted(filter), new SparkTerms());
            if (changes == null) {
                return null;
            }
            boolean selected = changes.select(rows.toSelection(ChangeColumn.SUBJECT.ordinal(), filter));
            return new ChangeRowBatches(changes, path.toString(), rows, filter, selected, WholeTransactions.UNCHECKED);
        }
    }

    /**
     * The file format {@value #SHORT_NAME}: RDF Patch files ({@code .rdfp}, {@code .trp}, {@code .rdp}) as change rows. The suffix
     * says the compression. Options: {@link FormatOptions#RDF_PATCH}.
     */
    public static final class RdfPatchFileFormat extends ChangeFileFormat {
        /** The name in {@code format(…)}. */
        public static final String SHORT_NAME = "rdf-patch";

        private static final long serialVersionUID = 1L;

        /** Creates the format. */
        public RdfPatchFileFormat() {
            super(SHORT_NAME);
        }

        @Override
        OptionTable options() {
            return FormatOptions.RDF_PATCH;
        }

        @Override
        ChangeSource changeSource(OptionValues given) {
            return new Source(FormatOptions.readingText(given));
        }

        @Override
        FileOutput toOutput(OptionValues given, StructType schema) {
            RdfPatchWriteOptions text = FormatOptions.writingText(given);
            int[] positions = ChangeColumn.positionsToWrite(schema);
            return new FileOutput(".rdfp", given.get(FormatOptions.COMPRESSION), ORDER,
                    (out, path, folder) -> ChangeRowWriter.of(
                            new RdfPatchWriter<>(out, path, new Utf8Terms(), text), positions, folder));
        }

        private record Source(RdfPatchReadOptions options) implements ChangeSource {

            @Override
            public boolean splits() {
                return false;
            }

            @Override
            public <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, boolean counting,
                    TermFactory<T> terms) throws IOException {
                return new RdfPatchReader<>(HadoopFiles.openFile(path, hadoop), path.toString(), terms, options);
            }
        }
    }

    /** Opens files of changes in one format, on an executor. */
    interface ChangeSource extends Serializable {

        /** Returns whether an uncompressed file can be split. */
        boolean splits();

        /**
         * Opens a split of a file.
         *
         * @param start    the first byte of the split; 0 if the format does not split
         * @param end      the offset after the split; larger than the file if the whole file is read
         * @param counting true if only the number of rows is wanted, and some may be {@linkplain PatchSource#skippedRows() skipped}
         * @param terms    creates the terms
         * @return null if nothing belongs to the split
         */
        <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, boolean counting, TermFactory<T> terms)
                throws IOException;

        /** Opens a whole file. */
        default <T> PatchSource<T> open(Path path, Configuration hadoop, TermFactory<T> terms) throws IOException {
            return open(path, hadoop, 0, Long.MAX_VALUE, false, terms);
        }
    }

    /**
     * The file format {@value #SHORT_NAME}: {@code .jellyp} files as change rows. The suffix says the compression. Options: {@link
     * FormatOptions#JELLY_PATCH}.
     */
    public static final class JellyPatchFileFormat extends ChangeFileFormat {
        /** The name in {@code format(…)}. */
        public static final String SHORT_NAME = "jelly-patch";

        private static final long serialVersionUID = 1L;

        /** Creates the format. */
        public JellyPatchFileFormat() {
            super(SHORT_NAME);
        }

        @Override
        OptionTable options() {
            return FormatOptions.JELLY_PATCH;
        }

        @Override
        ChangeSource changeSource(OptionValues given) {
            return new Source(FormatOptions.readingOptions(given));
        }

        @Override
        FileOutput toOutput(OptionValues given, StructType schema) {
            PatchOptions stream = FormatOptions.patchStream(given);
            WriteOptions cut = FormatOptions.cut(given, stream);
            int[] positions = ChangeColumn.positionsToWrite(schema);
            return new FileOutput(".jellyp", given.get(FormatOptions.COMPRESSION), ORDER,
                    (out, path, folder) -> ChangeRowWriter.of(
                            new PatchWriter<>(out, path, new Utf8Terms(), stream, cut), positions, folder));
        }

        private record Source(ReadOptions options) implements ChangeSource {

            @Override
            public boolean splits() {
                return true;
            }

            @Override
            public <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, boolean counting,
                    TermFactory<T> terms) throws IOException {
                StreamSplit part = HadoopFiles.openPart(path, hadoop, start, end, counting && !options.strict());
                return part == null ? null : new PatchReader<>(part, path.toString(), terms, options);
            }
        }
    }

    /**
     * A writer for one file of change rows. It rejects rows whose {@code patch} and {@code row} are out of order. If a transaction
     * is open at the end of the file, Spark has split it. The task fails then, so that no file has half a transaction.
     */
    private static final class ChangeRowWriter implements RowWriter {
        private final OutputFolder folder;
        private final Closeable end;
        private final ChangeRowFeed rows;

        private ChangeRowWriter(PatchHandler<byte[]> changes, Closeable end, int[] positions, OutputFolder folder) {
            this.folder = folder;
            this.end = end;
            this.rows = new ChangeRowFeed(positions, changes, true);
        }

        /**
         * Creates a writer.
         *
         * @param writer    writes the format; closing it ends the file
         * @param positions the position of each {@link ChangeColumn} in the rows; -1 if it is missing
         */
        static <W extends PatchHandler<byte[]> & Closeable> ChangeRowWriter of(W writer, int[] positions, OutputFolder folder) {
            return new ChangeRowWriter(writer, writer, positions, folder);
        }

        @Override
        public void write(InternalRow row) {
            try {
                rows.write(row);
            } catch (IllegalArgumentException | FormatException e) {
                throw withLocation(", " + rows.place(), e);
            }
        }

        @Override
        public void end() throws IOException {
            try {
                end.close();
            } catch (FormatException e) {
                throw withLocation(", after " + rows.place(), e);
            }
        }

        /** Replaces the place in an error by the place in the data, with the final folder of the file. */
        private RuntimeException withLocation(String place, RuntimeException e) {
            String at = folder.name() + place;
            if (e instanceof FormatException format) {
                return format.at(at, adviceFor(format.advice()));
            }
            return ChangeRowFeed.refusalError(at, e.getMessage(), adviceFor("see the columns of change rows"));
        }

        private String adviceFor(String advice) {
            return folder.partitions().isEmpty() ? advice : advice
                    + "; with partitionBy, Spark sorts by its columns before all: "
                    + "order the rows by jellybridge.in_order(df, '" + String.join("', '", folder.partitions())
                    + "'), and keep the rows of a patch in one folder";
        }
    }
}
