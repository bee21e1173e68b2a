package io.jellybridge.spark;

import static io.jellybridge.spark.StatementColumns.FRAME;
import static io.jellybridge.spark.StatementColumns.GRAPH;
import static io.jellybridge.spark.StatementColumns.OBJECT;
import static io.jellybridge.spark.StatementColumns.PREDICATE;
import static io.jellybridge.spark.StatementColumns.SUBJECT;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementWriter;
import io.jellybridge.codec.StreamSplit;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.FileRowReader.FileInput;
import io.jellybridge.spark.FileWriter.FileOutput;
import io.jellybridge.spark.FileWriter.OutputFolder;
import io.jellybridge.spark.FileWriter.RowWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The file format {@value #SHORT_NAME}: Jelly-RDF files ({@code .jelly}) as rows of canonical terms. The suffix says the
 * compression. Columns: {@link StatementColumns#FRAMED_QUADS}; options: {@link FormatOptions#JELLY_RDF}.
 *
 * <p>Decoding a row needs the lookups of all rows before it. So a file is split at its restart points only. A file without
 * restart points, and a compressed file, is read by one task. Columns that a query does not use are decoded only as far as
 * later rows need them. The same applies to rows that its filters on {@code predicate} and {@code graph} exclude.
 *
 * <p>Namespace declarations and empty graphs make no rows. With {@code ignoreCorruptFiles}, the statements before the fault are
 * kept, since statements are independent. In a grouped stream, the last element may be incomplete then.
 */
public final class JellyRdfFileFormat extends RdfFileFormat {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "jelly";

    private static final long serialVersionUID = 1L;

    /** Creates the format. */
    public JellyRdfFileFormat() {
        super(SHORT_NAME, StatementColumns.FRAMED_QUADS, SHORT_NAME + " rows");
    }

    @Override
    OptionTable options() {
        return FormatOptions.JELLY_RDF;
    }

    @Override
    FileInput toInput(OptionValues given, boolean ignoreCorruptFiles, Supplier<Configuration> hadoop) {
        return new Input(FormatOptions.readingOptions(given), ignoreCorruptFiles);
    }

    @Override
    FileOutput toOutput(OptionValues given, StructType schema) {
        RdfOptions stream = FormatOptions.rdfStream(given);
        WriteOptions cut = FormatOptions.cut(given, stream);
        int[] positions = StatementColumns.positionsToWrite(schema, columns(), SHORT_NAME, stream.grouped());
        return new FileOutput(".jelly", given.get(FormatOptions.COMPRESSION),
                stream.grouped() ? List.of(StatementColumns.columnName(FRAME)) : List.of(),
                (out, path, folder) -> new JellyRdfWriter(new StatementWriter<>(out, path, new Utf8Terms(), stream, cut),
                        stream.grouped(), positions, folder));
    }

    /**
     * @param ignoreCorruptFiles true if Spark skips the rest of a corrupt file; so that every query finds the same rest, the file is
     *     not split then, and every term is decoded
     */
    record Input(ReadOptions options, boolean ignoreCorruptFiles) implements FileInput {

        @Override
        public boolean canSplit(Path file) {
            return !ignoreCorruptFiles;
        }

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            StreamSplit bytes = HadoopFiles.openPart(part.toPath(), hadoop, part.start(), part.start() + part.length(),
                    rows.isOnlyCounted(filter) && !options.strict() && !ignoreCorruptFiles);
            if (bytes == null) {
                return null;
            }
            String file = part.toPath().toString();
            RdfReader<UTF8String> reader = new RdfReader<>(bytes, file, new SparkTerms(), options);
            if (!ignoreCorruptFiles) {
                reader.select(rows.toSelection(SUBJECT, filter));
            }
            return new Statements(reader, file, rows);
        }
    }

    /** The statements of a file or a split, as batches. */
    static final class Statements extends FileBatches implements RdfHandler<UTF8String> {
        private final RdfReader<UTF8String> reader;

        Statements(RdfReader<UTF8String> reader, String file, RowBatch rows) {
            super(reader, file, rows, reader.skippedRows());
            this.reader = reader;
        }

        @Override
        boolean readOn() throws IOException {
            return reader.next(this);
        }

        @Override
        public void statement(UTF8String subject, UTF8String predicate, UTF8String object, UTF8String graph) {
            rows.setText(SUBJECT, subject);
            rows.setText(PREDICATE, predicate);
            rows.setText(OBJECT, object);
            rows.setText(GRAPH, graph);
            rows.setNumber(FRAME, reader.frame());
            rows.endRow();
        }
    }

    /**
     * A writer for one file of statements. In a grouped stream, a frame ends when the column {@code frame} changes. Its numbers
     * must not decrease, since an element in two parts would become two elements.
     */
    private static final class JellyRdfWriter implements RowWriter {
        private static final long NO_FRAME = -1;

        private final OutputFolder folder;
        private final int[] positions;
        private final boolean grouped;
        private final StatementWriter<byte[]> writer;
        private long frame = NO_FRAME;

        /**
         * @param grouped   true for a grouped stream
         * @param positions the position of each of {@link StatementColumns} in the rows; -1 if it is missing
         */
        JellyRdfWriter(StatementWriter<byte[]> writer, boolean grouped, int[] positions, OutputFolder folder) {
            this.writer = writer;
            this.grouped = grouped;
            this.positions = positions;
            this.folder = folder;
        }

        @Override
        public void write(InternalRow row) {
            try {
                if (grouped) {
                    startFrame(row);
                }
                writer.statement(getText(row, SUBJECT), getText(row, PREDICATE), getText(row, OBJECT), getText(row, GRAPH));
            } catch (FormatException e) {
                throw e.at(folder.placeOf(row, positions));
            }
        }

        private void startFrame(InternalRow row) {
            if (row.isNullAt(positions[FRAME])) {
                throw refusalError(row, "a row has frame null", "give it the number of its graph or dataset");
            }
            long next = row.getLong(positions[FRAME]);
            if (next < 0) {
                throw refusalError(row, "a row has frame " + next, "numbers start at 0");
            }
            if (next < frame) {
                throw refusalError(row, "rows are out of order: frame " + next + " after frame " + frame,
                        "sort by frame, in one partition, and give the frames of several files numbers of their own");
            }
            if (frame != NO_FRAME && next != frame) {
                writer.endElement();
            }
            frame = next;
        }

        private FormatException refusalError(InternalRow row, String found, String advice) {
            return FormatException.ofRow(JellyRdfFileFormat.SHORT_NAME + " rows", folder.placeOf(row, positions), found, advice);
        }

        private byte[] getText(InternalRow row, int column) {
            return SchemaColumns.getText(row, positions[column]);
        }

        @Override
        public void end() throws IOException {
            writer.close();
        }
    }

    /**
     * A reader of Jelly-RDF streams as batches of rows, like the file format {@code jelly}, for sources that open the streams
     * themselves.
     */
    public static final class StatementReader implements Serializable {
        private static final long serialVersionUID = 1L;
        private static final int BUFFER_BYTES = 1 << 16;

        private final StructType columns;
        private final PushedFilter filter;

        private StatementReader(StructType columns, PushedFilter filter) {
            this.columns = columns;
            this.filter = filter;
        }

        /**
         * Creates a reader.
         *
         * @param columns the requested columns of {@link StatementColumns#QUADS}
         * @param filters the filters for rows, which Spark must apply again
         */
        public static StatementReader of(StructType columns, Filter... filters) {
            return new StatementReader(columns, PushedFilter.of(CollectionConverters.asScala(List.of(filters)).toSeq()));
        }

        /**
         * Returns the rows of a stream. The stream is closed at its end, or with the returned reader.
         *
         * @param name the name in errors
         */
        public PartitionReader<ColumnarBatch> open(InputStream stream, String name) {
            RowBatch rows = new RowBatch(columns, SchemaColumns.positionsOf(columns, StatementColumns.QUADS, "quads"),
                    new StructType(), InternalRow.empty());
            RdfReader<UTF8String> reader = new RdfReader<>(
                    new BufferedInputStream(stream, BUFFER_BYTES), name, new SparkTerms(), ReadOptions.DEFAULT);
            reader.select(rows.toSelection(StatementColumns.SUBJECT, filter));
            FileBatches batches = new JellyRdfFileFormat.Statements(reader, name, rows);
            return new PartitionReader<>() {

                @Override
                public boolean next() {
                    return batches.hasNext();
                }

                @Override
                public ColumnarBatch get() {
                    return batches.next();
                }

                @Override
                public void close() {
                    batches.close();
                }
            };
        }
    }
}
