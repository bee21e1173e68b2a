package io.jellybridge.spark;

import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A reader of Jelly-RDF streams as batches of rows, like the file format {@code jelly}, for sources that open the streams
 * themselves.
 */
public final class StatementReader implements Serializable {
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
        RowBatch rows = new RowBatch(columns, SchemaColumns.positions(columns, StatementColumns.QUADS, "quads"),
                new StructType(), InternalRow.empty());
        RdfReader<UTF8String> reader = new RdfReader<>(
                new BufferedInputStream(stream, BUFFER_BYTES), name, new SparkTerms(), ReadOptions.DEFAULT);
        reader.select(rows.selection(StatementColumns.SUBJECT, filter));
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
