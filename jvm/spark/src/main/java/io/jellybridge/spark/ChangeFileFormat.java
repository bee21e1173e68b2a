package io.jellybridge.spark;

import io.jellybridge.codec.Op;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
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
 * A file format whose files are streams of patches: change rows, read and written, in batch and streaming. The
 * columns are those of {@link ChangeColumn}; a subclass says which format and which options.
 *
 * <p>What a row is depends on those before, so a file is split at its restart points only; one without, or compressed, is
 * read whole by one task. Columns that a query does not use, and rows that its filters on {@code op}, {@code predicate} and
 * {@code graph} leave out, are decoded only as far as the rows after them need it.
 */
abstract class ChangeFileFormat extends RdfFileFormat {
    private static final long serialVersionUID = 1L;

    /**
     * How to read, by the options of a read.
     *
     * @throws IllegalArgumentException an option is unknown or has a value that it can't have; the message names it
     */
    abstract ChangeSource source(java.util.Map<String, String> options);

    /** How to write, by the options of a write; as {@link #source}. */
    abstract ChangeTarget target(java.util.Map<String, String> options);

    @Override
    public Option<StructType> inferSchema(SparkSession spark, Map<String, String> options, Seq<FileStatus> files) {
        source(CollectionConverters.asJava(options));
        return Option.apply(ChangeColumn.SCHEMA);
    }

    @Override
    public boolean isSplitable(SparkSession spark, Map<String, String> options, Path path) {
        java.util.Map<String, String> given = CollectionConverters.asJava(options);
        return source(given).splits() && !FileOptions.ignoresCorruptFiles(given, spark)
                && super.isSplitable(spark, options, path);
    }

    @Override
    public Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(SparkSession spark,
            StructType dataSchema, StructType partitionSchema, StructType requiredSchema, Seq<Filter> filters,
            Map<String, String> options, Configuration hadoop) {
        java.util.Map<String, String> given = CollectionConverters.asJava(options);
        ChangeSource source = source(given);
        ChangeColumn.positions(dataSchema);
        return new ChangeRowScan(requiredSchema, partitionSchema, source, PushedFilter.of(filters),
                FileOptions.ignoresCorruptFiles(given, spark), options, HadoopConf.broadcast(spark, hadoop));
    }

    @Override
    public OutputWriterFactory prepareWrite(SparkSession spark, Job job, Map<String, String> options,
            StructType schema) {
        java.util.Map<String, String> given = CollectionConverters.asJava(options);
        ChangeTarget target = target(given);
        FileOptions.requireWholeFiles(given, spark, shortName(), "patch", "patch", "row");
        int[] positions = ChangeColumn.positions(schema);
        if (positions[ChangeColumn.OP.ordinal()] < 0) {
            throw new IllegalArgumentException("no column 'op': a change row says what it does by it, with one of "
                    + Arrays.toString(Op.values()));
        }
        return new ChangeRowWriterFactory(target, positions);
    }
}
