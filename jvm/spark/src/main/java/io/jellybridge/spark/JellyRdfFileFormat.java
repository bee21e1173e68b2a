package io.jellybridge.spark;

import io.jellybridge.codec.ReadOptions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.mapreduce.Job;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The file format {@value #SHORT_NAME}: Jelly-RDF, {@code .jelly} or {@code .jelly.gz}, as rows of canonical terms,
 * read and written, in batch and streaming. Columns: {@link JellyRdfColumn}; options: those of {@link
 * PatchReadSettings} to read, {@link JellyRdfWriteSettings} to write.
 *
 * <p>A file's lookups are one chain, so it is split at its restart points only; one without, or compressed, is read whole by
 * one task. Columns that a query does not use, and rows that its filters on {@code predicate} and {@code graph} leave out,
 * are decoded only as far as the rows after them need it. Namespace declarations and empty graphs make no rows. Under {@code
 * ignoreCorruptFiles} the statements before the fault are kept: each stands for itself; of a grouped stream, the last
 * element may then be incomplete.
 */
public final class JellyRdfFileFormat extends RdfFileFormat {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "jelly";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    public Option<StructType> inferSchema(SparkSession spark, Map<String, String> options, Seq<FileStatus> files) {
        read(options);
        return Option.apply(JellyRdfColumn.SCHEMA);
    }

    private static ReadOptions read(Map<String, String> options) {
        return PatchReadSettings.of(CollectionConverters.asJava(options), SHORT_NAME, JellyRdfWriteSettings.NAMES);
    }

    @Override
    public Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(SparkSession spark,
            StructType dataSchema, StructType partitionSchema, StructType requiredSchema, Seq<Filter> filters,
            Map<String, String> options, Configuration hadoop) {
        ReadOptions read = read(options);
        JellyRdfColumn.positions(dataSchema);
        return new JellyRdfScan(requiredSchema, partitionSchema, read, PushedFilter.of(filters), options,
                HadoopConf.broadcast(spark, hadoop));
    }

    @Override
    public OutputWriterFactory prepareWrite(SparkSession spark, Job job, Map<String, String> options,
            StructType schema) {
        java.util.Map<String, String> given = CollectionConverters.asJava(options);
        JellyRdfWriteSettings settings = JellyRdfWriteSettings.of(given);
        if (settings.stream().grouped()) {
            FileOptions.requireWholeFiles(given, spark, SHORT_NAME, "frame", "frame");
        }
        return new JellyRdfWriterFactory(settings,
                JellyRdfColumn.positionsToWrite(schema, settings.stream().grouped()));
    }
}
